// A machine whose number is a slot leased from a store.
#include "lease/ending.h"
#include "lease/lease_keeper.h"
#include "lease/machine.h"
#include "lease/machine_rules.h"

#include <holdfast/base/check.h>
#include <holdfast/base/fault_switch.h>

#include <atomic>

namespace holdfast {
namespace {

TickClock::Reading reading_of(const Clock& clock) {
    return &clock == &system_clock() ? TickClock::Reading::cached : TickClock::Reading::exact;
}

class MachineOnLease final : public Machine {
public:
    MachineOnLease(
        LeasedMachine options,
        const std::vector<IdLayout>& layouts,
        SlotLeaseStore& store,
        Runtime& runtime,
        const Clock& clock,
        Metrics& metrics,
        Log& log
    )
        : runtime_(runtime), clock_(clock), log_(log),
          ticks_(clock, TickClock::Source::anchored, reading_of(clock)),
          gates_(layouts, ticks_, options.max_ahead()), journal_(options, clock, metrics, log),
          keeper_(
              options,
              options.limit().value_or(machines_of(layouts)),
              store,
              gates_,
              ticks_,
              journal_,
              clock,
              runtime.random()
          ) {}

    ~MachineOnLease() override {
        (void)gates_.close(Refusal::closed);
        Loop* const home = keeping_on_.load();
        if (home != nullptr && !home->forked()) {
            stop_.request();
            ending_.block(runtime_);
        }
    }

    Gate& gate(const IdLayout& layout) override { return gates_.of(layout); }
    std::vector<LeaseInfo> leases() const override { return {journal_.info()}; }
    std::optional<std::uint32_t> manual() const override { return std::nullopt; }
    bool rollback_suspected() const override { return journal_.rollback_suspected(); }
    void listen(LeaseListener& listener) override { journal_.listen(listener); }
    Log& log() const override { return log_; }
    WallTime now() const override {
        return anchored_.load() ? WallTime(Duration(ticks_.exact_ms())) : clock_.wall_now();
    }

    Task<Done> open(Deadline deadline) override {
        check(!opened_.exchange(true), "a machine is opened once");
        const Scope& scope = co_await this_scope();
        Loop& home = scope.loop();
        ticks_.run_on(home);
        auto got = co_await keeper_.acquire_first(deadline);
        if (!got.ok()) {
            if (fault("ids.18")) {
                (void)gates_.open(0, StoreTime(), StoreTime::max());
            }
            co_return got;
        }
        anchored_ = true;
        keeping_on_ = &home;
        spawn(home, keeper_.keep(), [this](const Result<Done>&) { ending_.set(); }, &stop_);
        co_return Done();
    }

    Task<Done> close(Deadline deadline) override {
        if (closing_.exchange(true)) {
            co_return Done();
        }
        const bool too_late = fault("issue-after-release-sent");
        if (!too_late) {
            (void)gates_.close(Refusal::closed);
        }
        if (keeping_on_.load() != nullptr) {
            stop_.request();
            co_await EndingAwait(ending_);
        }
        auto released = co_await keeper_.release(deadline);
        (void)gates_.close(Refusal::closed);
        journal_.change(LeaseState::closed);
        co_return released;
    }

private:
    Runtime& runtime_;
    const Clock& clock_;
    Log& log_;
    mutable TickClock ticks_;
    GateSet gates_;
    LeaseJournal journal_;
    LeaseKeeper keeper_;
    Ending ending_;
    Stop stop_;
    std::atomic<Loop*> keeping_on_ = nullptr;
    std::atomic<bool> opened_ = false;
    std::atomic<bool> anchored_ = false;
    std::atomic<bool> closing_ = false;
};

}  // namespace

Result<std::unique_ptr<Machine>> make_leased_machine(
    LeasedMachine options,
    std::vector<IdLayout> layouts,
    SlotLeaseStore& store,
    Runtime& runtime,
    const Clock& clock,
    Metrics& metrics,
    Log& log
) {
    auto sound = check_machine(options, layouts);
    if (!sound.ok()) {
        return std::move(sound).error();
    }
    return std::unique_ptr<Machine>(std::make_unique<MachineOnLease>(
        std::move(options), layouts, store, runtime, clock, metrics, log
    ));
}

}  // namespace holdfast
