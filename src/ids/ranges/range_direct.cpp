// Mode direct: one call of the store for each id, or for all of a span. Calls of many tasks are
// under way at once, and their answers may overtake each other.

#include "ranges/range_chain.h"

#include <holdfast/base/fault_switch.h>

#include <algorithm>
#include <numeric>

namespace holdfast {

Task<Done> RangeChain::reserve_exactly(std::span<std::int64_t> ids, Deadline deadline) {
    Loop& loop = (co_await this_scope()).loop();
    Order order;
    order.size = static_cast<std::int64_t>(ids.size());
    Duration pause = limits::retry_pause_min;
    order.time = limits::reserve_time_min;
    while (order.size > 0) {
        if (halted()) {
            co_return why_not();
        }
        {
            const std::lock_guard lock(mutex_);
            order.stop = ending_ != Ending::none;
            order.known_end = known_end_;
        }
        if (order.stop) {
            co_return why_not();
        }
        ReserveRequest request(key_, order.size, setup_->options.offset());
        const Deadline call = deadline.sooner(Deadline::in(order.time, loop.now()));
        auto answer = co_await setup_->store.reserve(std::move(request), call);
        if (answer.ok()) {
            co_return accept_direct(answer.value(), order, ids);
        }
        if (answer.error().code() == Code::cancelled) {
            co_return std::move(answer).error();
        }
        {
            const std::lock_guard lock(mutex_);
            count_failure(answer.error());
        }
        order.time = std::min(order.time * 2, limits::reserve_time_max);
        const SteadyTime again = loop.now() + pause;
        if (deadline.passed(again)) {
            co_return Error(
                Code::timed_out, Effect::none, "the deadline passed while the store gave no ids"
            );
        }
        pause = std::min(pause * 2, limits::retry_pause_wanted_max);
        if (auto slept = co_await sleep(again); !slept.ok()) {
            co_return slept;
        }
    }
    co_return Done();
}

Result<Done> RangeChain::accept_direct(
    const ReserveOutcome& answer, const Order& order, std::span<std::int64_t> ids
) {
    {
        const std::lock_guard lock(mutex_);
        answered_ = true;
        failure_.reset();
        if (const auto* range = std::get_if<Range>(&answer); range != nullptr) {
            if (!refused(*range, order)) {
                setup_->meters.range.add();
                known_end_ = fault("ids.39") ? range->end : std::max(known_end_, range->end);
                reserved_ += ids.size();
                direct_ += ids.size();
                direct_last_ = std::max(direct_last_.value_or(0), range->end - 1);
                std::iota(ids.begin(), ids.end(), range->start);
                return Done();
            }
        } else if (std::holds_alternative<RangeSealed>(answer)) {
            setup_->meters.sealed.add();
            ending_ = Ending::sealed;
        } else {
            setup_->meters.exhausted.add();
            if (order.size > 1) {  // fewer may still fit
                return Error(
                    Code::denied, Effect::none, "the range key has not so many left below 2^63-1"
                );
            }
            ending_ = Ending::exhausted;
        }
    }
    return why_not();
}

}  // namespace holdfast
