#include "lease/tick_clock.h"

#include "lease/lease_limits.h"

namespace holdfast {

TickClock::TickClock(const Clock& clock, Source source, Reading reading)
    : shared_(std::make_shared<Shared>(clock, source)), exact_(reading == Reading::exact) {}

TickClock::~TickClock() {
    shared_->stopped.store(true, std::memory_order_relaxed);
}

std::int64_t TickClock::Shared::read() {
    const std::int64_t now = source == Source::wall
                                 ? clock->wall_now().time_since_epoch().count()
                                 : clock->steady_now().time_since_epoch().count() +
                                       offset.load(std::memory_order_relaxed);
    std::int64_t known = highest.load(std::memory_order_relaxed);
    while (now > known && !highest.compare_exchange_weak(known, now, std::memory_order_relaxed)) {
    }
    return now;
}

std::int64_t TickClock::busy_reading() {
    const std::int64_t now = shared_->read();
    Loop* const loop = loop_.load(std::memory_order_relaxed);
    if (exact_ || loop == nullptr) {
        return now;
    }
    if (busy_ms_.load(std::memory_order_relaxed) != now) {
        busy_ms_.store(now, std::memory_order_relaxed);
        busy_count_.store(0, std::memory_order_relaxed);
    } else if (busy_count_.fetch_add(1, std::memory_order_relaxed) == limits::tick_clock_busy &&
               !shared_->turning.exchange(true)) {
        spawn(*loop, turn(shared_), [](const Result<Done>&) {});
    }
    return now;
}

Task<Done> TickClock::turn(std::shared_ptr<Shared> shared) {
    const Scope& scope = co_await this_scope();
    for (int idle = 0; idle < limits::tick_clock_idle; ++idle) {
        if (shared->stopped.load(std::memory_order_relaxed)) {
            break;
        }
        shared->cached.store(shared->read(), std::memory_order_relaxed);
        const auto slept = co_await sleep(scope.loop().now() + Duration(1));
        if (!slept.ok()) {
            break;
        }
        if (shared->used.exchange(false, std::memory_order_relaxed)) {
            idle = 0;
        }
    }
    shared->cached.store(none, std::memory_order_relaxed);
    shared->turning.store(false);
    co_return Done();
}

void TickClock::anchor(StoreTime store_now, SteadyTime arrived) {
    (void)shared_->read();  // what was read until now counts, also where the clock goes back
    shared_->offset.store(
        store_now.time_since_epoch().count() - arrived.time_since_epoch().count(),
        std::memory_order_relaxed
    );
    if (shared_->cached.load(std::memory_order_relaxed) != none) {
        shared_->cached.store(shared_->read(), std::memory_order_relaxed);
    }
}

void TickClock::restart() {
    shared_->highest.store(none, std::memory_order_relaxed);
    (void)shared_->read();
}

}  // namespace holdfast
