#pragma once
// A hash of short texts under a secret seed: whoever chooses the keys cannot choose where they
// meet. Not for anything that leaves the process.
//
// The folded multiplication of wyhash (Wang Yi, public domain): the two halves of a 128-bit
// product, joined by xor.

#include <cstdint>
#include <cstring>
#include <string_view>

namespace holdfast::redis {

inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

inline std::uint64_t key_hash(std::string_view key, std::uint64_t seed) {
    constexpr std::uint64_t odd_1 = 0xa0761d6478bd642fU;
    constexpr std::uint64_t odd_2 = 0xe7037ed1a0b428dbU;
    const auto eight = [](const char* at) {
        std::uint64_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return value;
    };
    const auto four = [](const char* at) {
        std::uint32_t value = 0;
        std::memcpy(&value, at, sizeof value);
        return std::uint64_t{value};
    };
    const char* at = key.data();
    std::size_t left = key.size();
    std::uint64_t state = seed ^ odd_1;
    for (; left > 16; left -= 16, at += 16) {
        state = folded_product(eight(at) ^ odd_1, eight(at + 8) ^ state);
    }
    // The last one to sixteen bytes, some of them read twice.
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    if (left >= 8) {
        a = eight(at);
        b = eight(at + left - 8);
    } else if (left >= 4) {
        a = four(at);
        b = four(at + left - 4);
    } else if (left != 0) {
        a = static_cast<std::uint64_t>(static_cast<unsigned char>(at[0])) << 16U |
            static_cast<std::uint64_t>(static_cast<unsigned char>(at[left / 2])) << 8U |
            static_cast<unsigned char>(at[left - 1]);
    }
    state = folded_product(a ^ odd_2, b ^ state);
    return folded_product(state ^ odd_1, key.size() ^ odd_2);
}

}  // namespace holdfast::redis
