#pragma once
// SipHash-2-4 under a key that nobody outside knows: strangers cannot choose texts that collide.
// https://www.aumasson.jp/siphash/siphash.pdf

#include <array>
#include <cstdint>
#include <string_view>

namespace holdfast {

// Read only once made: any thread.
class KeyedHash {
public:
    using Key = std::array<std::uint64_t, 2>;
    explicit KeyedHash(Key key) : key_(key) {}
    // With a key from the system's random numbers.
    static KeyedHash fresh();

    std::uint64_t of(std::string_view text) const;

private:
    Key key_;
};

}  // namespace holdfast
