#pragma once
// How many ranges a chain keeps ahead of its callers.

#include "ranges/range_limits.h"

#include <holdfast/base/time.h>

#include <algorithm>
#include <cstdint>

namespace holdfast {

// Doubles when callers found nothing, halves when they did not for a while. Not thread-safe.
class PrefetchDistance {
public:
    // `most` is at least `safe`.
    PrefetchDistance(std::int64_t safe, std::int64_t most, SteadyTime now)
        : safe_(safe), most_(most), distance_(safe), changed_(now) {}

    void starved(SteadyTime now) {
        settle(now);
        distance_ = std::min(distance_ * 2, most_);
        changed_ = now;
    }
    // Callers were about to find nothing: the distance is right as it is.
    void pressed(SteadyTime now) {
        settle(now);
        changed_ = now;
    }
    std::int64_t at(SteadyTime now) {
        settle(now);
        return distance_;
    }

private:
    void settle(SteadyTime now) {
        while (distance_ > safe_ && now - changed_ >= limits::quiet_time) {
            distance_ = std::max(distance_ / 2, safe_);
            changed_ += limits::quiet_time;
        }
    }

    std::int64_t safe_;
    std::int64_t most_;
    std::int64_t distance_;
    SteadyTime changed_;
};

}  // namespace holdfast
