#include "ranges/period_table.h"

#include "ranges/period_name.h"

#include <holdfast/base/fault_switch.h>

#include <algorithm>
#include <utility>

namespace holdfast {

PeriodTable::PeriodTable(
    std::shared_ptr<ChainSetup> setup, PeriodOptions options, std::string prefix
)
    : setup_(std::move(setup)), options_(std::move(options)), prefix_(std::move(prefix)) {}

Result<std::shared_ptr<const PeriodChain>> PeriodTable::at(WallTime now) {
    if (shut()) {
        return Error(Code::closed, Effect::none, "the generator was closed");
    }
    const std::lock_guard lock(mutex_);
    // Zones change on whole seconds alone, and periods begin on whole hours.
    const std::int64_t second =
        std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    if ((second != second_ && !fault("ids.12")) || current_ == nullptr) {
        auto found = find_or_make(period_name(options_.period(), options_.zone().local(now)));
        if (!found.ok()) {
            return std::move(found).error();
        }
        const SteadyTime steady = setup_->runtime.clock().steady_now();
        second_ = second;
        current_ = std::move(found).value();
        current_->used_at = steady;
        let_go(steady);
    }
    return std::shared_ptr<const PeriodChain>(current_);
}

// Under the lock, as all below.
Result<std::shared_ptr<PeriodChain>> PeriodTable::find_or_make(const std::string& name) {
    for (const auto& period : periods_) {
        if (period->name == name) {
            return period;
        }
    }
    auto key = RangeKey::parse(prefix_ + name);
    if (!key.ok()) {
        return std::move(key).error();
    }
    const auto known = ends_.find(name);
    auto made = std::make_shared<PeriodChain>();
    made->name = name;
    made->chain = std::make_shared<RangeChain>(
        setup_, std::move(key).value(), known == ends_.end() ? 0 : known->second
    );
    if (shut()) {
        made->chain->halt();
    }
    made->chain->start();
    periods_.push_back(made);
    return made;
}

void PeriodTable::let_go(SteadyTime now) {
    const auto newest = std::ranges::max_element(periods_, {}, &PeriodChain::name);
    const PeriodChain* kept = newest->get();
    for (std::size_t i = periods_.size(); i-- > 0;) {
        const PeriodChain& period = *periods_[i];
        if (&period != kept && &period != current_.get() &&
            now - period.used_at >= limits::period_grace) {
            leave(i);
        }
    }
    while (periods_.size() > limits::periods_in_hand_max) {
        const auto oldest =
            std::ranges::min_element(periods_, [this](const auto& a, const auto& b) {
                return std::pair(a == current_, a->used_at) < std::pair(b == current_, b->used_at);
            });
        leave(static_cast<std::size_t>(oldest - periods_.begin()));
    }
    std::erase_if(leaving_, [](const auto& chain) { return chain->has_ended(); });
}

void PeriodTable::leave(std::size_t index) {
    PeriodChain& period = *periods_[index];
    period.chain->halt();
    const ChainFigures figures = period.chain->figures();
    issued_before_ += figures.issued;
    burnt_before_ += figures.burnt;
    rollback_before_ = rollback_before_ || period.chain->rollback_suspected();
    ends_.insert_or_assign(period.name, period.chain->known_end());
    if (ends_.size() > limits::periods_remembered_max) {
        ends_.erase(ends_.begin());
    }
    leaving_.push_back(period.chain);
    periods_.erase(periods_.begin() + static_cast<std::ptrdiff_t>(index));
}

void PeriodTable::burn(const std::string& period, std::size_t numbers) {
    if (forked_ || numbers == 0) {
        return;
    }
    const std::lock_guard lock(mutex_);
    for (const auto& held : periods_) {
        if (held->name == period) {
            held->chain->burn(numbers);
            return;
        }
    }
    burnt_before_ += numbers;
    issued_before_ -= std::min<std::uint64_t>(issued_before_, numbers);
}

void PeriodTable::halt() {
    if (shut_.exchange(true)) {
        return;
    }
    const std::lock_guard lock(mutex_);
    for (const auto& period : periods_) {
        period->chain->halt();
    }
}

Task<Done> PeriodTable::ended(Deadline deadline) {
    std::vector<std::shared_ptr<RangeChain>> chains;
    {
        const std::lock_guard lock(mutex_);
        chains = leaving_;
        for (const auto& period : periods_) {
            chains.push_back(period->chain);
        }
    }
    for (const auto& chain : chains) {
        if (auto over = co_await chain->ended(deadline); !over.ok()) {
            co_return over;
        }
    }
    co_return Done();
}

void PeriodTable::finish() {
    if (forked_) {
        return;
    }
    halt();
    for (const auto& chain : leaving_) {
        chain->finish();
    }
    for (const auto& period : periods_) {
        period->chain->finish();
    }
}

ChainFigures PeriodTable::figures() const {
    ChainFigures all;
    if (shut()) {
        all.state = IdState::closed;
    }
    if (forked_) {
        return all;
    }
    const std::lock_guard lock(mutex_);
    all.issued = issued_before_;
    all.burnt = burnt_before_;
    for (const auto& period : periods_) {
        const ChainFigures one = period->chain->figures();
        all.issued += one.issued;
        all.burnt += one.burnt;
        all.prefetched += one.prefetched;
        all.distance = std::max(all.distance, one.distance);
        if (period == current_ && !shut()) {
            all.state = one.state;
            all.last = one.last;
        }
    }
    return all;
}

std::vector<std::shared_ptr<const PeriodChain>> PeriodTable::in_hand() const {
    if (forked_) {
        return {};
    }
    const std::lock_guard lock(mutex_);
    return {periods_.begin(), periods_.end()};
}

bool PeriodTable::rollback_suspected() const {
    if (forked_) {
        return false;
    }
    const std::lock_guard lock(mutex_);
    return rollback_before_ || std::ranges::any_of(periods_, [](const auto& period) {
               return period->chain->rollback_suspected();
           });
}

}  // namespace holdfast
