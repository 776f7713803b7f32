#pragma once
// Who this process is among those that share a namespace: a leased slot, or a number that an
// operator vouches for.

#include <holdfast/base/fence.h>
#include <holdfast/base/time.h>
#include <holdfast/store/slot_lease_store.h>

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast {

// Rules L1 to L10 of the store contract; all times as of SlotLeaseStore.
class LeasedMachine {
public:
    // The owner key: the host's name, or a stateful set's pod name.
    LeasedMachine(Namespace name, OwnerKey owner)
        : name_(std::move(name)), owner_(std::move(owner)) {}
    LeasedMachine ttl(Duration ttl) &&;              // default 30 s
    LeasedMachine tolerance(Duration tolerance) &&;  // default 5 s
    LeasedMachine renew_interval(Duration time) &&;  // default ttl / 3
    LeasedMachine limit(std::uint32_t slots
    ) &&;  // default 2^(smallest machine bits), at most 65,536
    LeasedMachine preferred(std::optional<Slot> slot) &&;
    // How far ticks may run ahead of a clock that is below the floor or below its own earlier
    // reading. Default: the tolerance.
    LeasedMachine max_ahead(Duration time) &&;
    LeasedMachine call_timeout(Duration time) &&;  // of one call of the store; default 1 s

    const Namespace& name() const { return name_; }
    const OwnerKey& owner() const { return owner_; }
    Duration ttl() const { return ttl_; }
    Duration tolerance() const { return tolerance_; }
    Duration renew_interval() const { return renew_interval_.value_or(ttl_ / 3); }
    std::optional<std::uint32_t> limit() const { return limit_; }
    std::optional<Slot> preferred() const { return preferred_; }
    Duration max_ahead() const { return max_ahead_.value_or(tolerance_); }
    Duration call_timeout() const { return call_timeout_; }

private:
    Namespace name_;
    OwnerKey owner_;
    Duration ttl_{30'000};
    Duration tolerance_{5'000};
    std::optional<Duration> renew_interval_;
    std::optional<std::uint32_t> limit_;
    std::optional<Slot> preferred_;
    std::optional<Duration> max_ahead_;
    Duration call_timeout_{1'000};
};

// No store: uniqueness rests on whoever gave the number. It uses the wall clock.
struct ManualMachine {
    std::uint32_t id = 0;
};

enum class LeaseState : std::uint8_t {
    acquiring,
    leased,
    renewing_late,  // a renewal is overdue; ids are issued up to the ceiling
    lost,           // the gates are closed; a new lease is being acquired
    suspended,      // lost, and the store may have lost a write: an operator must look
    closed,
};
std::string_view name_of(LeaseState state);

struct LeaseInfo {
    Namespace name;
    OwnerKey owner;
    LeaseState state = LeaseState::acquiring;
    Slot slot{};  // this and the rest: of the newest lease, if there was one
    Fence fence{};
    StoreTime expires_at{};
    StoreTime floor{};
    StoreTime ceiling{};
    bool duplicate_owner_key = false;
};

class LeaseListener {
public:
    virtual ~LeaseListener() = default;
    // On a loop of the runtime, in the order of the changes; must not block nor throw.
    virtual void lease_changed(LeaseState before, const LeaseInfo& now) = 0;
};

}  // namespace holdfast
