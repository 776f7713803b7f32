// Renewals: what moves, what never moves, and whom they are refused.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

using std::chrono::seconds;

constexpr std::string_view group = "renew";

LeaseKey with_owner(Trial& t, const Lease& lease, std::string_view owner) {
    return LeaseKey(
        lease.request().name(),
        lease.row().slot,
        t.owner(owner),
        lease.request().incarnation(),
        lease.row().fence
    );
}
LeaseKey with_incarnation(const Lease& lease, const Incarnation& incarnation) {
    return LeaseKey(
        lease.request().name(),
        lease.row().slot,
        lease.request().owner(),
        incarnation,
        lease.row().fence
    );
}
LeaseKey with_slot(const Lease& lease, Slot slot) {
    return LeaseKey(
        lease.request().name(),
        slot,
        lease.request().owner(),
        lease.request().incarnation(),
        lease.row().fence
    );
}
Fence shifted(const Lease& lease, std::int64_t by) {
    return Fence(lease.row().fence.value() + static_cast<std::uint64_t>(by));
}

constexpr Promise table[] = {
    {group,
     "a renewal moves the expiry and the ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const SlotLease row = t.renew(lease.key(), seconds(60), seconds(1));
         t.expect(row.expires_at == row.store_now + seconds(60), "wrong expiry");
         t.expect(row.ceiling == row.store_now + seconds(61), "wrong ceiling");
     }},
    {group,
     "a renewal keeps slot, fence and floor",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         for (int i = 0; i < 3; ++i) {
             const SlotLease row = t.renew(lease);
             t.expect(row.slot == lease.row().slot, "the slot moved");
             t.expect(row.fence == lease.row().fence, "the fence moved");
             t.expect(row.floor == lease.row().floor, "the floor moved");
         }
     }},
    {group,
     "a shorter renewal moves the expiry back but not the ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const SlotLease row = t.renew(lease.key(), seconds(1), seconds(0));
         t.expect(row.expires_at == row.store_now + seconds(1), "wrong expiry");
         t.expect(row.ceiling == lease.row().ceiling, "the ceiling moved");
     }},
    {group,
     "a renewal may use another tolerance than the namespace",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const SlotLease row = t.renew(lease.key(), seconds(30), seconds(5));
         t.expect(row.ceiling == row.store_now + seconds(35), "wrong ceiling");
     }},
    {group,
     "a renewal keeps the lease from expiring",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").limit(1).ttl(Duration(100)));
         (void)t.renew(lease.key(), seconds(60), seconds(1));
         t.pass_until(lease.row().expires_at);
         (void)t.expect_exhausted(t.ask("other").limit(1));
     }},
    {group,
     "a shorter renewal lets the lease expire earlier",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").limit(1));
         const SlotLease row = t.renew(lease.key(), Duration(100), seconds(1));
         t.pass_until(row.expires_at);
         const Lease next = t.take(t.ask("other").limit(1).ttl(seconds(60)));
         t.expect(next.row().floor >= lease.row().ceiling, "the windows overlap");
     }},
    {group,
     "a renewal with an old fence is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         t.release_unused(first);
         const Lease second = t.take(first.request());
         const LeaseLost gone = t.expect_renew_lost(second.key_with(first.row().fence));
         t.expect(!gone.rollback_suspected, "a lost write was suspected");
     }},
    {group,
     "a renewal with a fence of zero is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         (void)t.expect_renew_lost(lease.key_with(Fence(0)));
     }},
    {group,
     "a renewal with a fence above the row's suspects a lost write",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const LeaseLost gone = t.expect_renew_lost(lease.key_with(shifted(lease, 1)));
         t.expect(gone.rollback_suspected, "no lost write was suspected");
     }},
    {group,
     "a renewal with the largest fence is refused and suspects a lost write",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const Fence most(static_cast<std::uint64_t>(limits::stored_time_max));
         t.expect(
             t.expect_renew_lost(lease.key_with(most)).rollback_suspected,
             "no lost write was suspected"
         );
     }},
    {group,
     "a renewal by another owner is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const LeaseLost gone = t.expect_renew_lost(with_owner(t, lease, "other"));
         t.expect(!gone.rollback_suspected, "a lost write was suspected");
     }},
    {group,
     "a renewal by another incarnation of the owner is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         (void)t.expect_renew_lost(with_incarnation(lease, t.fresh_incarnation()));
     }},
    {group,
     "a renewal of a slot that was never granted is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         (void)t.expect_renew_lost(with_slot(lease, Slot(3)));
     }},
    {group,
     "a renewal of a slot beyond the limit is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         (void)t.expect_renew_lost(with_slot(lease, Slot(65'535)));
     }},
    {group,
     "a renewal in a namespace that does not exist is refused",
     Needs::nothing,
     [](Trial& t) {
         const LeaseKey key(
             t.space("-none"), Slot(0), t.owner("owner"), t.fresh_incarnation(), Fence(1)
         );
         t.expect(t.expect_renew_lost(key).rollback_suspected, "no lost write was suspected");
     }},
    {group,
     "a renewal after the release is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         t.release_unused(lease);
         const LeaseLost gone = t.expect_renew_lost(lease.key());
         t.expect(!gone.rollback_suspected, "a lost write was suspected");
     }},
    {group,
     "a renewal after another took the slot is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").limit(1).ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         const Lease next = t.take(t.ask("other").limit(1));
         (void)t.expect_renew_lost(lease.key());
         (void)t.renew(next);
     }},
    {group,
     "an expired lease that nobody took can be renewed",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         const SlotLease row = t.renew(lease);
         t.expect(row.fence == lease.row().fence, "the fence moved");
     }},
    {group,
     "a refused renewal changes nothing",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").limit(1).ttl(seconds(20)));
         (void)t.expect_renew_lost(with_owner(t, lease, "other"));
         (void)t.expect_renew_lost(with_incarnation(lease, t.fresh_incarnation()));
         (void)t.expect_renew_lost(lease.key_with(shifted(lease, 1)));
         (void)t.expect_renew_lost(lease.key_with(Fence(0)));
         const SlotsExhausted full = t.expect_exhausted(t.ask("late").limit(1));
         t.expect(full.earliest_expires_at == lease.row().expires_at, "the expiry moved");
     }},
    {group,
     "a lease can be renewed after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         t.reopen();
         const SlotLease row = t.renew(lease);
         t.expect(row.ceiling >= lease.row().ceiling, "the ceiling fell");
         t.expect(row.floor == lease.row().floor, "the floor moved");
     }},
};

}  // namespace

std::span<const Promise> renew_promises() {
    return table;
}

}  // namespace holdfast
