#pragma once
// Both clocks stand until they are set. Any thread.

#include <holdfast/base/time.h>

#include <atomic>

namespace holdfast {

class ManualClock final : public Clock {
public:
    void set_wall(WallTime time) { wall_ms_ = time.time_since_epoch().count(); }
    void advance_steady(Duration by) { steady_ms_ += by.count(); }
    SteadyTime steady_now() const override { return SteadyTime(Duration(steady_ms_.load())); }
    WallTime wall_now() const override { return WallTime(Duration(wall_ms_.load())); }

private:
    std::atomic<Duration::rep> wall_ms_ = 0;
    std::atomic<Duration::rep> steady_ms_ = 0;
};

}  // namespace holdfast
