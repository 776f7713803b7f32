#include <holdfast/codec/utf.h>

#include <cstdint>

namespace holdfast {
namespace {

constexpr std::uint32_t surrogate_first = 0xd800;
constexpr std::uint32_t surrogate_low = 0xdc00;
constexpr std::uint32_t surrogate_last = 0xdfff;
constexpr std::uint32_t code_last = 0x10ffff;

struct Character {
    std::uint32_t code;
    std::size_t bytes;  // 0: malformed
};

Character decode(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint8_t>(text[i]);
    };
    if (text.empty()) {
        return {0, 0};
    }
    const std::uint8_t first = byte(0);
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) {
        return {0, 0};
    }
    std::uint32_t code = first & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return {0, 0};
        }
        code = code << 6 | (byte(i) & 0x3f);
    }
    const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    const bool surrogate = code >= surrogate_first && code <= surrogate_last;
    return overlong || surrogate || code > code_last ? Character{0, 0} : Character{code, bytes};
}

void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) {
        out += static_cast<char>(0x80 | (code >> shift & 0x3f));
    };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | code >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace

std::size_t utf8_character_bytes(std::string_view text) {
    return decode(text).bytes;
}

bool is_utf8(std::string_view text) {
    return utf16_length(text).has_value();
}

std::optional<std::size_t> utf16_length(std::string_view text) {
    std::size_t units = 0;
    while (!text.empty()) {
        const Character next = decode(text);
        if (next.bytes == 0) {
            return std::nullopt;
        }
        units += next.bytes == 4 ? 2 : 1;
        text.remove_prefix(next.bytes);
    }
    return units;
}

std::optional<std::u16string> to_utf16(std::string_view text) {
    std::u16string out;
    while (!text.empty()) {
        const Character next = decode(text);
        if (next.bytes == 0) {
            return std::nullopt;
        }
        if (next.bytes == 4) {
            const std::uint32_t rest = next.code - 0x10000;
            out += static_cast<char16_t>(surrogate_first + (rest >> 10));
            out += static_cast<char16_t>(surrogate_low + (rest & 0x3ff));
        } else {
            out += static_cast<char16_t>(next.code);
        }
        text.remove_prefix(next.bytes);
    }
    return out;
}

std::optional<std::string> to_utf8(std::u16string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::uint32_t code = text[i];
        if (code >= surrogate_first && code <= surrogate_last) {
            const std::uint32_t low = i + 1 < text.size() ? text[i + 1] : 0;
            if (code >= surrogate_low || low < surrogate_low || low > surrogate_last) {
                return std::nullopt;
            }
            code = 0x10000 + ((code - surrogate_first) << 10) + (low - surrogate_low);
            ++i;
        }
        append_utf8(out, code);
    }
    return out;
}

}  // namespace holdfast
