#include "target.h"

#include "grammar.h"

#include <holdfast/codec/utf.h>

namespace holdfast {
namespace {

bool is_dots(std::string_view segment) {
    return segment == "." || segment == "..";
}

// The character that "%XX" stands for; nothing if it may not be written that way in a path.
std::optional<char> decoded(const char* in, const char* end) {
    if (end - in < 3 || hex_digit(in[1]) < 0 || hex_digit(in[2]) < 0) {
        return std::nullopt;
    }
    const auto byte = static_cast<unsigned char>(hex_digit(in[1]) * 16 + hex_digit(in[2]));
    if (byte < 0x20 || byte == 0x7f) {
        return std::nullopt;
    }
    const char c = static_cast<char>(byte);
    if (c == '/' || c == '\\' || c == ';' || c == '%') {
        return std::nullopt;
    }
    return c;
}

}  // namespace

std::optional<std::string_view> normalise_path(std::span<char> path) {
    const char* const end = path.data() + path.size();
    char* out = path.data();
    char* segment = nullptr;
    bool foreign = false;
    for (const char* in = path.data(); in != end; ++in) {
        char c = *in;
        if (c == '/') {
            if (segment != nullptr &&
                (out == segment || is_dots({segment, static_cast<std::size_t>(out - segment)}))) {
                return std::nullopt;
            }
            *out++ = c;
            segment = out;
            continue;
        }
        if (c == '%') {
            const auto real = decoded(in, end);
            if (!real) {
                return std::nullopt;
            }
            c = *real;
            in += 2;
            foreign |= static_cast<unsigned char>(c) >= 0x80;
        } else if (!is(c, path_char)) {
            return std::nullopt;
        }
        *out++ = c;
    }
    const std::string_view whole(path.data(), static_cast<std::size_t>(out - path.data()));
    if (segment == nullptr || is_dots({segment, static_cast<std::size_t>(out - segment)}) ||
        (foreign && !is_utf8(whole))) {
        return std::nullopt;
    }
    return whole;
}

bool is_host(std::string_view text) {
    std::size_t at = 0;
    if (text.starts_with('[')) {
        at = 1;
        while (at < text.size() && (hex_digit(text[at]) >= 0 || text[at] == ':' || text[at] == '.')
        ) {
            ++at;
        }
        if (at < 4 || at == text.size() || text[at] != ']') {
            return false;
        }
        ++at;
    } else {
        while (at < text.size() && is(text[at], host_char)) {
            ++at;
        }
        if (at == 0) {
            return false;
        }
    }
    if (at == text.size()) {
        return true;
    }
    constexpr std::size_t port_digits_max = 5;
    const std::string_view port = text.substr(at + 1);
    return text[at] == ':' && port.size() <= port_digits_max &&
           port.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace holdfast
