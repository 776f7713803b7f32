#pragma once
// The clock that ticks come from (rule L9): the store's, carried on by the steady clock since its
// last answer arrived; or, for a manual machine, the wall clock.

#include <holdfast/base/time.h>
#include <holdfast/io/runtime.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>

namespace holdfast {

// Milliseconds since 1970. Any thread, unless a line says otherwise.
class TickClock {
public:
    enum class Source : std::uint8_t { anchored, wall };
    // A loop reads the clock once a millisecond while readers are busy: an exact reading costs ten
    // times an id. `exact` never does that: virtual time has no use for it.
    enum class Reading : std::uint8_t { cached, exact };

    TickClock(const Clock& clock, Source source, Reading reading);
    TickClock(const TickClock&) = delete;
    TickClock& operator=(const TickClock&) = delete;
    ~TickClock();

    // Behind the truth by a millisecond or two, more where the loop is blocked; never ahead.
    std::int64_t now_ms() {
        const std::int64_t cached = shared_->cached.load(std::memory_order_relaxed);
        if (cached != none) {
            if (!shared_->used.load(std::memory_order_relaxed)) {
                shared_->used.store(true, std::memory_order_relaxed);
            }
            return cached;
        }
        return busy_reading();
    }
    std::int64_t exact_ms() { return shared_->read(); }
    // The highest exact reading since the last restart.
    std::int64_t highest_ms() const { return shared_->highest.load(std::memory_order_relaxed); }

    // One thread at a time, that of the loop once it is known. Without an anchor the steady clock
    // itself is read.
    void run_on(Loop& loop) { loop_.store(&loop, std::memory_order_relaxed); }
    void anchor(StoreTime store_now, SteadyTime arrived);
    // Earlier readings no longer count.
    void restart();

private:
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::min();

    struct Shared {
        Shared(const Clock& from, Source kind) : clock(&from), source(kind) {}
        std::int64_t read();

        // Read by all on their way; written once a millisecond.
        alignas(64) std::atomic<std::int64_t> cached = none;
        std::atomic<bool> used = false;
        std::atomic<std::int64_t> highest = none;
        std::atomic<std::int64_t> offset = 0;
        std::atomic<bool> turning = false;
        std::atomic<bool> stopped = false;
        const Clock* clock;
        Source source;
    };

    static Task<Done> turn(std::shared_ptr<Shared> shared);
    std::int64_t busy_reading();

    std::shared_ptr<Shared> shared_;
    std::atomic<Loop*> loop_ = nullptr;
    std::atomic<std::int64_t> busy_ms_ = none;
    std::atomic<int> busy_count_ = 0;
    const bool exact_;
};

}  // namespace holdfast
