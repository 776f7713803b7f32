#include "remote_store.h"

#include <holdfast/base/fault_switch.h>

namespace holdfast::sim {
namespace {

const Deadline never = Deadline::at(SteadyTime::max());

long long ms(StoreTime time) {
    return static_cast<long long>(time.time_since_epoch().count());
}

void note(
    Scene& scene, SessionId session, const Namespace& name, const char* call, const SlotLease& lease
) {
    scene.ledger.granted(name.text(), lease);
    scene.trace(
        "store: session %u: %s: slot %u fence %llu [%lld, %lld) now %lld",
        session,
        call,
        lease.slot.value(),
        static_cast<unsigned long long>(lease.fence.value()),
        ms(lease.floor),
        ms(lease.ceiling),
        ms(lease.store_now)
    );
}

}  // namespace

RemoteStore::RemoteStore(Network& network, SessionId session)
    : network_(&network), session_(session) {
    if (fault("renew-response-unmatched")) {
        late_renewal_ = std::make_shared<std::optional<RenewOutcome>>();
    }
    if (fault("late-range-used")) {
        late_range_ = std::make_shared<std::optional<ReserveOutcome>>();
    }
}

Task<Done> RemoteStore::probe(Deadline) {
    co_return Done();
}

// The broken variants of a client that takes whatever answer comes for the one it waits for.

Task<ReserveOutcome> RemoteStore::reserve(ReserveRequest request, Deadline deadline) {
    if (late_range_ != nullptr && late_range_->has_value()) {
        const ReserveOutcome late = **late_range_;
        late_range_->reset();
        co_return late;
    }
    auto execute = [network = network_, session = session_, request] {
        auto outcome = network->store().reserve(request, never);
        if (outcome.ok() && std::holds_alternative<Range>(outcome.value())) {
            const auto& range = std::get<Range>(outcome.value());
            Scene& scene = network->scene();
            scene.ledger.reserved(
                request.key().text(), Span{range.start, range.end - 1, session, scene.now_ms()}
            );
            scene.trace(
                "store: session %u: reserve %s: [%lld, %lld)",
                session,
                request.key().text().c_str(),
                static_cast<long long>(range.start),
                static_cast<long long>(range.end)
            );
        }
        return outcome;
    };
    Call<ReserveOutcome> call(*network_, "reserve", deadline, execute, late_range_);
    co_return co_await call;
}

Task<SealOutcome> RemoteStore::seal(RangeKey, Deadline) {
    co_return SealOutcome::unsupported;
}

Task<AcquireOutcome> RemoteStore::acquire(AcquireRequest request, Deadline deadline) {
    auto execute = [network = network_, session = session_, request] {
        CentralStore& store = network->store();
        auto outcome = store.run(store.slots().acquire(request, never));
        if (outcome.ok()) {
            if (const auto* got = std::get_if<Acquired>(&outcome.value())) {
                note(network->scene(), session, request.name(), "acquire", got->lease);
            } else {
                network->scene().trace("store: session %u: acquire: no slot", session);
            }
        }
        return outcome;
    };
    Call<AcquireOutcome> call(*network_, "acquire", deadline, execute, nullptr);
    co_return co_await call;
}

Task<RenewOutcome>
RemoteStore::renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) {
    if (late_renewal_ != nullptr && late_renewal_->has_value()) {
        const auto* lease = std::get_if<SlotLease>(&**late_renewal_);
        // One to this same lease would do no harm: it waits for the next lease.
        if (lease != nullptr && (lease->slot != key.slot() || lease->fence != key.fence())) {
            note(network_->scene(), session_, key.name(), "late answer to a renewal", *lease);
            RenewOutcome wrong(*lease);
            late_renewal_->reset();
            co_return wrong;
        }
    }
    auto execute = [network = network_, session = session_, key, ttl, tolerance] {
        CentralStore& store = network->store();
        auto outcome = store.run(store.slots().renew(key, ttl, tolerance, never));
        if (outcome.ok()) {
            if (const auto* lease = std::get_if<SlotLease>(&outcome.value())) {
                note(network->scene(), session, key.name(), "renew", *lease);
            } else {
                network->scene().trace("store: session %u: renew: lost", session);
            }
        }
        return outcome;
    };
    Call<RenewOutcome> call(*network_, "renew", deadline, execute, late_renewal_);
    co_return co_await call;
}

Task<ReleaseOutcome> RemoteStore::release(LeaseKey key, StoreTime last_issued, Deadline deadline) {
    auto execute = [network = network_, session = session_, key, last_issued] {
        CentralStore& store = network->store();
        auto outcome = store.run(store.slots().release(key, last_issued, never));
        const bool released = outcome.ok() && std::holds_alternative<Released>(outcome.value());
        network->scene().totals.releases += released ? 1 : 0;
        network->scene().trace(
            "store: session %u: release slot %u fence %llu last %lld: %s",
            session,
            key.slot().value(),
            static_cast<unsigned long long>(key.fence().value()),
            ms(last_issued),
            released       ? "released"
            : outcome.ok() ? "lost"
                           : "refused"
        );
        return outcome;
    };
    Call<ReleaseOutcome> call(*network_, "release", deadline, execute, nullptr);
    co_return co_await call;
}

}  // namespace holdfast::sim
