#pragma once
// The one place where the ticks of a lease are given out (rules L5 and L6): a closed flag, a tick
// and a sequence in one atomic word, moved by compare-and-swap.
//
// Ids are unique because the word only grows while a lease lasts, and because ticks stay inside
// the window that the store has acknowledged. No clock takes part in that: a clock only chooses
// among the ticks of the window.

#include "lease/tick_clock.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/layout.h>
#include <holdfast/io/fork.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

namespace holdfast {

// Why nothing is given out.
enum class Refusal : std::uint8_t {
    none,
    no_lease,         // none yet, or it was lost
    window_used_up,   // the ceiling is reached; the next renewal raises it
    ahead_of_clock,   // the sequence of this tick is used up, or the clock is too far behind
    before_epoch,     // the clock is
    past_time_field,  // the clock is
    suspended,        // the store has lost a write
    closed,           // for ever
};

// `count` pairs of tick and sequence: the numbers from `first` on, each a tick since the epoch
// above the bits of a sequence.
struct Taken {
    std::uint64_t first = 0;
    std::uint64_t count = 0;  // 0: refused
    std::uint32_t machine = 0;
    Refusal refusal = Refusal::none;
    Duration wait{};  // ahead_of_clock: after which it may be asked again
};

// Any thread, unless a line says otherwise.
class Gate final : private ForkAware {
public:
    // Closed: no_lease. The clock outlives the gate.
    Gate(const IdLayout& layout, TickClock& clock, Duration max_ahead);
    ~Gate() override = default;

    // At least one and at most `count` (1 or more); fewer where the tick ends. A new tick goes on
    // with a sequence below the threshold. Never blocks.
    [[gnu::always_inline]] Taken take(std::uint64_t count, std::uint64_t threshold) {
        // The usual way: the clock is in the tick of the word, or one behind it.
        const std::uint64_t generation = generation_.load(std::memory_order_acquire);
        std::uint64_t word = word_.load(std::memory_order_acquire);
        const std::int64_t tick = tick_of(clock_.now_ms());
        const std::uint64_t limit =
            std::min(last_word_in(tick + 1), last_word_.load(std::memory_order_relaxed));
        const bool slow = fault("ids.50") || fault("ids.52");
        if (!slow && word < limit && tick_in(word) >= tick && tick >= 0 && word != 0) [[likely]] {
            const std::uint64_t taken = std::min(count, limit - word);
            const std::uint32_t machine = machine_.load(std::memory_order_relaxed);
            const std::uint64_t before = word;
            if (word_.compare_exchange_strong(
                    word, word + taken, std::memory_order_acq_rel, std::memory_order_relaxed
                )) [[likely]] {
                if (generation_.load(std::memory_order_relaxed) == generation) [[likely]] {
                    return Taken{before + 1, taken, machine, Refusal::none, {}};
                }
                skipped_.fetch_add(taken, std::memory_order_relaxed);
            }
        }
        return take_slowly(count, threshold);
    }

    // One thread at a time. Closed before. Ticks lie in [floor, ceiling).
    void open(std::uint32_t machine, StoreTime floor, StoreTime ceiling);
    void raise(StoreTime ceiling);
    // From here on nothing is given out. The last millisecond of the last tick used since open();
    // none: nothing was. Again: only the reason changes.
    std::optional<StoreTime> close(Refusal why);
    std::optional<StoreTime> last_issued() const;
    // The first millisecond that the next tick may have; the clock may be far below.
    StoreTime position() const;

    struct Reading {
        Refusal refusal = Refusal::none;    // as take() would say, as far as it lies in the lease
        std::optional<std::uint64_t> last;  // as Taken::first, of the lease that is open
        std::uint32_t machine = 0;
        std::uint64_t issued = 0;  // since the gate exists, by the first user
    };
    Reading reading();

