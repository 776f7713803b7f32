#pragma once
// The short way through the common replies.

#include <holdfast/resp/reply.h>

#include <cstdint>
#include <cstring>

namespace holdfast {

inline constexpr std::ptrdiff_t plain_length_digits_max = 9;    // below resp_bulk_bytes_max
inline constexpr std::ptrdiff_t plain_integer_digits_max = 18;  // fits in 64 bits
inline constexpr std::ptrdiff_t plain_line_bytes_max = 32;      // beyond it memchr is faster

inline void
set_text(RespNode& node, RespType type, const char* data, std::size_t size, std::int64_t number) {
    node.data = data;
    node.size = size;
    node.children = 0;
    node.nodes = 1;
    node.number = number;
    node.type = type;
}

// "$32\r\n..." that lies whole at `at` with more than a few bytes around: the reply of GET, alone
// or in a row. nullptr: look with more care.
[[gnu::always_inline]] inline const char*
read_plain_bulk(const char* at, const char* end, RespNode& node) {
    if (end - at < plain_length_digits_max + 4 || *at != '$') {  // so the digits need no bound
        return nullptr;
    }
    std::size_t size = static_cast<unsigned char>(at[1]) - std::size_t{'0'};
    if (size > 9) {
        return nullptr;
    }
    const bool zero = size == 0;
    const char* digit = at + 2;
    for (;; ++digit) {
        const std::size_t value = static_cast<unsigned char>(*digit) - std::size_t{'0'};
        if (value > 9) {
            break;
        }
        if (zero || digit > at + plain_length_digits_max) {
            return nullptr;
        }
        size = size * 10 + value;
    }
    const char* const text = digit + 2;
    const auto left = static_cast<std::size_t>(end - text);
    if (std::memcmp(digit, "\r\n", 2) != 0 || left < size + 2 ||
        std::memcmp(text + size, "\r\n", 2) != 0) {
        return nullptr;
    }
    set_text(node, RespType::bulk, text, size, 0);
    return text + size + 2;
}

// Digits without a leading zero up to CR LF; nullptr: not whole, not plain, or wrong.
template <std::ptrdiff_t digits_max>
[[gnu::always_inline]] inline const char*
read_plain_digits(const char* at, const char* end, std::uint64_t& value) {
    const char* const first = at;
    std::uint64_t sum = 0;
    for (; at != end; ++at) {
        const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
        if (digit > 9) {
            break;
        }
        sum = sum * 10 + digit;
    }
    if (end - at < 2 || std::memcmp(at, "\r\n", 2) != 0) {
        return nullptr;
    }
    const std::ptrdiff_t digits = at - first;
    if (digits == 0 || digits > digits_max || (*first == '0' && digits > 1)) {
        return nullptr;
    }
    value = sum;
    return at + 2;
}

// Reads a bulk string, an integer, a short status or a null that lies whole at `at`, and answers
// the byte after it; nullptr: the careful reader must look. What is taken here, it takes too.
[[gnu::always_inline]] inline const char*
read_plain_value(const char* at, const char* end, RespNode& node) {
    if (end - at < 3) {
        return nullptr;
    }
    std::uint64_t number = 0;
    switch (*at) {
    case '$': {
        const char* const text = read_plain_digits<plain_length_digits_max>(at + 1, end, number);
        if (text == nullptr) {
            if (end - at < 5 || std::memcmp(at, "$-1\r\n", 5) != 0) {
                return nullptr;
            }
            set_text(node, RespType::null, nullptr, 0, 0);
            return at + 5;
        }
        const auto left = static_cast<std::uint64_t>(end - text);
        if (left < 2 || number > left - 2 || std::memcmp(text + number, "\r\n", 2) != 0) {
            return nullptr;
        }
        set_text(node, RespType::bulk, text, number, 0);
        return text + number + 2;
    }
    case ':': {
        const bool minus = at[1] == '-';
        const char* const next =
            read_plain_digits<plain_integer_digits_max>(at + (minus ? 2 : 1), end, number);
        if (next == nullptr || (minus && number == 0)) {
            return nullptr;
        }
        const auto value = static_cast<std::int64_t>(number);
        const auto size = static_cast<std::size_t>(next - at - 3);
        set_text(node, RespType::integer, at + 1, size, minus ? -value : value);
        return next;
    }
    case '+': {
        if (end - at >= 5 && std::memcmp(at, "+OK\r\n", 5) == 0) {
            set_text(node, RespType::simple, at + 1, 2, 0);
            return at + 5;
        }
        const char* const text = at + 1;
        const char* const stop =
            end - text > plain_line_bytes_max ? text + plain_line_bytes_max : end;
        const char* cr = text;
        while (cr != stop && *cr != '\r') {
            ++cr;
        }
        if (end - cr < 2 || std::memcmp(cr, "\r\n", 2) != 0) {
            return nullptr;
        }
        set_text(node, RespType::simple, text, static_cast<std::size_t>(cr - text), 0);
        return cr + 2;
    }
    case '_':
        if (std::memcmp(at, "_\r\n", 3) != 0) {
            return nullptr;
        }
        set_text(node, RespType::null, nullptr, 0, 0);
        return at + 3;
    default:
        return nullptr;
    }
}

}  // namespace holdfast
