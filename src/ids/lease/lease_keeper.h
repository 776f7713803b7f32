#pragma once
// Gets a lease and keeps it: rules L1 to L4 and L6 to L9 of the store contract.

#include "lease/gate_set.h"
#include "lease/lease_journal.h"
#include "lease/lease_limits.h"

#include <holdfast/ids/machine.h>
#include <holdfast/io/random.h>
#include <holdfast/io/task.h>

#include <map>
#include <optional>

namespace holdfast {

// One task at a time, and one after the other; on any loop.
class LeaseKeeper {
public:
    // All outlive it.
    LeaseKeeper(
        LeasedMachine options,
        std::uint32_t limit,
        SlotLeaseStore& store,
        GateSet& gates,
        TickClock& ticks,
        LeaseJournal& journal,
        const Clock& clock,
        Random& random
    );

    // The first lease; the errors of Machine::open.
    Task<Done> acquire_first(Deadline deadline);
    // Renews the lease, and acquires another where it is lost. Ends when it is asked to stop, when
    // the gates are closed for ever, or with a store that may have lost a write (`corrupt`).
    Task<Done> keep();
    // Gives the lease back, if there is one. The gates are closed.
    Task<Done> release(Deadline deadline);

private:
    struct Held {
        Held(const SlotLease& granted, Incarnation session, bool open)
            : lease(granted), token(std::move(session)), opened(open) {}
        SlotLease lease;  // its ceiling is the highest that was acknowledged
        Incarnation token;
        bool opened;  // the gates were, for it
    };
    // What this process knows of a slot that it held: a later grant lies above.
    struct Known {
        Fence fence;
        StoreTime end;  // of the last tick used
    };
    enum class Insist : std::uint8_t {
        until_deadline,  // what only an operator can mend is an error
        for_ever,
    };
    // One logical acquire: its token stays the same until the store has answered.
    struct Attempt {
        explicit Attempt(Incarnation session) : token(std::move(session)) {}
        Incarnation token;
        Duration pause = limits::lease_backoff_min;
        Duration wait{};  // before the next try
        std::optional<Error> last;
    };

    Task<Done> acquire(SteadyTime until, Insist insist);
    std::optional<Result<Done>>
    adopt(const Acquired& answer, Attempt& attempt, SteadyTime sent, Insist insist);
    std::optional<Result<Done>>
    answered(Result<AcquireOutcome> outcome, Attempt& attempt, SteadyTime sent, Insist insist);
    std::optional<Result<Done>> none_free(StoreTime earliest, Attempt& attempt);
    std::optional<Result<Done>> refused(Error error, Attempt& attempt, Insist insist);
    AcquireRequest request_of(const Attempt& attempt) const;

    Task<Done> renew_in_time();
    Task<bool> renew();  // false: no answer that can be used
    bool renewed(const RenewOutcome& outcome, SteadyTime sent);
    bool extended(const SlotLease& lease, SteadyTime sent);
    Task<Done> replace();

    Result<Done> released(const ReleaseOutcome& outcome);
    void drop(LeaseState state);
    Error suspend(LogText what);
    LeaseKey key() const;
    Deadline call_deadline(SteadyTime until) const;
    SteadyTime now() const { return loop_->now(); }
    Incarnation new_token();
    Duration by_chance(Duration shortest, Duration longest);
    Duration next_pause(Attempt& attempt);

    const LeasedMachine options_;
    const std::uint32_t limit_;
    SlotLeaseStore& store_;
    GateSet& gates_;
    TickClock& ticks_;
    LeaseJournal& journal_;
    const Clock& clock_;  // of ticks and validity; pauses and deadlines go by the loop's
    Random& random_;
    Loop* loop_ = nullptr;  // of the task that runs

    std::optional<Held> held_;
    std::map<std::uint32_t, Known> known_;  // by slot; at most `limit_`
    std::optional<Acquired> earlier_;       // these two: for broken variants
    std::optional<Incarnation> session_;
    SteadyTime asked_{};  // by the loop: when the last renewal was due
    bool suspended_ = false;
    bool anchored_ = false;
};

}  // namespace holdfast