    // A user of the gate that wants to know its own share. Null for the first: its share is what
    // is left of the gate's count, so the usual one user of a gate counts nothing.
    std::atomic<std::uint64_t>* join();

private:
    static constexpr std::uint64_t closed_bit = std::uint64_t{1} << 63U;
    // Only in a forked child: closed, and not to be opened.
    static constexpr std::uint64_t forked_word = ~std::uint64_t{0};

    void forked() noexcept override {
        word_.store(fault("ids.51") ? word_.load() : forked_word, std::memory_order_relaxed);
    }

    std::int64_t tick_of(std::int64_t ms) const {
        const std::int64_t since = ms - epoch_ms_;
        // Before the epoch any negative number says so.
        return unit_ms_ == 1 || since < 0 ? since : since / 1'000;
    }
    std::int64_t tick_in(std::uint64_t word) const {
        return static_cast<std::int64_t>(word >> sequence_bits_);
    }
    // Of a tick from -1 on.
    std::uint64_t last_word_in(std::int64_t tick) const {
        return ((static_cast<std::uint64_t>(tick) + 1) << sequence_bits_) - 1;
    }
    // A sequence that overflows goes on with 0 in the tick after it: the two are one number.
    std::uint64_t next_of(std::uint64_t word, std::int64_t tick, std::uint64_t threshold) const {
        const std::int64_t start = std::max(tick, first_tick_.load(std::memory_order_relaxed));
        if (start < tick_in(word) && (fault("ids.33") || fault("ids.41"))) {
            return fault("ids.41") ? word & ~sequence_max_
                                   : static_cast<std::uint64_t>(start) << sequence_bits_ | 1;
        }
        if (start <= tick_in(word)) {
            return fault("ids.52")   ? word
                   : fault("ids.50") ? (word & ~sequence_max_) | ((word + 1) & sequence_max_)
                                     : word + 1;
        }
        const std::uint64_t before = word & sequence_max_;
        const std::uint64_t sequence = before >= threshold || fault("ids.42") ? 0 : before;
        return static_cast<std::uint64_t>(start) << sequence_bits_ |
               ((sequence + 1) & sequence_max_);
    }
    Taken take_slowly(std::uint64_t count, std::uint64_t threshold);
    Taken refused(std::int64_t wanted, std::int64_t now_ms, Duration lead) const;
    Refusal reason_of(std::uint64_t closed_word) const;
    std::int64_t start_ms(std::int64_t tick) const { return epoch_ms_ + tick * unit_ms_; }

    // One cache line: all of it is read on every call, and the word is written.
    alignas(64) std::atomic<std::uint64_t> word_ = closed_bit;
    // Grows with each lease. A swap that finds another one than it began with has hit the word of a
    // lease whose window it does not know: what it took is burnt.
    std::atomic<std::uint64_t> generation_ = 0;
    std::atomic<std::uint64_t> last_word_ = 0;  // of the last tick in the window; 0: none
    std::atomic<std::int64_t> first_tick_ = 0;
    std::atomic<std::uint32_t> machine_ = 0;
    std::atomic<Refusal> why_ = Refusal::no_lease;
    std::uint64_t sequence_max_;
    std::int64_t epoch_ms_;
    int sequence_bits_;
    int unit_ms_;

    alignas(64) TickClock& clock_;
    std::atomic<std::int64_t> floor_ms_ = 0;
    std::atomic<std::int64_t> ceiling_ms_ = 0;
    // What the word has jumped over. Added before the swap and taken back if that fails: so the
    // number given out is never counted too high.
    std::atomic<std::uint64_t> skipped_ = 0;
    std::int64_t time_max_;
    Duration max_ahead_;

    // A cache line each: users of one gate are on different threads.
    struct Share {
        alignas(64) std::atomic<std::uint64_t> count = 0;
    };
    std::mutex mutex_;  // of all below, and of open()
    std::deque<Share> shares_;
    bool joined_ = false;
    std::uint64_t earlier_words_ = 0;  // the sum of the last words of earlier leases
    std::uint64_t reported_ = 0;
};

}  // namespace holdfast
