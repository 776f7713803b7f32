#pragma once
// The number of an id without decorators: decimal, radix 62 or 36.

#include <holdfast/base/result.h>
#include <holdfast/ids/codec.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

class NumberBase {
public:
    using Value = std::int64_t;
    using Argument = std::int64_t;

    // The options were checked.
    explicit NumberBase(const CodecOptions& options);

    // The literal that says why an id has no text; empty: it has one.
    std::string_view fault_of(std::int64_t id) const {
        return id < 0         ? "the id is negative"
               : id > id_max_ ? "the id is too wide for its text"
                              : "";
    }
    // As fault_of; appends if there is none.
    std::string_view append(std::string& out, std::int64_t id) const;
    Result<std::int64_t> parse(std::string_view text) const;
    WallTime time_of(std::int64_t id) const;  // only with a layout, of an id without fault

private:
    std::int64_t id_max_;  // of the width and of the layout
    std::uint8_t width_;   // characters of a padded text, at most those of another
    bool pad_;
    TextBase base_;
    IdLayout layout_;
};

}  // namespace holdfast
