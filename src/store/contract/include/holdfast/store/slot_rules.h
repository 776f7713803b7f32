#pragma once
// The rules of slot leases (S0 to S4 of the store contract), written once. A backend brings its
// rows as a SlotTable, its clock, and one atomic step around each call: everything read and written
// through the table by one of the three functions below must happen in one transaction, or be
// refused as a whole.
//
// Safety rests on the rows alone: a row reserves [floor, ceiling) for its fence for ever, the next
// grant starts at next_floor, and next_floor falls below a ceiling only by what a holder gives
// back. No clock takes part in that.

#include <holdfast/store/limits.h>
#include <holdfast/store/slot_lease_store.h>

#include <string>
#include <vector>

namespace holdfast {

// S0: what an absent row reads as.
struct SlotRow {
    std::string owner;        // empty: the slot is free
    std::string incarnation;  // empty exactly when owner is
    std::string last_owner;
    Fence fence{};
    StoreTime expires_at{};
    StoreTime floor{};
    StoreTime ceiling{};
    StoreTime next_floor{};

    bool free() const { return owner.empty(); }
    friend bool operator==(const SlotRow&, const SlotRow&) = default;
};

struct SlotEntry {
    Slot slot;
    SlotRow row;
};

struct SlotSettings {
    std::uint32_t limit;
    Duration tolerance;
    friend bool operator==(const SlotSettings&, const SlotSettings&) = default;
};

// The rows of one namespace inside one transaction. Called by one thread. An error ends the
// operation and is its answer; only `corrupt` of a row is passed over by an acquire, which then
// looks at other slots. Lists show what has been written before in the same transaction.
class SlotTable {
public:
    virtual ~SlotTable() = default;

    // Of the namespace as stored; where there is none, it is created with `wanted`, which is then
    // the answer.
    virtual Result<SlotSettings> settings(SlotSettings wanted) = 0;

    virtual Result<SlotRow> row(Slot slot) = 0;  // SlotRow() where none is stored
    // Replaces the row and everything the lists below derive from it.
    virtual Result<Done> write(Slot slot, const SlotRow& row) = 0;

    // Held rows with expires_at <= now, the earliest first, then by number.
    virtual Result<std::vector<SlotEntry>> expired(StoreTime now, int count) = 0;
    // Held rows that name the owner, by rising number.
    virtual Result<std::vector<SlotEntry>> held_by(std::string_view owner, int count) = 0;
    // Free or absent rows with from <= number < limit, by rising number.
    virtual Result<std::vector<SlotEntry>>
    free_slots(Slot from, std::uint32_t limit, int count) = 0;
    // The smallest expires_at of the held rows.
    virtual Result<std::optional<StoreTime>> earliest_expiry() = 0;

    // The slot an owner was granted last. Kept apart from the rows: several may name the owner as
    // their last one.
    virtual Result<std::optional<Slot>> sticky(std::string_view owner) = 0;
    virtual Result<Done> set_sticky(std::string_view owner, Slot slot) = 0;
    // Nothing happens if the owner has another slot by now, or none.
    virtual Result<Done> drop_sticky(std::string_view owner, Slot slot) = 0;
};

// The three operations. The requests have passed request_rules.h. `now` is the store's clock and
// may jump as it likes. S1 for at most `sweep_max` expired rows, then S2.
Result<AcquireOutcome> acquire_slot(
    SlotTable& table,
    const AcquireRequest& request,
    StoreTime now,
    int sweep_max = limits::slot_sweep_default
);
// S3.
Result<RenewOutcome>
renew_slot(SlotTable& table, const LeaseKey& key, Duration ttl, Duration tolerance, StoreTime now);
// S4. invalid_argument, none, nothing written: `last_issued` lies outside [floor - 1, ceiling).
Result<ReleaseOutcome> release_slot(SlotTable& table, const LeaseKey& key, StoreTime last_issued);

// The steps on one row, for backends that keep no table.

struct LeaseTerms {
    Duration ttl;
    Duration tolerance;
};

// 0 <= now, and now + ttl + tolerance is still exact in every store's numbers.
StoreTime clamp_now(StoreTime now, LeaseTerms terms);
// S1. Allowed at any moment: the whole window counts as used.
void expire(SlotRow& row);
// S2 b and S3: the same fence and floor, a later end. The ceiling never falls, also when the clock
// went back.
void extend(SlotRow& row, LeaseTerms terms, StoreTime now);
// S2 d. The row is free, and usable_from() is not after now.
void grant(SlotRow& row, const AcquireRequest& request, StoreTime now);
// S4. `last_issued` lies in [floor - 1, ceiling).
void release(SlotRow& row, StoreTime last_issued);

bool matches(const SlotRow& row, const LeaseKey& key);
// Whether a release may name this time; a time at or above the ceiling also suggests that the store
// lost a write.
bool releasable(const SlotRow& row, StoreTime last_issued);
// What a lease that does not match is answered.
LeaseLost lost(const SlotRow& row, const LeaseKey& key);
// Held by someone whose time is not over.
bool held_now(const SlotRow& row, StoreTime now);
// The first store time at which the window of a grant would not be empty. Later than now only after
// a step back of the store's clock.
StoreTime usable_from(const SlotRow& row, LeaseTerms terms);
// The new holder can issue at once instead of waiting for its floor.
bool usable_at_once(const SlotRow& row, Duration tolerance, StoreTime now);
// Where the second look at the free slots starts: spreads those who find the lowest ones unusable.
Slot spread_start(const Incarnation& incarnation, std::uint32_t limit);
SlotLease lease_of(Slot slot, const SlotRow& row, StoreTime now);

}  // namespace holdfast
