// What fetches ranges: one reservation at a time, so that they come in the order of their starts.

#include "ranges/range_chain.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/store/limits.h>

#include <algorithm>

namespace holdfast {
namespace {

// Between three and five quarters, so that processes that lost the same store do not come together.
Duration spread(Duration pause, Random& random) {
    const auto quarter = static_cast<std::uint64_t>(pause.count()) / 4;
    return Duration(static_cast<std::int64_t>(3 * quarter + random.next() % (2 * quarter + 1)));
}

}  // namespace

Task<Done> RangeChain::fetch_ahead(std::shared_ptr<RangeChain> self) {
    Loop& loop = (co_await this_scope()).loop();
    for (;;) {
        const std::uint64_t seen = self->work_.changes();
        const Order order = self->decide(loop.now());
        if (order.stop) {
            co_return Done();
        }
        if (order.size == 0) {
            auto waited = co_await self->work_.wait(seen, order.until);
            if (!waited.ok() && waited.error().code() == Code::cancelled) {
                co_return waited;
            }
            continue;
        }
        ReserveRequest request(self->key_, order.size, self->setup_->options.offset());
        const Deadline deadline = Deadline::in(order.time, loop.now());
        auto answer = co_await self->setup_->store.reserve(std::move(request), deadline);
        self->arrived(answer, order, loop.now());
        if (!answer.ok() && answer.error().code() == Code::cancelled) {
            co_return std::move(answer).error();
        }
    }
}

// Under the lock. `plain` fetches when somebody found nothing, `chain` when half of the distance is
// gone: then one reservation brings the other half.
bool RangeChain::wants_fetch() const {
    if (fetching_ || ending_ != Ending::none || halted()) {
        return false;
    }
    return ahead_of_callers() ? ahead_ <= refill_at_ : hungry_ && ahead_ == 0;
}

RangeChain::Order RangeChain::decide(SteadyTime now) {
    const std::lock_guard lock(mutex_);
    Order order;
    order.stop = halted() || ending_ != Ending::none;
    if (order.stop) {
        return order;
    }
    order = wait_or_fetch(now);
    if (order.size > 0) {
        fetching_ = true;
        hungry_ = false;
        order.time = call_time_;
        order.known_end = known_end_;
    }
    return order;
}

RangeChain::Order RangeChain::wait_or_fetch(SteadyTime now) {
    Order order;
    const std::int64_t step = setup_->options.step();
    if (failure_.has_value()) {
        order.until = fault("ids.27") ? SteadyTime::max() : hungry_ ? retry_wanted_at_ : retry_at_;
        if (now < order.until) {
            return order;
        }
    } else if (hungry_ && answered_) {
        distance_.starved(now);
    }
    refill_at_ = distance_.at(now) * step / 2;
    // A failed call is made again unasked: callers that come later find ranges, not an error.
    if (!wants_fetch() && !failure_.has_value()) {
        order.until = SteadyTime::max();
        return order;
    }
    if (one_step_ || !ahead_of_callers()) {
        order.size = step;
    } else {
        const std::int64_t missing = distance_.at(now) - (fault("ids.40") ? 0 : ahead_ / step);
        order.size =
            step * std::clamp<std::int64_t>(
                       missing, 1, std::max<std::int64_t>(1, limits::reserve_size_max / step)
                   );
    }
    return order;
}

void RangeChain::arrived(const Result<ReserveOutcome>& answer, const Order& order, SteadyTime now) {
    {
        const std::lock_guard lock(mutex_);
        fetching_ = false;
        if (!answer.ok()) {
            failed(answer.error(), order, now);
        } else {
            if (failure_.has_value()) {
                setup_->log.info(
                    "ids_range_back", "the store gives ranges again", {{"key", key_.text()}}
                );
            }
            failure_.reset();
            retry_pause_ = limits::retry_pause_min;
            if (const auto* range = std::get_if<Range>(&answer.value())) {
                if (answered_ && ahead_ == 0) {
                    distance_.pressed(now);
                }
                take_in(*range, order);
            } else if (std::holds_alternative<RangeSealed>(answer.value())) {
                setup_->meters.sealed.add();
                ending_ = Ending::sealed;
                setup_->log.warn(
                    "ids_range_sealed", "the range key is sealed", {{"key", key_.text()}}
                );
            } else {
                setup_->meters.exhausted.add();
                if (order.size == setup_->options.step()) {
                    ending_ = Ending::exhausted;
                    setup_->log.error(
                        "ids_range_exhausted",
                        "the range key has no whole step left below 2^63",
                        {{"key", key_.text()}}
                    );
                }
                one_step_ = true;
            }
        }
        answered_ = true;
    }
    changed_.notify();
}

// A range is refused if it begins below the end of one that this process had seen when it asked:
// the store has forgotten that one, and others may be given its numbers too.
bool RangeChain::refused(const Range& range, const Order& order) {
    if (range.start >= order.known_end || fault("late-range-used")) {
        return false;
    }
    setup_->meters.refused.add();
    setup_->meters.rollback_suspected.add();
    setup_->log.error(
        "ids_rollback_suspected",
        "the store answered a range below one that it had given before: it has lost a write; no "
        "ids until an operator has looked and the process is started again",
        {{"key", key_.text()}, {"start", range.start}, {"known_end", order.known_end}}
    );
    halt_as(Halt::rollback);
    return true;
}

void RangeChain::take_in(const Range& range, const Order& order) {
    if (refused(range, order)) {
        return;
    }
    setup_->meters.range.add();
    call_time_ = limits::reserve_time_min;
    known_end_ = std::max(known_end_, range.end);
    const std::int64_t numbers = range.end - range.start;
    reserved_ += static_cast<std::uint64_t>(numbers);
    if (halted()) {
        return;  // burnt
    }
    if (fault("ids.25") && !queue_.empty()) {
        return;
    }
    if (!queue_.empty() && queue_.back().end == range.start) {
        queue_.back().end = range.end;
    } else if (fault("ids.28")) {
        queue_.push_front(range);
    } else {
        queue_.push_back(range);
    }
    ahead_ += numbers;
}

// Under the lock. The first of a series is logged.
void RangeChain::count_failure(const Error& error) {
    (error.effect() == Effect::none ? setup_->meters.error_none : setup_->meters.error_unknown)
        .add();
    if (!failure_.has_value()) {
        setup_->log.warn(
            "ids_range_failed",
            "no range from the store; it is asked again",
            {{"key", key_.text()},
             {"code", name_of(error.code())},
             {"effect", name_of(error.effect())},
             {"what", error.what()}}
        );
    }
    failure_ = error.code();
    failure_text_ = error.what();
}

void RangeChain::failed(const Error& error, const Order& order, SteadyTime now) {
    if (error.code() == Code::timed_out) {
        call_time_ = std::min(order.time * 2, limits::reserve_time_max);
    }
    if (failure_.has_value()) {
        retry_pause_ = std::min(retry_pause_ * 2, limits::retry_pause_max);
    }
    count_failure(error);
    Random& random = setup_->runtime.random();
    retry_at_ = now + spread(retry_pause_, random);
    retry_wanted_at_ = now + spread(std::min(retry_pause_, limits::retry_pause_wanted_max), random);
}

}  // namespace holdfast
