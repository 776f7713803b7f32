#include <holdfast/codec/radix.h>

#include <array>
#include <limits>

namespace holdfast {
namespace {

constexpr std::string_view digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
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

bool append_radix(std::string& out, std::uint64_t value, Radix radix, std::size_t width) {
    const std::uint64_t base = static_cast<std::uint64_t>(radix);
    std::array<char, 13> text;
    std::size_t at = text.size();
    do {
        text[--at] = digits[value % base];
        value /= base;
    } while (value != 0);
    const std::size_t count = text.size() - at;
    if (width != 0 && count > width) {
        return false;
    }
    if (width > count) {
        out.append(width - count, '0');
    }
    out.append(text.data() + at, count);
    return true;
}

std::optional<std::uint64_t> parse_radix(std::string_view text, Radix radix) {
    const std::uint64_t base = static_cast<std::uint64_t>(radix);
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    if (text.empty() || text.size() > radix_digits_max(radix)) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (char c : text) {
        const std::uint64_t digit = values[static_cast<unsigned char>(c)];
        if (digit >= base || value > (last - digit) / base) {
            return std::nullopt;
        }
        value = value * base + digit;
    }
    return value;
}

}  // namespace holdfast
