#pragma once
// A machine, its store and its clocks under virtual time. The store's clock and the host's move
// apart as a test wants; calls of the store can be lost, late or wrong.

#include "lease/machine.h"
#include "lease/time_generator.h"

#include <holdfast/io/virtual_runtime.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace holdfast::testing {

inline Namespace some_namespace() {
    return Namespace::parse("orders").value();
}
inline OwnerKey owner(std::string_view text = "pod-0") {
    return OwnerKey::parse(text).value();
}

// A clock that follows another, some way off.
class ShiftedClock final : public Clock {
public:
    explicit ShiftedClock(const Clock& base) : base_(&base) {}
    void shift(Duration by) { shift_ += by; }
    SteadyTime steady_now() const override { return base_->steady_now(); }
    WallTime wall_now() const override { return base_->wall_now() + shift_; }

private:
    const Clock* base_;
    Duration shift_{};
};

// What happens to one call on its way.
template <class Outcome>
struct Fate {
    Duration late{};  // before the store sees it
    bool arrives = true;
    bool answered = true;       // else the caller waits until its deadline
    std::optional<Code> fails;  // with effect none, at once
    std::function<void(Outcome&)> forge;
    std::function<void()> meanwhile;  // when the store sees it
};

// Passes calls on to a store, each by the next fate of its kind; without one it just arrives.
class FatedSlots final : public SlotLeaseStore {
public:
    explicit FatedSlots(SlotLeaseStore& inner) : inner_(&inner) {}
    void point_to(SlotLeaseStore& other) { inner_ = &other; }

    struct Release {
        LeaseKey key;
        StoreTime last;
    };
    std::vector<AcquireRequest> acquires;
    std::vector<LeaseKey> renewals;
    std::vector<Release> releases;
    std::deque<Fate<AcquireOutcome>> acquire_fates;
    std::deque<Fate<RenewOutcome>> renew_fates;
    std::deque<Fate<ReleaseOutcome>> release_fates;
    std::function<void()> always;  // when any call arrives

    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override {
        acquires.push_back(request);
        Fate<AcquireOutcome> fate = take(acquire_fates);
        auto reached = co_await travel(fate, deadline);
        if (!reached.ok()) {
            co_return std::move(reached).error();
        }
        co_return co_await back(
            inner_->acquire(std::move(request), deadline), std::move(fate), deadline
        );
    }
    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override {
        renewals.push_back(key);
        Fate<RenewOutcome> fate = take(renew_fates);
        auto reached = co_await travel(fate, deadline);
        if (!reached.ok()) {
            co_return std::move(reached).error();
        }
        co_return co_await back(
            inner_->renew(std::move(key), ttl, tolerance, deadline), std::move(fate), deadline
        );
    }
    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last, Deadline deadline) override {
        releases.push_back({key, last});
        Fate<ReleaseOutcome> fate = take(release_fates);
        auto reached = co_await travel(fate, deadline);
        if (!reached.ok()) {
            co_return std::move(reached).error();
        }
        co_return co_await back(
            inner_->release(std::move(key), last, deadline), std::move(fate), deadline
        );
    }

private:
    template <class Outcome>
    static Fate<Outcome> take(std::deque<Fate<Outcome>>& fates) {
        Fate<Outcome> fate;
        if (!fates.empty()) {
            fate = std::move(fates.front());
            fates.pop_front();
        }
        return fate;
    }

    template <class Outcome>
    Task<Done> travel(const Fate<Outcome>& fate, Deadline deadline) {
        const Scope& scope = co_await this_scope();
        if (fate.fails.has_value()) {
            co_return Error(*fate.fails, Effect::none, "as the test wants");
        }
        auto slept = co_await sleep(scope.loop().now() + fate.late);
        if (!slept.ok()) {
            co_return cancelled_error(Effect::unknown);
        }
        if (!fate.arrives) {
            co_return co_await silence(deadline);
        }
        if (fate.meanwhile) {
            fate.meanwhile();
        }
        if (always) {
            always();
        }
        co_return Done();
    }
    template <class Outcome>
    Task<Outcome> back(Task<Outcome> call, Fate<Outcome> fate, Deadline deadline) {
        auto outcome = co_await std::move(call);
        if (outcome.ok() && !fate.answered) {
            auto none = co_await silence(deadline);
            co_return std::move(none).error();
        }
        if (outcome.ok() && fate.forge) {
            fate.forge(outcome.value());
        }
        co_return outcome;
    }
    static Task<Done> silence(Deadline deadline) {
        auto slept = co_await sleep(deadline.time());
        if (!slept.ok()) {
            co_return cancelled_error(Effect::unknown);
        }
        co_return Error(Code::timed_out, Effect::unknown, "no answer came");
    }

    SlotLeaseStore* inner_;
};

