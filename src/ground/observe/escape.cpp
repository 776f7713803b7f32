#include "escape.h"

#include <holdfast/observe/limits.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace holdfast {
namespace {

struct Point {
    std::uint32_t code;
    std::size_t bytes;  // 0: no UTF-8 here
};

Point decode(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return static_cast<std::uint8_t>(text[i]);
    };
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
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        return {0, 0};
    }
    return {code, bytes};
}

bool must_be_hidden(std::uint32_t code) {
    const bool control = code < 0x20 || (code >= 0x7f && code <= 0x9f);
    const bool line = code == 0x2028 || code == 0x2029;
    const bool direction = code == 0x200e || code == 0x200f || code == 0x061c ||
                           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return control || line || direction || code == 0xfeff;
}

void append_unicode_escape(std::string& out, std::uint32_t code) {
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) {
        out += "0123456789abcdef"[code >> shift & 15];
    }
}

void append_point(std::string& out, std::string_view text, Point point) {
    if (point.bytes == 0) {
        out += "\\ufffd";
    } else if (point.code == '"' || point.code == '\\') {
        out += '\\';
        out += text[0];
    } else if (point.code == '\n') {
        out += "\\n";
    } else if (point.code == '\r') {
        out += "\\r";
    } else if (point.code == '\t') {
        out += "\\t";
    } else if (must_be_hidden(point.code)) {
        append_unicode_escape(out, point.code);
    } else {
        out += text.substr(0, point.bytes);
    }
}

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._:/@+-{}#,").find(c) != std::string_view::npos;
}

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    std::size_t at = 0;
    while (at < text.size()) {
        const std::string_view rest = text.substr(at);
        const Point point = decode(rest);
        const std::size_t bytes = std::max<std::size_t>(point.bytes, 1);
        if (at + bytes > log_value_bytes_max) {
            out += "...";
            break;
        }
        append_point(out, rest, point);
        at += bytes;
    }
    out += '"';
}

void append_word(std::string& out, std::string_view text) {
    if (!text.empty() && text.size() <= log_value_bytes_max && std::ranges::all_of(text, plain)) {
        out += text;
    } else {
        append_quoted(out, text);
    }
}

}  // namespace holdfast
