#pragma once
// How long something took, for metrics; never for decisions.

#include <chrono>

namespace holdfast {

// Starts when it is made. Any thread, one at a time.
class Stopwatch {
public:
    Stopwatch();
    double seconds() const;

private:
    std::chrono::nanoseconds began_;
};

}  // namespace holdfast
