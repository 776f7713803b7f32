// Releases: what they give back, and whom they are refused.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

using std::chrono::seconds;

constexpr std::string_view group = "release";

// Long enough for a next holder to be granted the rest of any window before.
AcquireRequest ask_long(Trial& t, std::string_view owner) {
    return t.ask(owner).limit(1).ttl(seconds(120));
}

StoreTime floor_of_next(Trial& t, const Lease& lease, StoreTime last_issued) {
    t.release(lease, last_issued);
    return t.take(ask_long(t, "next")).row().floor;
}

LeaseKey foreign(const Lease& lease, OwnerKey owner, Incarnation incarnation) {
    return LeaseKey(
        lease.request().name(),
        lease.row().slot,
        std::move(owner),
        std::move(incarnation),
        lease.row().fence
    );
}

constexpr Promise table[] = {
    {group,
     "a released slot is free",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("a").limit(1)));
         t.expect_equal(t.take(t.ask("b").limit(1)).slot(), 0, "slot");
     }},
    {group,
     "the next grant has a higher fence",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.release_unused(lease);
         const Lease next = t.take(t.ask("b").limit(1));
         t.expect(next.row().fence > lease.row().fence, "the fence did not rise");
     }},
    {group,
     "where nothing was issued the whole window is given back",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const StoreTime next = floor_of_next(t, lease, lease.row().floor - Duration(1));
         t.expect(next == lease.row().floor, "the next floor is not the floor");
     }},
    {group,
     "after one millisecond the rest of the window is given back",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const StoreTime next = floor_of_next(t, lease, lease.row().floor);
         t.expect(next == lease.row().floor + Duration(1), "the next floor is wrong");
     }},
    {group,
     "in the middle of the window the rest is given back",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const StoreTime last = lease.row().store_now + Duration(7);
         const StoreTime next = floor_of_next(t, lease, last);
         t.expect(next == last + Duration(1), "the next floor is not one after the last");
     }},
    {group,
     "at the end of the window nothing is given back",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const StoreTime next = floor_of_next(t, lease, lease.row().ceiling - Duration(1));
         t.expect(next == lease.row().ceiling, "the next floor is not the ceiling");
     }},
    {group,
     "a time at the ceiling is refused and the lease stays",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.expect_refused(t.try_release(lease.key(), lease.row().ceiling), "the ceiling");
         (void)t.renew(lease);
     }},
    {group,
     "a time above the ceiling is refused and the lease stays",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const StoreTime far = lease.row().ceiling + std::chrono::hours(1);
         t.expect_refused(t.try_release(lease.key(), far), "a time above the ceiling");
         (void)t.renew(lease);
     }},
    {group,
     "a time two below the floor is refused and the lease stays",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("a").limit(1));
         t.release(first, first.row().store_now);
         const Lease lease = t.take(t.ask("b").limit(1));
         const StoreTime below = lease.row().floor - Duration(2);
         t.expect_refused(t.try_release(lease.key(), below), "a time below the floor");
         (void)t.renew(lease);
     }},
    {group,
     "a release one below a floor that is not zero keeps that floor",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("a").limit(1));
         t.release(first, first.row().store_now);
         const Lease second = t.take(t.ask("b").limit(1));
         const StoreTime next = floor_of_next(t, second, second.row().floor - Duration(1));
         t.expect(next == second.row().floor, "the next floor is not the floor");
     }},
    {group,
     "a time of zero is refused by a lease with a later floor",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("a").limit(1));
         t.release(first, first.row().store_now);
         const Lease second = t.take(t.ask("b").limit(1));
         t.expect_refused(t.try_release(second.key(), StoreTime()), "a time of zero");
         t.expect_refused(t.try_release(second.key(), StoreTime(Duration(-1))), "minus one");
         (void)t.renew(second);
     }},
    {group,
     "a window raised by a renewal can be used to its new end",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const SlotLease row = t.renew(lease.key(), seconds(60), seconds(1));
         const StoreTime next = floor_of_next(t, lease, row.ceiling - Duration(1));
         t.expect(next == row.ceiling, "the next floor is not the ceiling");
     }},
    {group,
     "a repeated release says the lease is lost",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const StoreTime last = lease.row().floor;
         t.release(lease, last);
         t.expect(
             !t.expect_release_lost(lease.key(), last).rollback_suspected,
             "a lost write was suspected"
         );
     }},
    {group,
     "a repeated release with another time changes nothing",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.release(lease, lease.row().ceiling - Duration(1));
         (void)t.expect_release_lost(lease.key(), lease.row().floor - Duration(1));
         const StoreTime next = t.take(ask_long(t, "b")).row().floor;
         t.expect(next == lease.row().ceiling, "the next floor is not the ceiling");
     }},
    {group,
     "a late release does not free the slot of the next holder",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("a").limit(1));
         t.release_unused(first);
         const Lease second = t.take(t.ask("b").limit(1));
         (void)t.expect_release_lost(first.key(), first.row().floor - Duration(1));
         (void)t.renew(second);
         (void)t.expect_exhausted(t.ask("c").limit(1));
     }},
    {group,
     "a late release does not free the next lease of the same incarnation",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("a").limit(1));
         t.release_unused(first);
         const Lease second = t.take(first.request());
         (void)t.expect_release_lost(first.key(), first.row().floor - Duration(1));
         (void)t.renew(second);
     }},
    {group,
     "a release by another owner is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const LeaseKey key = foreign(lease, t.owner("b"), lease.request().incarnation());
         (void)t.expect_release_lost(key, lease.row().floor);
         (void)t.renew(lease);
     }},
    {group,
     "a release by another incarnation of the owner is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const LeaseKey key = foreign(lease, lease.request().owner(), t.fresh_incarnation());
         (void)t.expect_release_lost(key, lease.row().floor);
         (void)t.renew(lease);
     }},
    {group,
     "a release with a fence above the row's suspects a lost write",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const Fence above(lease.row().fence.value() + 1);
         t.expect(
             t.expect_release_lost(lease.key_with(above), lease.row().floor).rollback_suspected,
             "no lost write was suspected"
         );
         (void)t.renew(lease);
     }},
    {group,
     "a release with a fence below the row's is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const LeaseKey key = lease.key_with(Fence(0));
         t.expect(
             !t.expect_release_lost(key, lease.row().floor).rollback_suspected,
             "a lost write was suspected"
         );
         (void)t.renew(lease);
     }},
    {group,
     "a release in a namespace that does not exist is refused",
     Needs::nothing,
     [](Trial& t) {
         const LeaseKey key(
             t.space("-none"), Slot(0), t.owner("a"), t.fresh_incarnation(), Fence(1)
         );
         t.expect(
             t.expect_release_lost(key, StoreTime()).rollback_suspected,
             "no lost write was suspected"
         );
     }},
    {group,
     "an expired lease that nobody took can be released",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         const StoreTime last = lease.row().store_now;
         t.expect(floor_of_next(t, lease, last) == last + Duration(1), "the next floor is wrong");
     }},
    {group,
     "a lease that expired and was taken cannot be released",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         const Lease next = t.take(t.ask("b").limit(1));
         (void)t.expect_release_lost(lease.key(), lease.row().floor);
         (void)t.renew(next);
     }},
    {group,
     "a release holds after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const StoreTime last = lease.row().store_now;
         t.release(lease, last);
         t.reopen();
         const Lease next = t.take(t.ask("b").limit(1));
         t.expect(next.row().floor == last + Duration(1), "the next floor is wrong");
         t.expect(next.row().fence > lease.row().fence, "the fence did not rise");
     }},
};

}  // namespace

std::span<const Promise> release_promises() {
    return table;
}

}  // namespace holdfast
