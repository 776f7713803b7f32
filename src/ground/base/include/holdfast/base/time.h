#pragma once
// Three clocks that cannot be mixed up: ours (steady), the calendar's (wall), and the store's.

#include <chrono>

namespace holdfast {

using Duration = std::chrono::milliseconds;

struct StoreClock {
    using rep = Duration::rep;
    using period = Duration::period;
    using duration = Duration;
    using time_point = std::chrono::time_point<StoreClock, Duration>;
    static constexpr bool is_steady = false;
};

// Steady here means CLOCK_BOOTTIME: it runs on while the host sleeps.
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Duration>;
using WallTime = std::chrono::time_point<std::chrono::system_clock, Duration>;
using StoreTime = StoreClock::time_point;

// The only source of "now". Tests drive it by hand; nothing else may call std::chrono::*::now().
class Clock {
public:
    virtual ~Clock() = default;
    virtual SteadyTime steady_now() const = 0;
    virtual WallTime wall_now() const = 0;
};

// The host's clocks. Any thread; lives as long as the program.
const Clock& system_clock();

// The time at which a call must have ended, on the steady clock. Computed once, passed down.
// There is no default and no "forever": whoever asks says how long the answer is worth waiting for.
class Deadline {
public:
    static Deadline at(SteadyTime time) { return Deadline(time); }
    static Deadline in(Duration duration, SteadyTime now) { return Deadline(now + duration); }
    static Deadline in(Duration duration, const Clock& clock) {
        return in(duration, clock.steady_now());
    }

    SteadyTime time() const { return at_; }
    bool passed(SteadyTime now) const { return at_ <= now; }
    // Never negative.
    Duration left(SteadyTime now) const { return at_ <= now ? Duration::zero() : at_ - now; }
    Deadline sooner(Deadline other) const { return other.at_ < at_ ? other : *this; }

private:
    explicit Deadline(SteadyTime at) : at_(at) {}
    SteadyTime at_;
};

}  // namespace holdfast
