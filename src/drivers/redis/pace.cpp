#include "pace.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>

#include <algorithm>

namespace holdfast::redis {

void RefreshPace::begun(SteadyTime now) {
    begun_ = now;
    ever_begun_ = true;
    under_way_ = true;
    suspected_ = false;
    hurried_ = false;
    due_ = SteadyTime::max();
}

void RefreshPace::ended(SteadyTime now, bool learnt) {
    if (!under_way_) {
        return;
    }
    under_way_ = false;
    if (suspected_ || !learnt) {
        soon(now);
        return;
    }
    due_ = begun_ + refresh_pause_quiet + part_of(refresh_pause_quiet / 4);
}

void RefreshPace::suspect(SteadyTime now) {
    if (fault("redis.30")) {
        due_ = now;
        return;
    }
    suspected_ = true;
    if (!under_way_ && !hurried_ && ever_begun_) {
        soon(now);
    }
}

void RefreshPace::soon(SteadyTime now) {
    const SteadyTime spread = now + part_of(refresh_spread);
    const SteadyTime allowed = begun_ + refresh_pause_min + part_of(refresh_pause_min / 4);
    due_ = std::min(due_, std::max(spread, allowed));
    hurried_ = true;
}

Duration RefreshPace::part_of(Duration most) {
    const auto span = static_cast<std::uint64_t>(most.count()) + 1;
    return Duration(static_cast<std::int64_t>(random_->next() % span));
}

}  // namespace holdfast::redis
