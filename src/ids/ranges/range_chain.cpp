#include "ranges/range_chain.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/store/limits.h>

#include <algorithm>

namespace holdfast {
namespace {

std::int64_t distance_most(const SegmentOptions& options) {
    const std::int64_t in_one_call = limits::reserve_size_max / options.step();
    return std::max(options.safe_distance(), std::min(limits::distance_max, in_one_call));
}

std::int64_t stripe_numbers(const SegmentOptions& options) {
    return std::clamp<std::int64_t>(
        options.step() / limits::stripe_part, 1, limits::stripe_numbers_max
    );
}

}  // namespace

RangeChain::RangeChain(std::shared_ptr<ChainSetup> setup, RangeKey key, std::int64_t known_end)
    : ChainLine(
          setup->options.order() == SegmentOrder::relaxed &&
          setup->options.mode() != SegmentMode::direct
      ),
      setup_(std::move(setup)), key_(std::move(key)),
      stripe_numbers_(stripe_numbers(setup_->options)), known_end_(known_end),
      distance_(setup_->options.safe_distance(), distance_most(setup_->options), SteadyTime()),
      retry_pause_(limits::retry_pause_min), call_time_(limits::reserve_time_min),
      changed_(limits::waiting_tasks_max), work_(1) {}

void RangeChain::start() {
    if (direct() || halted()) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        started_ = true;
    }
    spawn(
        setup_->runtime,
        fetch_ahead(shared_from_this()),
        [self = shared_from_this()](const Result<Done>&) { self->fetching_ended(); },
        &stop_
    );
}

void RangeChain::fetching_ended() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify();
    finished_.set();
}

void RangeChain::forked() noexcept {
    halt_.store(Halt::forked, std::memory_order_seq_cst);
    if (!fault("ids.51")) {
        window_.shut();
    }
    if (stripes_ != nullptr) {
        for (RangeStripe& stripe : *stripes_) {
            stripe.shut();
        }
    }
}

void RangeChain::halt() {
    if (halt_.load(std::memory_order_acquire) == Halt::forked) {
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        halt_as(Halt::closed);
    }
    work_.notify();
    changed_.notify();
}

// Under the lock. A suspected rollback stays one.
void RangeChain::halt_as(Halt reason) {
    if (halted()) {
        return;
    }
    halt_.store(reason, std::memory_order_seq_cst);
    window_.shut();
    left_at_halt_ = 0;
    if (stripes_ != nullptr) {
        for (RangeStripe& stripe : *stripes_) {
            left_at_halt_ += stripe.left();
            stripe.shut();
        }
    }
    queue_.clear();
    ahead_ = 0;
}

Task<Done> RangeChain::ended(Deadline deadline) {
    for (;;) {
        const std::uint64_t seen = changed_.changes();
        if (has_ended()) {
            co_return Done();
        }
        if (auto waited = co_await changed_.wait(seen, deadline.time()); !waited.ok()) {
            stop_.request();
            co_return waited;
        }
    }
}

bool RangeChain::has_ended() const {
    const std::lock_guard lock(mutex_);
    return !started_ || ended_;
}

void RangeChain::finish() {
    if (halt_.load(std::memory_order_acquire) == Halt::forked) {
        return;  // the task is the parent's
    }
    halt();
    {
        const std::lock_guard lock(mutex_);
        if (!started_) {
            return;
        }
    }
    stop_.request();
    setup_->runtime.block(finished_);
}

std::int64_t RangeChain::known_end() const {
    const std::lock_guard lock(mutex_);
    return known_end_;
}

ChainFigures RangeChain::figures() const {
    ChainFigures figures;
    const Halt halt = halt_.load(std::memory_order_acquire);
    if (halt == Halt::forked) {
        figures.state = IdState::closed;
        return figures;
    }
    const std::lock_guard lock(mutex_);
    const std::uint64_t inside = std::max(start_, std::min(window_.cursor(), end_));
    std::uint64_t in_stripes = left_at_halt_;
    if (stripes_ != nullptr && halt == Halt::no) {
        for (const RangeStripe& stripe : *stripes_) {
            in_stripes += stripe.left();
        }
    }
    const std::uint64_t not_issued = skipped_ + dropped_ + in_stripes;
    const std::uint64_t taken = inside + direct_;
    figures.issued = taken > not_issued ? taken - not_issued : 0;
    const std::uint64_t gone =
        halt == Halt::no ? used_ + (inside - start_) + direct_ - in_stripes : reserved_;
    figures.burnt = gone > figures.issued ? gone - figures.issued : 0;
    figures.issued = issued_seen_ = std::max(issued_seen_, figures.issued);
    figures.burnt = burnt_seen_ = std::max(burnt_seen_, figures.burnt);
    if (halt == Halt::no) {  // else the runtime may be gone
        figures.distance = distance_.at(setup_->runtime.clock().steady_now());
        figures.prefetched = static_cast<std::int64_t>(end_ - inside + in_stripes) + ahead_;
    }
    figures.last = direct_last_;
    if (const std::uint64_t behind = inside > start_ ? inside : end_before_; behind > 0) {
        figures.last = static_cast<std::int64_t>(behind) - 1;
    }
    figures.state = halt == Halt::closed           ? IdState::closed
                    : halt == Halt::rollback       ? IdState::lost
                    : figures.prefetched > 0       ? IdState::issuing
                    : ending_ == Ending::sealed    ? IdState::sealed
                    : ending_ == Ending::exhausted ? IdState::exhausted
                    : direct() && answered_        ? IdState::issuing
                                                   : IdState::waiting;
    return figures;
}

}  // namespace holdfast
