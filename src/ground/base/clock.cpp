#include <holdfast/base/time.h>

#include <ctime>

namespace holdfast {
namespace {

Duration read(clockid_t id) {
    timespec time{};
    clock_gettime(id, &time);
    return std::chrono::seconds(time.tv_sec) +
           std::chrono::floor<Duration>(std::chrono::nanoseconds(time.tv_nsec));
}

class SystemClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(read(CLOCK_BOOTTIME)); }
    WallTime wall_now() const override { return WallTime(read(CLOCK_REALTIME)); }
};

}  // namespace

const Clock& system_clock() {
    static const SystemClock clock;
    return clock;
}

}  // namespace holdfast
