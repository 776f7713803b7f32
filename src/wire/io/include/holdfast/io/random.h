#pragma once
// Randomness comes in through this face: the system's in services, a seeded one on virtual time.

#include <cstddef>
#include <cstdint>
#include <span>

namespace holdfast {

class Random {
public:
    virtual ~Random() = default;
    virtual void fill(std::span<std::byte> bytes) = 0;
    virtual std::uint64_t next() = 0;
};

// The kernel's generator: fit for tokens and nonces. Any thread; lives as long as the program.
Random& system_random();

}  // namespace holdfast
