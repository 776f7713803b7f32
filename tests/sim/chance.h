#pragma once
// Draws that are the same with every standard library.

#include <holdfast/base/time.h>

#include <cstdint>
#include <random>

namespace holdfast::sim {

class Chance {
public:
    explicit Chance(std::mt19937_64& engine) : engine_(&engine) {}
    // low..high
    std::int64_t number(std::int64_t low, std::int64_t high) {
        return low +
               static_cast<std::int64_t>((*engine_)() % static_cast<std::uint64_t>(high - low + 1));
    }
    Duration ms(std::int64_t low, std::int64_t high) { return Duration(number(low, high)); }
    bool hits(double share) { return static_cast<double>((*engine_)() >> 11) * 0x1.0p-53 < share; }

private:
    std::mt19937_64* engine_;
};

}  // namespace holdfast::sim
