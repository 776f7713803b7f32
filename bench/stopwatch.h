#pragma once
// Seconds of the steady clock, with nanoseconds: the clocks of base count milliseconds.

#include <chrono>

namespace holdfast::bench {

class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace holdfast::bench
