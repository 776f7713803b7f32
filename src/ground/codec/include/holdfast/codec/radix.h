#pragma once
// Numbers in radix 36 and 62 with CosId's digits: 0-9, A-Z, a-z, the most significant first.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

enum class Radix : std::uint8_t { r36 = 36, r62 = 62 };

// Digits of the largest 64-bit number.
constexpr std::size_t radix_digits_max(Radix radix) {
    return radix == Radix::r36 ? 13 : 11;
}

// Appends exactly `width` digits, or as many as needed if `width` is 0. False, and `out` as it was,
// if the value is wider. Padded to one width, the order of the texts is the order of the numbers.
bool append_radix(std::string& out, std::uint64_t value, Radix radix, std::size_t width = 0);

// Writes exactly `width` digits at `to`, zeros first. False, and nothing written, if the value is
// wider.
bool write_radix(char* to, std::size_t width, std::uint64_t value, Radix radix);

// The number, or nothing if the text is empty, longer than radix_digits_max, above 2^64-1, or has a
// character that is no digit of this radix (radix 36: capitals only). Zeros may lead; whoever wants
// a fixed width checks the length.
std::optional<std::uint64_t> parse_radix(std::string_view text, Radix radix);

}  // namespace holdfast
