#pragma once
// The slot half of the store contract: who holds which numbered slot of a namespace, and which
// milliseconds it may stamp.
//
// A lease reserves timestamps: [floor, ceiling) belongs to its holder for ever, also after the
// lease is lost. Every backend answers from its own clock and decides atomically; no implementation
// may cache an answer.

#include <holdfast/base/fence.h>
#include <holdfast/base/strong.h>
#include <holdfast/base/time.h>
#include <holdfast/io/task.h>
#include <holdfast/store/names.h>

#include <cstdint>
#include <optional>
#include <variant>

namespace holdfast {

using Slot = Strong<struct SlotTag, std::uint32_t>;

struct SlotLease {
    Slot slot;
    Fence fence;
    StoreTime expires_at;
    StoreTime floor;
    StoreTime ceiling;
    StoreTime store_now;
    friend bool operator==(const SlotLease&, const SlotLease&) = default;
};

enum class AcquireReason : std::uint8_t { held, preferred, sticky, free };
std::string_view name_of(AcquireReason reason);

struct Acquired {
    SlotLease lease;
    AcquireReason reason;
    bool duplicate_owner_key;  // another live lease names the same owner key: two processes share
                               // an identity
    friend bool operator==(const Acquired&, const Acquired&) = default;
};
struct SlotsExhausted {
    StoreTime earliest_expires_at;  // a hint: when asking again may help
    friend bool operator==(const SlotsExhausted&, const SlotsExhausted&) = default;
};
// The namespace exists with another limit or tolerance; nothing was written.
struct NamespaceMismatch {
    friend bool operator==(const NamespaceMismatch&, const NamespaceMismatch&) = default;
};
using AcquireOutcome = std::variant<Acquired, SlotsExhausted, NamespaceMismatch>;

struct LeaseLost {
    bool rollback_suspected =
        false;  // the caller's fence is above the row's: the store may have lost a write
    friend bool operator==(const LeaseLost&, const LeaseLost&) = default;
};
struct Released {
    friend bool operator==(const Released&, const Released&) = default;
};
using RenewOutcome = std::variant<SlotLease, LeaseLost>;
using ReleaseOutcome = std::variant<Released, LeaseLost>;

class AcquireRequest {
public:
    AcquireRequest(Namespace name, OwnerKey owner, Incarnation incarnation)
        : name_(std::move(name)), owner_(std::move(owner)), incarnation_(std::move(incarnation)) {}
    AcquireRequest limit(std::uint32_t slots) && {
        limit_ = slots;
        return std::move(*this);
    }
    AcquireRequest ttl(Duration ttl) && {
        ttl_ = ttl;
        return std::move(*this);
    }
    AcquireRequest tolerance(Duration tolerance) && {
        tolerance_ = tolerance;
        return std::move(*this);
    }
    AcquireRequest preferred(std::optional<Slot> slot) && {
        preferred_ = slot;
        return std::move(*this);
    }

    const Namespace& name() const { return name_; }
    const OwnerKey& owner() const { return owner_; }
    const Incarnation& incarnation() const { return incarnation_; }
    std::uint32_t limit() const { return limit_; }                // 1..65,536
    Duration ttl() const { return ttl_; }                         // 100 ms..1 h
    Duration tolerance() const { return tolerance_; }             // 0..1 min
    std::optional<Slot> preferred() const { return preferred_; }  // below limit

private:
    Namespace name_;
    OwnerKey owner_;
    Incarnation incarnation_;
    std::uint32_t limit_ = 1024;
    Duration ttl_ = std::chrono::seconds(30);
    Duration tolerance_ = std::chrono::seconds(1);
    std::optional<Slot> preferred_;
};

// What names a lease: all of it must match the row, else the lease is lost.
class LeaseKey {
public:
    LeaseKey(Namespace name, Slot slot, OwnerKey owner, Incarnation incarnation, Fence fence)
        : name_(std::move(name)), owner_(std::move(owner)), incarnation_(std::move(incarnation)),
          slot_(slot), fence_(fence) {}

    const Namespace& name() const { return name_; }
    const OwnerKey& owner() const { return owner_; }
    const Incarnation& incarnation() const { return incarnation_; }
    Slot slot() const { return slot_; }
    Fence fence() const { return fence_; }

private:
    Namespace name_;
    OwnerKey owner_;
    Incarnation incarnation_;
    Slot slot_;
    Fence fence_;
};

class SlotLeaseStore {
public:
    virtual ~SlotLeaseStore() = default;

    // Takes a free slot, or the one this owner and incarnation already hold (rules S1, S2).
    // invalid_argument, none: a value out of range. An error with effect unknown may be sent again:
    // a slot taken by the lost call is found again.
    virtual Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) = 0;

    // Moves the expiry and the ceiling of a lease that is still held; the floor never changes (rule
    // S3). May be sent again.
    virtual Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) = 0;

    // Gives the slot back together with the unused rest of its window (rule S4). `last_issued`: the
    // end of the last used tick minus one, floor - 1 when nothing was issued. invalid_argument,
    // none, row unchanged: it lies outside [floor - 1, ceiling). Sent again after a lost answer it
    // says LeaseLost: the caller takes that as done.
    virtual Task<ReleaseOutcome>
    release(LeaseKey key, StoreTime last_issued, Deadline deadline) = 0;
};

}  // namespace holdfast
