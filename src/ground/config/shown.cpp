#include "shown.h"

#include <holdfast/config/limits.h>
#include <holdfast/config/path.h>

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr std::string_view hidden = "***";

bool names_a_secret(std::string_view name) {
    constexpr std::array<std::string_view, 7> words{
        "password", "passwd", "pwd", "secret", "token", "credential", "privatekey"
    };
    const std::string plain = relaxed(name);
    return std::ranges::any_of(words, [&](std::string_view word) {
        return plain.find(word) != std::string::npos;
    });
}

std::string without_user_info(std::string_view value) {
    const std::size_t at = value.rfind('@');
    if (at == std::string_view::npos) {
        return std::string(value);
    }
    const std::size_t scheme = value.find("://");
    const std::size_t begin = scheme == std::string_view::npos || scheme > at ? 0 : scheme + 3;
    const std::size_t colon = value.find(':', begin);
    const bool has_user = colon != std::string_view::npos && colon < at;
    const std::string_view front = value.substr(0, has_user ? colon + 1 : begin);
    return std::string(front) + std::string(hidden) + std::string(value.substr(at));
}

std::string without_parameters(std::string_view value) {
    std::string text;
    while (!value.empty()) {
        const std::size_t end = std::min(value.find_first_of("?&;", 1), value.size());
        const std::string_view piece = value.substr(0, end);
        const std::size_t equals = piece.find('=');
        if (equals != std::string_view::npos && names_a_secret(piece.substr(0, equals))) {
            text += std::string(piece.substr(0, equals + 1)) + std::string(hidden);
        } else {
            text += piece;
        }
        value.remove_prefix(end);
    }
    return text;
}

}  // namespace

std::string single_line(std::string_view text) {
    std::string line;
    line.reserve(text.size());
    for (const char c : text) {
        const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
        line += control ? '?' : c;
    }
    return line;
}

std::string shown_text(std::string_view text) {
    if (text.size() <= config_shown_bytes_max) {
        return single_line(text);
    }
    std::size_t end = config_shown_bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
        --end;  // not inside of a UTF-8 character
    }
    return single_line(text.substr(0, end)) + "...";
}

std::string shown_option(std::string_view name, std::string_view value) {
    if (value.empty()) {
        return "";
    }
    if (names_a_secret(name)) {
        return std::string(hidden);
    }
    return single_line(without_parameters(without_user_info(value)));
}

}  // namespace holdfast
