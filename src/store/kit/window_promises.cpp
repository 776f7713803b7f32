// Windows: the milliseconds of one lease are never another's.
#include "groups.h"
#include "trial.h"

#include <random>

namespace holdfast {
namespace {

using std::chrono::seconds;

constexpr std::string_view group = "windows";

constexpr Promise table[] = {
    {group,
     "the window of a first lease starts at zero",
     Needs::nothing,
     [](Trial& t) {
         const SlotLease row = t.take(t.ask("a")).row();
         t.expect_equal(row.floor.time_since_epoch().count(), 0, "floor");
         t.expect_equal(static_cast<std::int64_t>(row.fence.value()), 1, "fence");
     }},
    {group,
     "the window of a first lease ends ttl and tolerance after now",
     Needs::nothing,
     [](Trial& t) {
         const SlotLease row = t.take(t.ask("a").ttl(seconds(20)).tolerance(seconds(3))).row();
         t.expect(row.expires_at == row.store_now + seconds(20), "wrong expiry");
         t.expect(row.ceiling == row.store_now + seconds(23), "wrong ceiling");
     }},
    {group,
     "after an expiry the next window starts at the ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         const Lease next = t.take(t.ask("b").limit(1));
         t.expect(next.row().floor == lease.row().ceiling, "the floor is not the ceiling");
     }},
    {group,
     "after a renewed lease expired the next window starts at the last ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(Duration(100)));
         const SlotLease row = t.renew(lease.key(), Duration(200), seconds(2));
         t.pass_until(row.expires_at);
         const Lease next = t.take(t.ask("b").limit(1));
         t.expect(next.row().floor == row.ceiling, "the floor is not the last ceiling");
     }},
    {group,
     "after a shorter renewal expired the next window starts at the first ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const SlotLease row = t.renew(lease.key(), Duration(100), Duration(0));
         t.pass_until(row.expires_at);
         const Lease next = t.take(t.ask("b").limit(1).ttl(seconds(120)));
         t.expect(next.row().floor == lease.row().ceiling, "the floor is not the first ceiling");
     }},
    {group,
     "an owner's own next window starts at the ceiling too",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         const Lease next = t.take(t.ask("a").limit(1));
         t.expect(next.row().floor == lease.row().ceiling, "the floor is not the ceiling");
     }},
    {group,
     "a second incarnation of an owner gets no part of the first window",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const auto answer = t.try_acquire(t.ask("a").limit(1));
         const auto* taken = answer.ok() ? std::get_if<Acquired>(&answer.value()) : nullptr;
         t.expect(
             taken == nullptr || taken->lease.floor >= lease.row().ceiling, "the windows overlap"
         );
     }},
    {group,
     "windows and fences of one slot rise through a hundred leases",
     Needs::nothing,
     [](Trial& t) {
         std::mt19937_64 random(7);
         StoreTime used_to;
         Fence fence;
         for (int i = 0; i < 100; ++i) {
             const auto owner = "owner-" + std::to_string(i % 5);
             const Lease lease = t.take(t.ask(owner).limit(1).ttl(seconds(60 + i)));
             t.expect(lease.row().floor >= used_to, "two windows overlap");
             t.expect(lease.row().fence > fence, "the fence did not rise");
             const auto last = lease.row().floor + Duration(random() % 50);
             t.release(lease, last);
             used_to = last + Duration(1);
             fence = lease.row().fence;
         }
     }},
    {group,
     "a ceiling never falls through a hundred renewals",
     Needs::nothing,
     [](Trial& t) {
         std::mt19937_64 random(11);
         const Lease lease = t.take(t.ask("a"));
         StoreTime ceiling = lease.row().ceiling;
         for (int i = 0; i < 100; ++i) {
             const SlotLease row =
                 t.renew(lease.key(), Duration(100 + random() % 60'000), Duration(random() % 5000));
             t.expect(row.ceiling >= ceiling, "the ceiling fell");
             t.expect(row.ceiling >= row.expires_at, "the ceiling lies before the expiry");
             ceiling = row.ceiling;
         }
     }},
    {group,
     "the slots of a namespace have windows of their own",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("a"));
         t.release(first, first.row().ceiling - Duration(1));
         t.expect_equal(
             t.take(t.ask("b").preferred(Slot(1))).row().floor.time_since_epoch().count(),
             0,
             "floor of another slot"
         );
     }},
    {group,
     "windows hold after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(Duration(100)));
         t.reopen();
         t.pass_until(lease.row().expires_at);
         const Lease next = t.take(t.ask("b").limit(1));
         t.expect(next.row().floor == lease.row().ceiling, "the floor is not the ceiling");
         t.expect(next.row().fence > lease.row().fence, "the fence did not rise");
     }},
};

}  // namespace

std::span<const Promise> window_promises() {
    return table;
}

}  // namespace holdfast
