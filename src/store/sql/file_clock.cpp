#include "file_clock.h"

#include "meta_rows.h"

#include <holdfast/store/limits.h>

#include <algorithm>
#include <utility>

namespace holdfast {

Result<Done> FileClock::read(SqlConnection& connection) {
    auto stored = read_meta(connection, meta_mark);
    if (!stored.ok()) {
        return std::move(stored).error();
    }
    const std::int64_t mark = stored.value().value_or(0);
    if (mark < 0 || mark > limits::stored_time_max) {
        return Error(Code::corrupt, Effect::none, "the mark of the store's clock is out of range");
    }
    mark_ = StoreTime(Duration(mark));
    const SteadyTime now = clock_->steady_now();
    if (!std::exchange(based_, true) || *mark_ > base_ + (now - base_at_)) {
        base_ = *mark_;
        base_at_ = now;
    }
    return Done();
}

Result<StoreTime> FileClock::now(SqlConnection& connection) {
    if (!keeps_mark_) {
        return StoreTime(clock_->wall_now().time_since_epoch());
    }
    if (!mark_.has_value()) {
        auto known = read(connection);
        if (!known.ok()) {
            return std::move(known).error();
        }
        answered_ = *mark_;
    }
    const StoreTime wall(clock_->wall_now().time_since_epoch());
    const StoreTime outrun = base_ + (clock_->steady_now() - base_at_);
    // Within a transaction it never falls either, whatever the clocks do.
    answered_ = std::max({answered_, wall, outrun});
    return answered_;
}

Result<Done> FileClock::keep(SqlConnection& connection) {
    if (!mark_.has_value() || answered_ <= *mark_) {
        return Done();
    }
    const auto kept =
        std::min<std::int64_t>(answered_.time_since_epoch().count(), limits::stored_time_max);
    return write_meta(connection, meta_mark, kept);
}

}  // namespace holdfast
