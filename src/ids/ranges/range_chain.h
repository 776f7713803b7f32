#pragma once
// The numbers of one range key: a range in use, ranges that wait behind it, and the task that
// fetches the next. Takers meet on one atomic counter; whatever happens once a range is behind one
// lock.

#include "ranges/chain_meters.h"
#include "ranges/prefetch_distance.h"
#include "ranges/range_stripes.h"
#include "ranges/thread_index.h"
#include "ranges/wait_list.h"

#include <holdfast/ids/options.h>
#include <holdfast/ids/range_window.h>
#include <holdfast/io/fork.h>
#include <holdfast/io/runtime.h>
#include <holdfast/observe/log.h>
#include <holdfast/store/range_store.h>

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace holdfast {

// What all chains of one generator share; it outlives them.
struct ChainSetup {
    ChainSetup(
        SegmentOptions segment, RangeStore& ranges, Runtime& loops, Log& records, ChainMeters counts
    )
        : options(std::move(segment)), store(ranges), runtime(loops), log(records), meters(counts) {
    }

    SegmentOptions options;
    RangeStore& store;
    Runtime& runtime;
    Log& log;
    ChainMeters meters;
};

// Whether waiting for the store may help.
inline bool may_pass(const Error& error) {
    return error.code() == Code::overloaded || error.code() == Code::unreachable;
}

struct ChainFigures {
    IdState state = IdState::waiting;
    std::uint64_t issued = 0;
    std::uint64_t burnt = 0;
    std::int64_t prefetched = 0;
    std::int64_t distance = 0;
    std::optional<std::int64_t> last;
};

// What takers touch. A base that is made before its chain is known to the registry of forks: that
// may look at it at any time.
class ChainLine {
protected:
    enum class Halt : std::uint8_t { no, closed, rollback, forked };

    explicit ChainLine(bool relaxed)
        : stripes_(relaxed ? std::make_unique<RangeStripes>() : nullptr) {}
    ~ChainLine() = default;

    RangeWindow window_;
    const std::unique_ptr<RangeStripes> stripes_;
    std::atomic<Halt> halt_ = Halt::no;
};

// Any thread, unless a line says otherwise. Held by its users and by its own task; store, runtime
// and log are used until finish() has returned.
class RangeChain final : private ChainLine,
                         private ForkAware,
                         public std::enable_shared_from_this<RangeChain> {
public:
    // `known_end`: the end of the highest range of this key that this process has seen.
    RangeChain(std::shared_ptr<ChainSetup> setup, RangeKey key, std::int64_t known_end);

    // Starts what fetches. Once; before the first number is asked for.
    void start();
    // Until the store has answered or failed once, the deadline, or the end.
    Task<Done> first_answer(Deadline deadline);

    Result<std::int64_t> next() {
        std::uint64_t number = 0;
        if (stripes_ != nullptr) {
            if (const std::size_t index = known_thread_index;
                index != no_thread_index && (*stripes_)[index].take(number)) [[likely]] {
                return static_cast<std::int64_t>(number);
            }
            return next_of_thread();
        }
        if (const auto taken = window_.take(number); taken == RangeWindow::Taken::good) [[likely]] {
            return static_cast<std::int64_t>(number);
        } else {
            return next_slowly(taken, number);
        }
    }
    // After the window's take() was not good.
    Result<std::int64_t> next_slowly(RangeWindow::Taken taken, std::uint64_t number);
    // Null: threads have parts of their own, or each number is a call of the store.
    RangeWindow* window() { return stripes_ != nullptr || direct() ? nullptr : &window_; }
    // What a taker hears that found nothing.
    Error why_not() const;
    // Fills the beginning of `ids`, as far as there is something in hand.
    Result<std::size_t> next(std::span<std::int64_t> ids);
    // Waits for the store; at least one unless it answers an error, in which case none was taken.
    Task<std::size_t> next_some(std::span<std::int64_t> ids, Deadline deadline);
    // All or none.
    Task<Done> fill(std::span<std::int64_t> ids, Deadline deadline);
    // For a task that looks by itself: seen = changes(); look; then wait_since(seen). Never Done
    // without a change.
    std::uint64_t changes() const { return changed_.changes(); }
    Task<Done> wait_since(std::uint64_t seen, Deadline deadline);
    // Numbers that were taken and will not be used.
    void burn(std::size_t numbers);

    // From here on every verb answers `closed`; what is in hand is burnt, what fetches ends.
    void halt();
    // Of the task that fetches, after halt(); at the deadline it is asked to stop.
    Task<Done> ended(Deadline deadline);
    bool has_ended() const;
    // The same without a deadline. Not on a loop thread.
    void finish();

    const RangeKey& key() const { return key_; }
    bool direct() const { return setup_->options.mode() == SegmentMode::direct; }
    std::int64_t known_end() const;
    ChainFigures figures() const;
    bool halted() const { return halt_.load(std::memory_order_acquire) != Halt::no; }
    bool rollback_suspected() const {
        return halt_.load(std::memory_order_acquire) == Halt::rollback;
    }

private:
    enum class Ending : std::uint8_t { none, sealed, exhausted };
    enum class Found : std::uint8_t { number, range, nothing };
    struct Order {  // what the fetching task does next
        bool stop = false;
        std::int64_t size = 0;  // 0: wait
        Duration time{};
        SteadyTime until = SteadyTime::max();
        std::int64_t known_end = 0;
    };

    bool ahead_of_callers() const { return setup_->options.mode() == SegmentMode::chain; }

    // range_taking.cpp
    Result<std::int64_t> next_of_thread();
    bool refill(RangeStripe& stripe);
    Found look(std::optional<std::uint64_t>& held);
    bool open_next_range();

    // range_fetching.cpp
    static Task<Done> fetch_ahead(std::shared_ptr<RangeChain> self);
    Order decide(SteadyTime now);
    Order wait_or_fetch(SteadyTime now);
    void arrived(const Result<ReserveOutcome>& answer, const Order& order, SteadyTime now);
    void take_in(const Range& range, const Order& order);
    bool refused(const Range& range, const Order& order);
    void failed(const Error& error, const Order& order, SteadyTime now);
    void count_failure(const Error& error);
    void halt_as(Halt reason);
    bool wants_fetch() const;
    void fetching_ended();

    // range_direct.cpp
    Task<Done> reserve_exactly(std::span<std::int64_t> ids, Deadline deadline);
    Result<Done>
    accept_direct(const ReserveOutcome& answer, const Order& order, std::span<std::int64_t> ids);

    void forked() noexcept override;

    const std::shared_ptr<ChainSetup> setup_;
    const RangeKey key_;
    const std::int64_t stripe_numbers_;

    mutable std::mutex mutex_;
    std::deque<Range> queue_;  // behind the range in use, in order; at most one for each step
    std::int64_t ahead_ = 0;   // numbers in the queue
    std::uint64_t start_ = 0;  // of the range in use
    std::uint64_t end_ = 0;    // the same
    std::uint64_t end_before_ = 0;
    std::int64_t known_end_ = 0;  // of all ranges the store has answered
    std::uint64_t skipped_ = 0;   // values the cursor jumped over
    std::uint64_t used_ = 0;      // numbers of the ranges before the one in use
    std::uint64_t dropped_ = 0;   // taken and not given out
    std::uint64_t reserved_ = 0;
    std::uint64_t direct_ = 0;  // given out by direct calls
    std::optional<std::int64_t> direct_last_;
    std::uint64_t left_at_halt_ = 0;         // in hand then
    mutable std::uint64_t issued_seen_ = 0;  // counters never fall
    mutable std::uint64_t burnt_seen_ = 0;
    mutable PrefetchDistance distance_;
    std::int64_t refill_at_ = 0;  // numbers ahead at which the next are fetched
    Ending ending_ = Ending::none;
    std::optional<Code> failure_;  // of the last call, if it failed
    std::string_view failure_text_;
    Duration retry_pause_{};
    SteadyTime retry_at_{};         // while nobody waits
    SteadyTime retry_wanted_at_{};  // while somebody does
    Duration call_time_;
    bool hungry_ = false;  // a taker found nothing since the last fetch began
    bool fetching_ = false;
    bool one_step_ = false;  // more did not fit below 2^63
    bool answered_ = false;
    bool started_ = false;
    bool ended_ = false;

    WaitList changed_;  // takers
    WaitList work_;     // the task that fetches
    Stop stop_;
    Signal finished_;
};

}  // namespace holdfast
