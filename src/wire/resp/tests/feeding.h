#pragma once
// What a parser says of bytes that arrive in pieces.

#include <holdfast/resp/parser.h>

#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace holdfast {

inline std::string counted(std::string_view mark, std::string_view text) {
    std::string out(mark);
    out += std::to_string(text.size());
    out += ':';
    out += text;
    return out;
}

// One reply as text that says everything about it.
inline std::string text_of(RespView reply) {
    switch (reply.type()) {
    case RespType::null:
        return "null";
    case RespType::simple:
        return counted("+", reply.text());
    case RespType::error:
        return counted("-", reply.text());
    case RespType::integer:
        return ":" + std::to_string(reply.number());
    case RespType::bulk:
        return counted("$", reply.text());
    case RespType::boolean:
        return reply.number() != 0 ? "true" : "false";
    case RespType::real:
        return counted(",", reply.text());
    case RespType::big_number:
        return counted("(", reply.text());
    case RespType::verbatim:
        return counted("=", reply.text());
    case RespType::array:
    case RespType::set:
    case RespType::map:
    case RespType::push:
        break;
    }
    std::string out(1, "*~%>"[static_cast<int>(reply.type()) - static_cast<int>(RespType::array)]);
    out += std::to_string(reply.size()) + "[";
    for (const RespView child : reply) {
        out += text_of(child) + " ";
    }
    return out + "]";
}

// Takes pieces as a connection does. Each call of the parser sees a copy of its own, as long as the
// bytes and no longer, so that a view into an older one or a read beyond the end is noticed.
class Feeder {
public:
    // Replies as text, each with the bytes it took; "broken" at the end if it came to that.
    const std::string& said() const { return said_; }
    RespStatus status() const { return status_; }

    void append(std::string_view piece) {
        unread_ += piece;
        while (status_ != RespStatus::broken) {
            bytes_ = std::make_unique<char[]>(unread_.size());
            std::memcpy(bytes_.get(), unread_.data(), unread_.size());
            status_ = parser_.parse({bytes_.get(), unread_.size()});
            if (status_ != RespStatus::complete) {
                break;
            }
            said_ += text_of(parser_.reply()) + " @" + std::to_string(parser_.consumed()) + "\n";
            unread_.erase(0, parser_.consumed());
        }
        if (status_ == RespStatus::broken && !broken_) {
            said_ += "broken\n";
            broken_ = true;
        }
    }

private:
    RespParser parser_;
    std::unique_ptr<char[]> bytes_;
    std::string unread_;
    std::string said_;
    RespStatus status_ = RespStatus::incomplete;
    bool broken_ = false;
};

inline std::string said_of(std::string_view bytes, std::size_t piece) {
    Feeder feeder;
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
        feeder.append(bytes.substr(at, piece));
    }
    return feeder.said();
}

inline std::string said_of_two(std::string_view bytes, std::size_t cut) {
    Feeder feeder;
    feeder.append(bytes.substr(0, cut));
    feeder.append(bytes.substr(cut));
    return feeder.said();
}

}  // namespace holdfast
