// A machine whose number an operator gave. It uses the wall clock: there is no store to ask.
#include "lease/gate_set.h"
#include "lease/lease_limits.h"
#include "lease/machine.h"
#include "lease/machine_rules.h"

namespace holdfast {
namespace {

class MachineByHand final : public Machine {
public:
    MachineByHand(
        ManualMachine options,
        const std::vector<IdLayout>& layouts,
        Runtime& runtime,
        const Clock& clock,
        Log& log
    )
        : id_(options.id), log_(log),
          ticks_(
              clock,
              TickClock::Source::wall,
              &clock == &system_clock() ? TickClock::Reading::cached : TickClock::Reading::exact
          ),
          gates_(layouts, ticks_, limits::manual_max_ahead) {
        ticks_.run_on(runtime.loop(0));
    }

    Gate& gate(const IdLayout& layout) override { return gates_.of(layout); }
    std::vector<LeaseInfo> leases() const override { return {}; }
    std::optional<std::uint32_t> manual() const override { return id_; }
    bool rollback_suspected() const override { return false; }
    void listen(LeaseListener& /*listener*/) override {}
    Log& log() const override { return log_; }
    WallTime now() const override { return WallTime(Duration(ticks_.exact_ms())); }

    Task<Done> open(Deadline /*deadline*/) override {
        log_.warn(
            "manual_machine",
            "the machine's number comes from the settings: ids are unique only as long as no other "
            "process has it, and as long as the wall clock of a restart is not behind",
            {{"machine", id_}}
        );
        ticks_.restart();
        if (!gates_.open(id_, StoreTime(), StoreTime::max())) {
            co_return closed_error();
        }
        co_return Done();
    }
    Task<Done> close(Deadline /*deadline*/) override {
        (void)gates_.close(Refusal::closed);
        co_return Done();
    }

private:
    const std::uint32_t id_;
    Log& log_;
    mutable TickClock ticks_;
    GateSet gates_;
};

}  // namespace

Result<std::unique_ptr<Machine>> make_manual_machine(
    ManualMachine options,
    std::vector<IdLayout> layouts,
    Runtime& runtime,
    const Clock& clock,
    Log& log
) {
    auto sound = check_machine(options, layouts);
    if (!sound.ok()) {
        return std::move(sound).error();
    }
    return std::unique_ptr<Machine>(
        std::make_unique<MachineByHand>(options, layouts, runtime, clock, log)
    );
}

}  // namespace holdfast
