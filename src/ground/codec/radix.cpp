#include <holdfast/codec/radix.h>

#include <array>
#include <cstring>

namespace holdfast {
namespace {

constexpr std::string_view digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr std::uint8_t no_digit = 0xff;
constexpr std::size_t digits_max = radix_digits_max(Radix::r36);

constexpr std::array<std::uint8_t, 256> make_values() {
    std::array<std::uint8_t, 256> values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}

constexpr std::array<std::uint8_t, 256> values = make_values();

// Everything below knows its base at compile time: a division is then a multiplication.
template <std::uint32_t base>
struct Table {
    static constexpr std::uint32_t two = base * base;
    static constexpr std::uint32_t four = two * two;

    // All texts of two digits, one after the other.
    static constexpr auto pairs = [] {
        std::array<char, std::size_t{2} * two> made{};
        for (std::size_t i = 0; i < two; ++i) {
            made[2 * i] = digits[i / base];
            made[2 * i + 1] = digits[i % base];
        }
        return made;
    }();
    // powers[n] is the first number of n + 1 digits, as far as 64 bits go.
    static constexpr auto powers = [] {
        std::array<std::uint64_t, radix_digits_max(Radix{base})> made{};
        made[0] = 1;
        for (std::size_t i = 1; i < made.size(); ++i) {
            made[i] = made[i - 1] * base;
        }
        return made;
    }();
};

template <std::uint32_t base>
bool fits(std::uint64_t value, std::size_t width) {
    return width >= Table<base>::powers.size() || value < Table<base>::powers[width];
}

template <std::uint32_t base>
std::size_t count_digits(std::uint64_t value) {
    std::size_t count = 1;
    while (!fits<base>(value, count)) {
        ++count;
    }
    return count;
}

template <std::uint32_t base>
void write_two(char* to, std::uint32_t value) {
    std::memcpy(to, &Table<base>::pairs[std::size_t{2} * value], 2);
}

// Four digits a step: a step waits for one multiplication of 64 bits alone.
template <std::uint32_t base>
void write(char* to, std::size_t width, std::uint64_t value) {
    using Of = Table<base>;
    while (width >= 4) {
        width -= 4;
        const auto low = static_cast<std::uint32_t>(value % Of::four);
        value /= Of::four;
        write_two<base>(to + width, low / Of::two);
        write_two<base>(to + width + 2, low % Of::two);
    }
    auto rest = static_cast<std::uint32_t>(value);
    if (width >= 2) {
        width -= 2;
        write_two<base>(to + width, rest % Of::two);
        rest /= Of::two;
    }
    if (width == 1) {
        *to = digits[rest];
    }
}

template <std::uint32_t base>
bool append(std::string& out, std::uint64_t value, std::size_t width) {
    if (width == 0) {
        width = count_digits<base>(value);
    } else if (!fits<base>(value, width)) {
        return false;
    }
    std::array<char, digits_max> text;
    if (width > text.size()) {
        out.append(width - text.size(), '0');
        width = text.size();
    }
    write<base>(text.data(), width, value);
    out.append(text.data(), width);
    return true;
}

template <std::uint32_t base>
std::optional<std::uint64_t> parse(std::string_view text) {
    std::uint64_t value = 0;
    for (const char c : text) {
        const std::uint64_t digit = values[static_cast<unsigned char>(c)];
        if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            return std::nullopt;
        }
    }
    return value;
}

}  // namespace

bool append_radix(std::string& out, std::uint64_t value, Radix radix, std::size_t width) {
    return radix == Radix::r62 ? append<62>(out, value, width) : append<36>(out, value, width);
}

bool write_radix(char* to, std::size_t width, std::uint64_t value, Radix radix) {
    const bool is_62 = radix == Radix::r62;
    if (!(is_62 ? fits<62>(value, width) : fits<36>(value, width))) {
        return false;
    }
    is_62 ? write<62>(to, width, value) : write<36>(to, width, value);
    return true;
}

std::optional<std::uint64_t> parse_radix(std::string_view text, Radix radix) {
    if (text.empty() || text.size() > radix_digits_max(radix)) {
        return std::nullopt;
    }
    return radix == Radix::r62 ? parse<62>(text) : parse<36>(text);
}

}  // namespace holdfast
