#pragma once
// The characters of RFC 9110 and 9112, as strict as they are written.

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace holdfast {

enum CharClass : std::uint8_t { token_char = 1, target_char = 2, path_char = 4, host_char = 8 };

inline constexpr std::array<std::uint8_t, 256> char_classes = [] {
    std::array<std::uint8_t, 256> classes{};
    const auto mark = [&](std::string_view chars, unsigned kinds) {
        for (const char c : chars) {
            classes[static_cast<unsigned char>(c)] |= static_cast<std::uint8_t>(kinds);
        }
    };
    mark(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~",
        token_char | path_char | host_char
    );
    mark("!#$%&'*+^`|", token_char);
    mark("!$&'()*+,=:@/", path_char);  // without ';': its parameters are read in several ways
    for (unsigned c = 0x21; c < 0x7f; ++c) {
        classes[c] |= target_char;
    }
    classes['#'] &= static_cast<std::uint8_t>(~target_char);  // a fragment is never sent
    return classes;
}();

inline bool is(char c, CharClass kind) {
    return (char_classes[static_cast<unsigned char>(c)] & kind) != 0;
}

// -1: not a hex digit.
inline int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Without regard to case. `text` has no control characters, so that setting one bit is enough.
inline bool same_token(std::string_view text, std::string_view lower_case) {
    if (text.size() != lower_case.size()) {
        return false;
    }
    unsigned differs = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        differs |= static_cast<unsigned>((text[i] | 0x20) ^ lower_case[i]);
    }
    return differs == 0;
}

// Marks in each of eight bytes: a control character. A marked byte may also be a tab or the
// neighbour of a marked one: a closer look decides.
inline std::uint64_t control_marks(const char* bytes) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t tops = 0x8080808080808080U;
    std::uint64_t eight;
    std::memcpy(&eight, bytes, sizeof eight);
    const std::uint64_t deleted = eight ^ (ones * 0x7f);
    return ((eight - ones * 0x20) & ~eight & tops) | ((deleted - ones) & ~deleted & tops);
}

// A control character other than the tab, which no field value may hold.
inline bool has_control(std::string_view text) {
    constexpr std::size_t step = sizeof(std::uint64_t);
    if (text.size() >= step) {
        const char* const last = text.data() + text.size() - step;
        std::uint64_t marks = control_marks(last);
        for (const char* at = text.data(); at < last; at += step) {
            marks |= control_marks(at);
        }
        if (marks == 0) {
            return false;
        }
    }
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\t') || byte == 0x7f) {
            return true;
        }
    }
    return false;
}

inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
        text.remove_prefix(1);
    }
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
        text.remove_suffix(1);
    }
    return text;
}

// The members of a comma list, trimmed, empty ones too.
template <class Visit>
void each_member(std::string_view list, Visit visit) {
    for (;;) {
        const std::size_t comma = list.find(',');
        visit(trimmed(list.substr(0, comma)));
        if (comma == std::string_view::npos) {
            return;
        }
        list.remove_prefix(comma + 1);
    }
}

}  // namespace holdfast
