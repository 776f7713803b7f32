#include "ranges/periodic_generator.h"

namespace holdfast {

Error PeriodicGenerator::no_numbers() const {
    if (table_->shut()) {
        return Error(Code::closed, Effect::none, "the generator was closed");
    }
    return Error(
        Code::unsupported,
        Effect::none,
        "numbers come again in each period: ask for a text, or for ids of a period"
    );
}

GeneratorInfo PeriodicGenerator::info() const {
    const ChainFigures figures = table_->figures();
    GeneratorInfo info;
    info.name = name_;
    info.strategy = IdStrategy::periodic;
    info.state = figures.state;
    info.last = figures.last;
    info.prefetched = figures.prefetched;
    info.issued = figures.issued;
    info.burnt = figures.burnt;
    if (const auto now = period_for_call(); now.ok()) {
        info.range_key = now.value()->chain->key().text();
    }
    return info;
}

std::vector<RangeInfo> PeriodicGenerator::ranges() const {
    std::vector<RangeInfo> all;
    for (const auto& period : table_->in_hand()) {
        const ChainFigures figures = period->chain->figures();
        RangeInfo range;
        range.key = period->chain->key().text();
        range.issued = figures.issued;
        range.prefetched = figures.prefetched;
        all.push_back(std::move(range));
    }
    return all;
}

// The one reading of the clock of a call.
Result<std::shared_ptr<const PeriodChain>> PeriodicGenerator::period_for_call() const {
    return table_->at(clock_.wall_now());
}

Result<std::int64_t> PeriodicGenerator::next() {
    return no_numbers();
}
Result<std::size_t> PeriodicGenerator::next(std::span<std::int64_t>) {
    return no_numbers();
}
Task<std::int64_t> PeriodicGenerator::next(Deadline) {
    co_return no_numbers();
}
Task<Done> PeriodicGenerator::fill(std::span<std::int64_t>, Deadline) {
    co_return no_numbers();
}

Result<PeriodicIds> PeriodicGenerator::next_of_period(std::span<std::int64_t> ids) {
    auto period = period_for_call();
    if (!period.ok()) {
        return std::move(period).error();
    }
    RangeChain& chain = *period.value()->chain;
    auto taken = chain.next(ids);
    if (!taken.ok()) {
        return std::move(taken).error();
    }
    PeriodicIds answer;
    answer.period = period.value()->name;
    answer.count = taken.value();
    return answer;
}

Result<std::string> PeriodicGenerator::next_text() {
    std::int64_t id = 0;
    auto taken = next_of_period(std::span(&id, 1));
    if (!taken.ok()) {
        return std::move(taken).error();
    }
    return text_.text(id, taken.value().period);
}

// Each wait may end in another period: then what was taken is the answer, or the new period is
// asked.
Task<PeriodicIds>
PeriodicGenerator::fill_of_period(std::span<std::int64_t> ids, Deadline deadline) {
    PeriodicIds answer;
    for (;;) {
        auto period = period_for_call();
        if (!period.ok()) {
            table_->burn(answer.period, answer.count);
            co_return std::move(period).error();
        }
        const auto now = std::move(period).value();
        if (answer.count > 0 && now->name != answer.period) {
            co_return answer;
        }
        answer.period = now->name;
        RangeChain& chain = *now->chain;
        const auto rest = ids.subspan(answer.count);
        const std::uint64_t seen = chain.changes();
        Result<std::size_t> taken = 0;
        if (chain.direct()) {
            taken = co_await chain.next_some(rest, deadline);
        } else {
            taken = chain.next(rest);
        }
        if (taken.ok()) {
            answer.count += taken.value();
            if (answer.count == ids.size()) {
                co_return answer;
            }
            continue;
        }
        if (taken.error().code() == Code::closed && !table_->shut()) {
            continue;  // the period was let go at this moment
        }
        auto waited = Result<Done>(Done());
        if (may_pass(taken.error()) && !chain.direct()) {
            waited = co_await chain.wait_since(seen, deadline);
        } else {
            waited = std::move(taken).error();
        }
        if (!waited.ok()) {
            table_->burn(answer.period, answer.count);
            co_return std::move(waited).error();
        }
    }
}

Task<Done> PeriodicGenerator::fill_text(std::span<std::string> texts, Deadline deadline) {
    std::vector<std::int64_t> ids(texts.size());
    for (;;) {
        auto filled = co_await fill_of_period(ids, deadline);
        if (!filled.ok()) {
            co_return std::move(filled).error();
        }
        const PeriodicIds& answer = filled.value();
        if (answer.count < ids.size()) {
            table_->burn(answer.period, answer.count);
            continue;  // the period ended: one answer never mixes two
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
            auto text = text_.text(ids[i], answer.period);
            if (!text.ok()) {
                table_->burn(answer.period, answer.count);
                co_return std::move(text).error();
            }
            texts[i] = std::move(text).value();
        }
        co_return Done();
    }
}

Result<IdParts> PeriodicGenerator::parse_parts(std::string_view) const {
    return Error(Code::unsupported, Effect::none, "the ids of a period have no parts");
}

Task<Done> PeriodicGenerator::open(Deadline deadline) {
    auto period = period_for_call();
    if (!period.ok()) {
        co_return std::move(period).error();
    }
    const auto now = std::move(period).value();
    co_return co_await now->chain->first_answer(deadline);
}

Task<Done> PeriodicGenerator::close(Deadline deadline) {
    table_->halt();
    co_return co_await table_->ended(deadline);
}

}  // namespace holdfast
