// Takers that wait for the store.

#include "ranges/range_chain.h"

#include <holdfast/base/fault_switch.h>

namespace holdfast {

Task<Done> RangeChain::first_answer(Deadline deadline) {
    for (;;) {
        const std::uint64_t seen = changed_.changes();
        {
            const std::lock_guard lock(mutex_);
            if (!started_ || !ahead_of_callers() || answered_ || ended_ || halted()) {
                co_return Done();
            }
        }
        if (auto waited = co_await changed_.wait(seen, deadline.time()); !waited.ok()) {
            if (waited.error().code() == Code::timed_out) {
                co_return Done();
            }
            co_return waited;
        }
    }
}

Task<Done> RangeChain::wait_since(std::uint64_t seen, Deadline deadline) {
    co_return co_await changed_.wait(seen, deadline.time());
}

Task<std::size_t> RangeChain::next_some(std::span<std::int64_t> ids, Deadline deadline) {
    if (direct()) {
        if (auto reserved = co_await reserve_exactly(ids, deadline); !reserved.ok()) {
            co_return std::move(reserved).error();
        }
        co_return ids.size();
    }
    for (;;) {
        const std::uint64_t seen = changed_.changes();
        auto taken = next(ids);
        if (taken.ok() || !may_pass(taken.error()) || fault("ids.16")) {
            co_return taken;
        }
        if (auto waited = co_await changed_.wait(seen, deadline.time()); !waited.ok()) {
            co_return std::move(waited).error();
        }
    }
}

Task<Done> RangeChain::fill(std::span<std::int64_t> ids, Deadline deadline) {
    std::size_t filled = 0;
    while (filled < ids.size()) {
        auto taken = co_await next_some(ids.subspan(filled), deadline);
        if (!taken.ok()) {
            burn(filled);
            co_return std::move(taken).error();
        }
        filled += taken.value();
    }
    co_return Done();
}

}  // namespace holdfast
