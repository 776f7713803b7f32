// Takers: what happens when the range in use has nothing for them.

#include "ranges/range_chain.h"

#include <holdfast/base/fault_switch.h>

#include <algorithm>
#include <numeric>

namespace holdfast {

// Under the lock; the range in use is used up. Ranges are opened a step at a time, so that a fetch
// is asked for at each, and contiguous ones burn nothing.
bool RangeChain::open_next_range() {
    if (queue_.empty()) {
        return false;
    }
    Range& front = queue_.front();
    const std::int64_t size = std::min(setup_->options.step(), front.end - front.start);
    used_ += end_ - start_;
    end_before_ = end_;
    start_ = static_cast<std::uint64_t>(front.start);
    if (fault("ids.48")) {
        start_ = static_cast<std::uint64_t>(static_cast<double>(front.start));
    }
    end_ = start_ + static_cast<std::uint64_t>(size);
    skipped_ += window_.open(start_, end_);
    front.start += size;
    ahead_ -= size;
    if (front.start == front.end) {
        queue_.pop_front();
    }
    return true;
}

// `held`: a number taken behind the end that the taker saw; it is gone unless the answer is number.
RangeChain::Found RangeChain::look(std::optional<std::uint64_t>& held) {
    if (halted()) {
        return Found::nothing;  // a forked child finds the lock taken for ever
    }
    Found found = Found::nothing;
    bool fetch = false;
    {
        const std::lock_guard lock(mutex_);
        while (!halted()) {
            if (held.has_value() && *held < start_) {
                ++dropped_;
                held.reset();
            }
            if (held.has_value() && *held < end_) {
                found = Found::number;
                break;
            }
            if (!held.has_value() && window_.cursor() < end_) {
                found = Found::range;
                break;
            }
            if (!open_next_range()) {
                window_.shut();
                if (held.has_value() && !window_.give_back(*held)) {
                    ++dropped_;
                }
                fetch = !std::exchange(hungry_, true);
                break;
            }
        }
        if (held.has_value() && halted()) {
            ++dropped_;
        }
        fetch = fetch || wants_fetch();
    }
    if (fetch) {
        work_.notify();
    }
    return found;
}

Result<std::int64_t> RangeChain::next_slowly(RangeWindow::Taken taken, std::uint64_t number) {
    for (;;) {
        std::optional<std::uint64_t> held;
        if (taken == RangeWindow::Taken::beyond) {
            held = number;
        }
        switch (look(held)) {
        case Found::number:
            return static_cast<std::int64_t>(number);
        case Found::nothing:
            return why_not();
        case Found::range:
            taken = window_.take(number);
            if (taken == RangeWindow::Taken::good) {
                return static_cast<std::int64_t>(number);
            }
        }
    }
}

Result<std::size_t> RangeChain::next(std::span<std::int64_t> ids) {
    std::size_t filled = 0;
    const auto fill_from = [&](std::uint64_t first, std::uint64_t count) {
        const auto part = ids.subspan(filled, count);
        std::iota(part.begin(), part.end(), static_cast<std::int64_t>(first));
        filled += count;
    };
    std::uint64_t first = 0;
    if (stripes_ != nullptr) {  // what the thread has is below all that the window still has
        if (const std::size_t index = thread_index(); index != no_thread_index) {
            const std::uint64_t count = (*stripes_)[index].take_many(ids.size(), first);
            fill_from(first, count);
        }
    }
    while (filled < ids.size()) {
        if (const std::uint64_t count = window_.take_many(ids.size() - filled, first); count > 0) {
            fill_from(first, count);
            continue;
        }
        std::optional<std::uint64_t> held;
        if (look(held) == Found::nothing) {
            if (filled == 0) {
                return why_not();
            }
            break;
        }
    }
    return filled;
}

Result<std::int64_t> RangeChain::next_of_thread() {
    const std::size_t index = thread_index();
    std::uint64_t number = 0;
    if (index == no_thread_index) {
        const auto taken = window_.take(number);
        if (taken == RangeWindow::Taken::good) {
            return static_cast<std::int64_t>(number);
        }
        return next_slowly(taken, number);
    }
    RangeStripe& stripe = (*stripes_)[index];
    while (!stripe.take(number)) {
        if (!refill(stripe)) {
            return why_not();
        }
    }
    return static_cast<std::int64_t>(number);
}

bool RangeChain::refill(RangeStripe& stripe) {
    const auto wanted = static_cast<std::uint64_t>(stripe_numbers_);
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    while ((count = window_.take_many(wanted, first)) == 0) {
        std::optional<std::uint64_t> held;
        if (look(held) == Found::nothing) {
            return false;
        }
    }
    stripe.fill(first, first + count);
    if (halt_.load(std::memory_order_seq_cst) != Halt::no) {
        stripe.shut();
        burn(count);
        return false;
    }
    return true;
}

void RangeChain::burn(std::size_t numbers) {
    if (halt_.load(std::memory_order_acquire) == Halt::forked) {
        return;
    }
    const std::lock_guard lock(mutex_);
    dropped_ += numbers;
}

Error RangeChain::why_not() const {
    switch (halt_.load(std::memory_order_acquire)) {
    case Halt::closed:
        return Error(Code::closed, Effect::none, "the generator was closed");
    case Halt::forked:
        return Error(
            Code::closed, Effect::none, "this is a forked child: it opens generators of its own"
        );
    case Halt::rollback:
        return Error(
            Code::corrupt,
            Effect::none,
            "the store answered a range below one that it had given before: it has lost a write"
        );
    case Halt::no:
        break;
    }
    const std::lock_guard lock(mutex_);
    if (ending_ == Ending::none && direct()) {
        return Error(
            Code::unsupported,
            Effect::none,
            "mode direct asks the store for each id: only the forms that wait can"
        );
    }
    if (ending_ == Ending::sealed) {
        return Error(Code::denied, Effect::none, "the range key is sealed");
    }
    if (ending_ == Ending::exhausted) {
        return Error(Code::denied, Effect::none, "the range key has reached 2^63-1");
    }
    if (failure_.has_value()) {
        ErrorContext context;
        context.server_text = failure_text_;
        return Error(Code::unreachable, Effect::none, "no range left, and the store gives none")
            .with(std::move(context));
    }
    return Error(Code::overloaded, Effect::none, "no range left; the next is on its way");
}

}  // namespace holdfast