class Changes final : public LeaseListener {
public:
    void lease_changed(LeaseState before, const LeaseInfo& now) override {
        EXPECT_EQ(before, states.back());
        states.push_back(now.state);
    }
    std::vector<LeaseState> states = {LeaseState::acquiring};
};

struct Scene {
    explicit Scene(std::uint64_t seed = 1)
        : runtime(open_virtual_runtime(VirtualOptions().seed(seed))), store_clock(runtime->clock()),
          host_clock(runtime->clock()),
          store(open_memory_store(MemoryStoreOptions().clock(store_clock))), slots(store->slots()),
          log(LogFormat::text, LogLevel::debug, runtime->clock(), lines) {}

    static LeasedMachine options(std::string_view whose = "pod-0") {
        return LeasedMachine(some_namespace(), owner(whose));
    }
    std::unique_ptr<Machine> machine(
        LeasedMachine wanted = options(), std::vector<IdLayout> layouts = {IdLayout::milliseconds()}
    ) {
        auto made = make_leased_machine(
            std::move(wanted), std::move(layouts), slots, *runtime, host_clock, metrics, log
        );
        EXPECT_TRUE(made.ok()) << made.error().what();
        return std::move(made).value();
    }
    // Opened; the test fails if it does not get a lease.
    std::unique_ptr<Machine> leased(
        LeasedMachine wanted = options(), std::vector<IdLayout> layouts = {IdLayout::milliseconds()}
    ) {
        auto made = machine(std::move(wanted), std::move(layouts));
        const auto opened = open(*made);
        EXPECT_TRUE(opened.ok()) << opened.error().what();
        return made;
    }
    Result<Done> open(Machine& machine, Duration within = Duration(5'000)) {
        return wait(*runtime, machine.open(in(within)));
    }
    Result<Done> close(Machine& machine, Duration within = Duration(5'000)) {
        return wait(*runtime, machine.close(in(within)));
    }
    std::unique_ptr<IdGenerator>
    generator(Machine& of, GeneratorOptions options = GeneratorOptions::snowflake("ids")) {
        auto made = make_time_generator(options, of);
        EXPECT_TRUE(made.ok()) << made.error().what();
        return std::move(made).value();
    }

    Deadline in(Duration time) const { return Deadline::in(time, runtime->clock()); }
    void run(Duration time) { runtime->run(runtime->now() + time); }
    StoreTime store_now() const { return StoreTime(store_clock.wall_now().time_since_epoch()); }
    WallTime store_wall() const { return store_clock.wall_now(); }
    // The value of a metric's line, as text.
    std::string metric(std::string_view line) const {
        const std::string text = "\n" + metrics.text();
        const std::size_t at = text.find("\n" + std::string(line) + " ");
        if (at == std::string::npos) {
            return "none";
        }
        const std::size_t begin = at + line.size() + 2;
        return text.substr(begin, text.find('\n', begin) - begin);
    }

    std::unique_ptr<VirtualRuntime> runtime;
    ShiftedClock store_clock;
    ShiftedClock host_clock;
    std::unique_ptr<Store> store;
    FatedSlots slots;
    Metrics metrics;
    LogLines lines;
    Log log;
};

inline IdParts parts_of(std::int64_t id, const IdLayout& layout = IdLayout::milliseconds()) {
    return decompose(layout, id).value();
}
inline WallTime time_of_id(std::int64_t id, const IdLayout& layout = IdLayout::milliseconds()) {
    return time_of(layout, parts_of(id, layout));
}

}  // namespace holdfast::testing
