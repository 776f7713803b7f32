#pragma once
// A clock that stands until it is set. Any thread.

#include <holdfast/base/time.h>

#include <atomic>

namespace holdfast {

class ManualClock final : public Clock {
public:
    void set(WallTime time) { wall_ms_ = time.time_since_epoch().count(); }
    SteadyTime steady_now() const override { return SteadyTime(); }
    WallTime wall_now() const override { return WallTime(Duration(wall_ms_.load())); }

private:
    std::atomic<Duration::rep> wall_ms_ = 0;
};

}  // namespace holdfast
