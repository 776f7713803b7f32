#include "slot_rates.h"

#include "callers.h"
#include "machine.h"

namespace holdfast::bench {
namespace {

constexpr Duration ttl{60'000};
constexpr Duration tolerance{1'000};
// A namespace of the size that 10 bits of a machine id allow, all of it taken in each turn.
constexpr std::uint32_t slots = 1'024;

// Every phase of a turn needs the one before; only the one asked for is measured.
class Leases {
public:
    Leases(Runtime& runtime, Store& store, std::size_t callers)
        : runtime_(runtime), store_(store), callers_(callers) {}

    Run acquire(std::uint64_t count) {
        held_.assign(count, std::nullopt);
        ++generation_;
        return phase([this](std::uint64_t number) { return acquire_one(number); });
    }
    Run renew() {
        return phase([this](std::uint64_t number) { return renew_one(number); });
    }
    Run release() {
        return phase([this](std::uint64_t number) { return release_one(number); });
    }

private:
    Run phase(Call call) { return run_callers(runtime_, callers_, held_.size(), std::move(call)); }

    OwnerKey owner(std::uint64_t number) const {
        return OwnerKey::parse("pod-" + std::to_string(number)).value();
    }
    Incarnation incarnation() const {
        return Incarnation::parse("turn-" + std::to_string(generation_)).value();
    }
    LeaseKey key(std::uint64_t number) const {
        return LeaseKey(
            name_, held_[number]->slot, owner(number), incarnation(), held_[number]->fence
        );
    }

    Task<bool> acquire_one(std::uint64_t number) {
        Loop& loop = (co_await this_scope()).loop();
        auto request = AcquireRequest(name_, owner(number), incarnation())
                           .limit(slots)
                           .ttl(ttl)
                           .tolerance(tolerance);
        auto outcome = co_await store_.slots().acquire(
            std::move(request), Deadline::in(call_time, loop.now())
        );
        if (!outcome.ok() || !std::holds_alternative<Acquired>(outcome.value())) {
            co_return false;
        }
        held_[number] = std::get<Acquired>(outcome.value()).lease;
        co_return true;
    }

    Task<bool> renew_one(std::uint64_t number) {
        Loop& loop = (co_await this_scope()).loop();
        LeaseKey lease = key(number);
        auto outcome = co_await store_.slots().renew(
            std::move(lease), ttl, tolerance, Deadline::in(call_time, loop.now())
        );
        co_return outcome.ok() && std::holds_alternative<SlotLease>(outcome.value());
    }

    Task<bool> release_one(std::uint64_t number) {
        Loop& loop = (co_await this_scope()).loop();
        LeaseKey lease = key(number);
        const StoreTime nothing_issued = held_[number]->floor - Duration(1);
        auto outcome = co_await store_.slots().release(
            std::move(lease), nothing_issued, Deadline::in(call_time, loop.now())
        );
        co_return outcome.ok() && std::holds_alternative<Released>(outcome.value());
    }

    Runtime& runtime_;
    Store& store_;
    std::size_t callers_;
    Namespace name_ = Namespace::parse("bench").value();
    std::vector<std::optional<SlotLease>> held_;
    std::uint64_t generation_ = 0;
};

}  // namespace

void run_slot_cases(Program& program, Runtime& runtime, Store& store, std::size_t callers) {
    Leases leases(runtime, store, callers);
    const std::string tail = ", " + std::to_string(callers) + " callers";
    program.run(Case("sqlite acquire" + tail).ours("acquire", slots, [&](std::uint64_t count) {
        const Run run = leases.acquire(count);
        (void)leases.release();
        return run;
    }));
    program.run(Case("sqlite renew" + tail).ours("renew", slots, [&](std::uint64_t count) {
        (void)leases.acquire(count);
        const Run run = leases.renew();
        (void)leases.release();
        return run;
    }));
    program.run(Case("sqlite release" + tail).ours("release", slots, [&](std::uint64_t count) {
        (void)leases.acquire(count);
        return leases.release();
    }));
}

}  // namespace holdfast::bench
