#pragma once
// How samples and replies stand in the golden files: printable, one line.

#include "tests/commands_catalogue.h"

#include <array>
#include <cstdlib>
#include <fstream>

namespace holdfast::redis::testing {

inline std::string escaped(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) {
        if (c == '\r') {
            text += "\\r";
        } else if (c == '\n') {
            text += "\\n";
        } else if (c == '\\') {
            text += "\\\\";
        } else if (c >= ' ' && c <= '~') {
            text += c;
        } else {
            constexpr std::string_view digits = "0123456789abcdef";
            const auto byte = static_cast<unsigned char>(c);
            text += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        }
    }
    return text;
}

inline std::string unescaped(std::string_view text) {
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\') {
            bytes += text[i];
        } else if (text[++i] == 'x') {
            bytes += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            bytes += text[i] == 'r' ? '\r' : text[i] == 'n' ? '\n' : text[i];
        }
    }
    return bytes;
}

inline std::string travels(const AnyCommand& any) {
    constexpr std::array repeats{"read", "idempotent", "once"};
    constexpr std::array lanes{"shared", "blocking", "lease", "push"};
    std::string text = repeats.at(static_cast<std::size_t>(any.repeat()));
    text += std::string(" ") + lanes.at(static_cast<std::size_t>(any.lane()));
    text += any.on_error() == OnError::maybe_done ? " maybe_done" : "";
    text += any.bulky() ? " bulky" : "";
    if (any.keys() != 0) {
        text +=
            " keys " + std::to_string(any.keys()) + " from word " + std::to_string(any.first_key());
        text += any.key_step() == 1 ? "" : " step " + std::to_string(any.key_step());
        text += " slot " + std::to_string(any.slot());
    }
    return text;
}

// With HOLDFAST_GOLDEN=folder the tests write what they got there, to become the golden files.
inline bool wrote_golden(const std::string& name, const std::string& text) {
    const char* folder = std::getenv("HOLDFAST_GOLDEN");
    if (folder == nullptr) {
        return false;
    }
    std::ofstream(std::string(folder) + "/" + name) << "R\"golden(\n" << text << ")golden\"\n";
    return true;
}

}  // namespace holdfast::redis::testing
