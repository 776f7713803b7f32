#pragma once
// The store as one session of a process sees it: over the network.

#include "network.h"

#include <holdfast/store/store.h>

namespace holdfast::sim {

class RemoteStore final : public Store, private RangeStore, private SlotLeaseStore {
public:
    RemoteStore(Network& network, SessionId session);

    RangeStore& ranges() override { return *this; }
    SlotLeaseStore& slots() override { return *this; }
    std::string_view type() const override { return "simulated"; }
    Task<Done> probe(Deadline deadline) override;

private:
    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override;
    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override;
    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override;
    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override;
    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last_issued, Deadline deadline) override;

    // Null, but in the broken variants that mix up answers.
    template <class Outcome>
    using LateAnswer = std::shared_ptr<std::optional<Outcome>>;

    Network* network_;
    SessionId session_;
    LateAnswer<ReserveOutcome> late_range_;
    LateAnswer<RenewOutcome> late_renewal_;
};

}  // namespace holdfast::sim
