#pragma once
// A reply made from its bytes, as a parser gives it.

#include <holdfast/resp/parser.h>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {

class ReplyOf {
public:
    explicit ReplyOf(std::string bytes) : bytes_(std::move(bytes)) {
        EXPECT_EQ(parser_.parse(bytes_), RespStatus::complete) << bytes_;
        EXPECT_EQ(parser_.consumed(), bytes_.size());
    }
    RespView view() const { return parser_.reply(); }

private:
    std::string bytes_;
    RespParser parser_;
};

inline std::string bulk(std::string_view text) {
    return "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
}
inline std::string number(std::int64_t value) {
    return ":" + std::to_string(value) + "\r\n";
}
inline std::string list(const std::vector<std::string>& items, char mark = '*') {
    std::string out = mark + std::to_string(mark == '%' ? items.size() / 2 : items.size()) + "\r\n";
    for (const std::string& item : items) {
        out += item;
    }
    return out;
}

}  // namespace holdfast::redis
