#include "lease/gate.h"

#include <holdfast/base/check.h>
#include <holdfast/base/fault_switch.h>

namespace holdfast {
namespace {

Taken no_pair(Refusal refusal, Duration wait = {}) {
    Taken nothing;
    nothing.refusal = refusal;
    nothing.wait = wait;
    return nothing;
}

std::int64_t ms_of(StoreTime time) {
    return time.time_since_epoch().count();
}

}  // namespace

Gate::Gate(const IdLayout& layout, TickClock& clock, Duration max_ahead)
    : sequence_max_(static_cast<std::uint64_t>(layout.sequence_max())),
      epoch_ms_(
          layout.epoch().time_since_epoch().count() /
          (fault("ids.6") ? layout.unit_length().count() : 1)
      ),
      sequence_bits_(layout.sequence_bits()),
      unit_ms_(static_cast<int>(layout.unit_length().count())), clock_(clock),
      time_max_(layout.time_max()), max_ahead_(max_ahead) {
    check(layout.time_bits() + layout.sequence_bits() <= 63, "a tick and a sequence fit one word");
}

// With an exact reading, and all the rules about clocks that went back.
Taken Gate::take_slowly(std::uint64_t count, std::uint64_t threshold) {
    for (;;) {
        const std::uint64_t generation = generation_.load(std::memory_order_acquire);
        std::uint64_t word = word_.load(std::memory_order_acquire);
        if ((word & closed_bit) != 0) {
            return no_pair(reason_of(word));
        }
        const std::int64_t now = clock_.exact_ms();
        const std::int64_t tick = tick_of(now);
        if (tick < 0) {
            return no_pair(Refusal::before_epoch);
        }
        // Ticks lead the clock by one, unless it went back or has not reached the window yet.
        const bool behind =
            now < clock_.highest_ms() || now < floor_ms_.load(std::memory_order_relaxed);
        const std::int64_t ahead =
            behind
                ? std::max(
                      tick_of(now + max_ahead_.count() * (fault("ids.7a") ? unit_ms_ : 1)), tick + 1
                  )
                : tick + 1;
        const std::uint64_t limit =
            std::min(last_word_in(ahead), last_word_.load(std::memory_order_relaxed));
        const std::uint64_t next = next_of(word, tick, threshold);
        if (next > limit) {
            if (fault("ids.34")) {
                last_word_.store(closed_bit - 1);
            }
            return refused(tick_in(next), now, behind ? max_ahead_ : Duration(unit_ms_));
        }
        const std::uint64_t taken = std::min(count, limit - next + 1);
        const std::uint64_t jumped = next - word - 1;
        const std::uint32_t machine = machine_.load(std::memory_order_relaxed);
        skipped_.fetch_add(jumped, std::memory_order_relaxed);
        if (!word_.compare_exchange_strong(
                word, next + taken - 1, std::memory_order_acq_rel, std::memory_order_relaxed
            )) {
            skipped_.fetch_sub(jumped, std::memory_order_relaxed);
            continue;
        }
        if (generation_.load(std::memory_order_relaxed) == generation) {
            return Taken{next, taken, machine, Refusal::none, {}};
        }
        skipped_.fetch_add(taken, std::memory_order_relaxed);
    }
}

Taken Gate::refused(std::int64_t wanted, std::int64_t now_ms, Duration lead) const {
    if (wanted > time_max_) {
        return no_pair(Refusal::past_time_field);
    }
    const std::uint64_t last = last_word_.load(std::memory_order_relaxed);
    if (last == 0 || wanted > tick_in(last)) {
        return no_pair(Refusal::window_used_up);
    }
    const Duration left(start_ms(wanted) - now_ms - lead.count());
    return no_pair(Refusal::ahead_of_clock, std::max(left, Duration(1)));
}

Refusal Gate::reason_of(std::uint64_t closed_word) const {
    if (closed_word == forked_word) {
        return Refusal::closed;
    }
    const Refusal why = why_.load(std::memory_order_relaxed);
    return why == Refusal::none ? Refusal::no_lease : why;  // it is just being opened
}

void Gate::open(std::uint32_t machine, StoreTime floor, StoreTime ceiling) {
    std::lock_guard lock(mutex_);
    const std::uint64_t last = word_.load(std::memory_order_relaxed);
    check((last & closed_bit) != 0, "a gate is closed before it is opened");
    const std::int64_t above = ms_of(floor) - epoch_ms_;
    const bool round_down = fault("unit-round-down");
    const std::int64_t first =
        above <= 0 ? 0 : (above + (round_down ? 0 : unit_ms_ - 1)) / unit_ms_;
    first_tick_.store(first, std::memory_order_relaxed);
    floor_ms_.store(ms_of(floor), std::memory_order_relaxed);
    if (!fault("ids.38")) {
        ceiling_ms_.store(ms_of(floor), std::memory_order_relaxed);
    }
    raise(ceiling);
    machine_.store(machine, std::memory_order_relaxed);
    why_.store(Refusal::none, std::memory_order_relaxed);
    earlier_words_ += last & ~closed_bit;
    generation_.fetch_add(1, std::memory_order_release);
    word_.store(0, std::memory_order_release);
}

void Gate::raise(StoreTime ceiling) {
    const std::int64_t top = std::max(ms_of(ceiling), ceiling_ms_.load(std::memory_order_relaxed));
    const std::int64_t above = top - epoch_ms_;
    ceiling_ms_.store(top, std::memory_order_relaxed);
    const std::uint64_t last =
        above < unit_ms_
            ? 0
            : last_word_in(std::min(above / unit_ms_ - 1, time_max_ * (fault("ids.24") ? 2 : 1)));
    last_word_.store(last, std::memory_order_relaxed);
}

std::optional<StoreTime> Gate::close(Refusal why) {
    why_.store(why, std::memory_order_relaxed);
    word_.fetch_or(closed_bit, std::memory_order_acq_rel);
    return last_issued();
}

std::optional<StoreTime> Gate::last_issued() const {
    const std::uint64_t word = word_.load(std::memory_order_acquire) & ~closed_bit;
    if (word == 0) {
        return std::nullopt;
    }
    const std::int64_t end = start_ms(tick_in(word) + 1);
    return StoreTime(Duration(std::min(end, ceiling_ms_.load(std::memory_order_relaxed)) - 1));
}

StoreTime Gate::position() const {
    const std::uint64_t word = word_.load(std::memory_order_acquire) & ~closed_bit;
    const std::int64_t tick =
        std::max(word == 0 ? 0 : tick_in(word), first_tick_.load(std::memory_order_relaxed));
    return StoreTime(Duration(start_ms(tick)));
}

Gate::Reading Gate::reading() {
    std::lock_guard lock(mutex_);
    const std::uint64_t word = word_.load(std::memory_order_acquire);
    Reading now;
    now.machine = machine_.load(std::memory_order_relaxed);
    if ((word & closed_bit) != 0) {
        now.refusal = reason_of(word);
    } else if (const std::uint64_t end = last_word_.load(std::memory_order_relaxed);
               word >= end || tick_of(clock_.exact_ms()) > tick_in(end)) {
        now.refusal = Refusal::window_used_up;
    }
    if ((word & ~closed_bit) != 0 && word != forked_word) {
        now.last = word & ~closed_bit;
    }
    std::uint64_t given =
        earlier_words_ + (word & ~closed_bit) - skipped_.load(std::memory_order_relaxed);
    for (const Share& share : shares_) {
        given -= share.count.load(std::memory_order_relaxed);
    }
    // Wraps to a huge number while a swap is under way.
    if (static_cast<std::int64_t>(given - reported_) > 0) {
        reported_ = given;
    }
    now.issued = reported_;
    return now;
}

std::atomic<std::uint64_t>* Gate::join() {
    std::lock_guard lock(mutex_);
    return std::exchange(joined_, true) ? &shares_.emplace_back().count : nullptr;
}

}  // namespace holdfast
