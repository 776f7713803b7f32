#include <holdfast/codec/base64url.h>

#include <array>
#include <cstdint>

namespace holdfast {
namespace {

constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint8_t no_digit = 0xff;

constexpr std::array<std::uint8_t, 256> make_values() {
    std::array<std::uint8_t, 256> values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}

constexpr std::array<std::uint8_t, 256> values = make_values();

}  // namespace

std::string base64url(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t bits = 0;
    int held = 0;  // of bits: how many are not written yet
    for (char c : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(c);
        held += 8;
        while (held >= 6) {
            held -= 6;
            out += digits[bits >> held & 63];
        }
    }
    if (held > 0) {
        out += digits[bits << (6 - held) & 63];
    }
    return out;
}

std::optional<std::string> parse_base64url(std::string_view text) {
    if (text.size() % 4 == 1) {
        return std::nullopt;
    }
    std::string out;
    out.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    int held = 0;
    for (char c : text) {
        const std::uint8_t digit = values[static_cast<unsigned char>(c)];
        if (digit == no_digit) {
            return std::nullopt;
        }
        bits = bits << 6 | digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out += static_cast<char>(bits >> held & 0xff);
        }
    }
    const bool trailing_bits = (bits & ((1u << held) - 1)) != 0;
    return trailing_bits ? std::nullopt : std::optional(std::move(out));
}

}  // namespace holdfast
