#pragma once
// The machine behind all time-based generators of a process: it opens and shuts their gates.

#include <holdfast/ids/layout.h>
#include <holdfast/ids/machine.h>
#include <holdfast/io/runtime.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/metrics.h>
#include <holdfast/store/slot_lease_store.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace holdfast {

class Gate;

// Any thread, unless a line says otherwise. Destroyed without close(): nothing is sent; the lease
// runs out by itself. Not destroyed on a loop thread, nor while one of its tasks runs.
class Machine {
public:
    virtual ~Machine() = default;

    // The one gate of all generators whose ids are numbers of the same kind: tick unit, epoch and
    // bits (rule L5). The layout is one of those the machine was made with. It lives as long as
    // this.
    virtual Gate& gate(const IdLayout& layout) = 0;

    // Gets the first lease, trying until the deadline, and keeps it from then on, on the loop that
    // asked. Once. Every error has effect none for ids; a slot that was granted to a lost call runs
    // out by itself.
    //   timed_out, unreachable  the store did not answer in time; what it said last
    //   overloaded              every slot is leased
    //   invalid_argument        the namespace exists with another limit or tolerance
    //   corrupt                 the store has lost an acknowledged write
    virtual Task<Done> open(Deadline deadline) = 0;

    // Shuts the gates at once and for ever, then gives the lease back together with the unused rest
    // of its window (rule L7). An error says only that the lease is left to run out. Again: does
    // nothing. Not while open() runs.
    virtual Task<Done> close(Deadline deadline) = 0;

    virtual std::vector<LeaseInfo> leases() const = 0;  // none: manual
    virtual std::optional<std::uint32_t> manual() const = 0;
    virtual bool rollback_suspected() const = 0;
    // Of each change from now on; the listener outlives this.
    virtual void listen(LeaseListener& listener) = 0;

    // The clock that ticks come from: the store's under a lease, else the wall clock.
    virtual WallTime now() const = 0;
    virtual Log& log() const = 0;
};

// Both: invalid_argument, none: a number out of its range, or a pair that does not fit; what()
// names it. Store, runtime, clock, metrics and log outlive the machine. Where `clock` is the
// system's, busy gates read it once a millisecond on a loop.
Result<std::unique_ptr<Machine>> make_leased_machine(
    LeasedMachine options,
    std::vector<IdLayout> layouts,
    SlotLeaseStore& store,
    Runtime& runtime,
    const Clock& clock,
    Metrics& metrics,
    Log& log
);
Result<std::unique_ptr<Machine>> make_manual_machine(
    ManualMachine options,
    std::vector<IdLayout> layouts,
    Runtime& runtime,
    const Clock& clock,
    Log& log
);

}  // namespace holdfast
