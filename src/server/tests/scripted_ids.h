#pragma once
// A runtime of ids whose answers the test decides.

#include <holdfast/ids/id_runtime.h>

#include <limits>

namespace holdfast {

class ScriptedGenerator final : public IdGenerator {
public:
    ScriptedGenerator(std::string name, IdStrategy strategy)
        : name_(std::move(name)), strategy_(strategy) {}

    const std::string& name() const override { return name_; }
    IdStrategy strategy() const override { return strategy_; }
    GeneratorInfo info() const override {
        GeneratorInfo info;
        info.name = name_;
        info.strategy = strategy_;
        info.state = state;
        info.issued = issued;
        if (strategy_ == IdStrategy::snowflake) {
            info.layout = IdLayout();
            info.years_left = 63.5;
        }
        return info;
    }
    Result<std::int64_t> next() override { return take(); }
    // One piece of a batch at a time, so that callers must ask again.
    Result<std::size_t> next(std::span<std::int64_t> ids) override {
        ++calls;
        const std::size_t count = std::min(ids.size(), piece);
        for (std::int64_t& id : ids.first(count)) {
            auto taken = take();
            if (!taken.ok()) {
                return std::move(taken).error();
            }
            id = taken.value();
        }
        return count;
    }
    Result<std::string> next_text() override {
        auto taken = take();
        return taken.ok() ? Result<std::string>("t" + std::to_string(taken.value()))
                          : Result<std::string>(std::move(taken).error());
    }
    Result<PeriodicIds> next_of_period(std::span<std::int64_t>) override {
        return Error(Code::unsupported, Effect::none, "unused");
    }
    Task<std::int64_t> next(Deadline) override { co_return take(); }
    Task<Done> fill(std::span<std::int64_t> ids, Deadline deadline) override {
        const SteadyTime ready = (co_await this_scope()).loop().now() + wait;
        if (deadline.time() < ready) {
            co_return Error(Code::timed_out, Effect::none, "not in time");
        }
        (void)co_await sleep(ready);
        failure = std::nullopt;
        for (std::int64_t& id : ids) {
            id = last++;
        }
        co_return Done();
    }
    Task<Done> fill_text(std::span<std::string> texts, Deadline) override {
        for (std::string& text : texts) {
            auto taken = next_text();
            if (!taken.ok()) {
                co_return std::move(taken).error();
            }
            text = std::move(taken).value();
        }
        co_return Done();
    }
    Task<PeriodicIds> fill_of_period(std::span<std::int64_t> ids, Deadline) override {
        PeriodicIds filled;
        filled.period = "2026-11";
        filled.count = std::min(ids.size(), piece);
        for (std::int64_t& id : ids.first(filled.count)) {
            id = last++;
        }
        co_return filled;
    }
    Result<std::int64_t> parse(std::string_view) const override {
        return Error(Code::unsupported, Effect::none, "unused");
    }
    Result<IdParts> parse_parts(std::string_view) const override {
        return Error(Code::unsupported, Effect::none, "unused");
    }

    // What next() answers instead of numbers. The text is a literal.
    std::optional<std::pair<Code, std::string_view>> failure;
    IdState state = IdState::issuing;
    std::int64_t last = 1;
    std::size_t piece = std::numeric_limits<std::size_t>::max();
    Duration wait{0};  // of fill()
    int calls = 0;
    std::uint64_t issued = 0;

private:
    Result<std::int64_t> take() {
        if (failure.has_value()) {
            return Error(failure->first, Effect::none, failure->second);
        }
        ++issued;
        return last++;
    }

    std::string name_;
    IdStrategy strategy_;
};

class ScriptedIds final : public IdRuntime {
public:
    IdGenerator* find(std::string_view name) override {
        for (ScriptedGenerator* generator : {&number, &text, &period, &segment}) {
            if (generator->name() == name) {
                return generator;
            }
        }
        return nullptr;
    }
    std::vector<GeneratorInfo> generators() const override {
        return {number.info(), text.info(), period.info(), segment.info()};
    }
    std::vector<LeaseInfo> leases() const override {
        LeaseInfo lease{
            Namespace::parse("orders").value(), OwnerKey::parse("web-3").value(), lease_state
        };
        lease.slot = Slot(3);
        lease.fence = Fence(7);
        lease.expires_at = StoreTime(Duration(2'000));
        lease.floor = StoreTime(Duration(1'000));
        lease.ceiling = StoreTime(Duration(3'000));
        return {lease};
    }
    std::vector<RangeInfo> ranges() const override { return {RangeInfo{"orders/segment", 5, 15}}; }
    std::optional<std::uint32_t> manual_machine() const override { return manual; }
    bool rollback_suspected() const override { return suspected; }
    void listen(LeaseListener&) override {}
    Task<Done> close(Deadline) override { co_return Done(); }

    ScriptedGenerator number{"default", IdStrategy::snowflake};
    ScriptedGenerator text{"text", IdStrategy::string};
    ScriptedGenerator period{"period", IdStrategy::periodic};
    ScriptedGenerator segment{"segment", IdStrategy::segment};
    LeaseState lease_state = LeaseState::leased;
    std::optional<std::uint32_t> manual;
    bool suspected = false;
};

}  // namespace holdfast
