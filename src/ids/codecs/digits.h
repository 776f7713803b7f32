#pragma once
// How many digits a field has, and decimal digits of a fixed or free width, strictly.

#include <holdfast/ids/codec.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace holdfast {

// Digits of 2^bits - 1, the widest value of a field; 0 of no bits.
constexpr int digits_of_bits(unsigned radix, int bits) {
    std::uint64_t widest =
        bits >= 64 ? std::numeric_limits<std::uint64_t>::max() : (std::uint64_t{1} << bits) - 1;
    int digits = 0;
    for (; widest != 0; widest /= radix) {
        ++digits;
    }
    return digits;
}

constexpr unsigned radix_of(TextBase base) {
    switch (base) {
    case TextBase::radix62:
        return 62;
    case TextBase::radix36:
        return 36;
    default:
        return 10;
    }
}

// ASCII digits alone, up to 19 of them; nothing if another character, none or more stand there, or
// the number is no int64.
inline std::optional<std::int64_t> parse_digits(std::string_view text) {
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    if (text.empty() || text.size() > 20) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        const std::int64_t digit = c - '0';
        if (value > (last - digit) / 10) {
            return std::nullopt;
        }
        value = value * 10 + digit;
    }
    return value;
}

// Padded: exactly `width` characters. Else what is printed without leading zeros: "0", never "07".
inline bool has_printed_form(std::string_view text, bool padded, std::size_t width) {
    if (padded) {
        return text.size() == width;
    }
    return !text.empty() && text.size() <= width && (text.size() == 1 || text.front() != '0');
}

// `width` decimal digits of a value that has no more.
inline void write_digits(char* to, int width, std::int64_t value) {
    for (int at = width - 1; at >= 0; --at) {
        to[at] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

}  // namespace holdfast
