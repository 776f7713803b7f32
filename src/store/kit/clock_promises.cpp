// The store's clock jumps as it likes: it decides when and how long, never what overlaps.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr std::string_view group = "clock of the store";
constexpr StoreTime start{Duration(trial_start_ms)};

constexpr Promise table[] = {
    {group,
     "answers carry the store's time",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a"));
         t.expect(lease.row().store_now == start, "another time at the acquire");
         t.set_now(start + Duration(1234));
         t.expect(
             t.renew(lease).store_now == start + Duration(1234), "another time at the renewal"
         );
     }},
    {group,
     "a lease is held until one millisecond before its expiry",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.set_now(lease.row().expires_at - Duration(1));
         (void)t.expect_exhausted(t.ask("b").limit(1));
         (void)t.renew(lease);
     }},
    {group,
     "a lease is free at the millisecond of its expiry",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.set_now(lease.row().expires_at);
         (void)t.take(t.ask("b").limit(1));
     }},
    {group,
     "a clock that jumps ahead frees all leases",
     Needs::clock,
     [](Trial& t) {
         for (const char* owner : {"a", "b", "c", "d"}) {
             (void)t.take(t.ask(owner));
         }
         t.set_now(start + hours(24 * 365));
         for (const char* owner : {"e", "f", "g", "h"}) {
             (void)t.take(t.ask(owner));
         }
     }},
    {group,
     "a renewal after a step back keeps the ceiling",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a"));
         t.set_now(start - hours(1));
         const SlotLease row = t.renew(lease);
         t.expect(row.ceiling == lease.row().ceiling, "the ceiling moved");
         t.expect(row.expires_at == start - hours(1) + seconds(30), "wrong expiry");
     }},
    {group,
     "a repeated acquire after a step back keeps the ceiling",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a"));
         t.set_now(start - hours(1));
         const SlotLease row = t.take(lease.request()).row();
         t.expect(row.ceiling == lease.row().ceiling, "the ceiling moved");
         t.expect(row.fence == lease.row().fence, "the fence moved");
     }},
    {group,
     "a window after a step back does not overlap the one before",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.release(lease, start + Duration(5));
         t.set_now(start - seconds(10));
         const Lease next = t.take(t.ask("b").limit(1));
         t.expect(next.row().floor == start + Duration(6), "the next floor is wrong");
         t.expect(next.row().ceiling == start + seconds(21), "the ceiling is wrong");
     }},
    {group,
     "a window after an expiry and a step back does not overlap",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.set_now(start + seconds(30));
         const Lease second = t.take(t.ask("b").limit(1));
         t.set_now(start + hours(1));
         t.set_now(second.row().expires_at);
         const Lease third = t.take(t.ask("c").limit(1));
         t.expect(second.row().floor == lease.row().ceiling, "the second floor is wrong");
         t.expect(third.row().floor == second.row().ceiling, "the third floor is wrong");
     }},
    {group,
     "a slot whose window would be empty is not granted",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.release(lease, lease.row().ceiling - Duration(1));
         (void)t.expect_exhausted(t.ask("b").limit(1));
     }},
    {group,
     "the hint of an empty window is when it is no longer empty",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.release(lease, lease.row().ceiling - Duration(1));
         t.set_now(start - hours(1));
         const SlotsExhausted full = t.expect_exhausted(t.ask("b").limit(1));
         t.expect(full.earliest_expires_at == start + Duration(1), "another hint");
         t.set_now(full.earliest_expires_at - Duration(1));
         (void)t.expect_exhausted(t.ask("b").limit(1));
         t.set_now(full.earliest_expires_at);
         const SlotLease next = t.take(t.ask("b").limit(1)).row();
         t.expect_equal((next.ceiling - next.floor).count(), 1, "length of the window");
     }},
    {group,
     "an acquire passes over empty windows",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").preferred(Slot(0)));
         t.release(lease, lease.row().ceiling - Duration(1));
         t.set_now(start - hours(1));
         t.expect_equal(t.take(t.ask("a").preferred(Slot(0))).slot(), 1, "slot");
     }},
    {group,
     "a slot is usable at once if its floor is within the tolerance",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a"));
         t.release(lease, start + seconds(1) - Duration(1));
         t.expect_equal(t.take(t.ask("b")).slot(), 0, "slot");
     }},
    {group,
     "a slot is not usable at once if its floor is beyond the tolerance",
     Needs::clock,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a"));
         t.release(lease, start + seconds(1));
         t.expect_equal(t.take(t.ask("b")).slot(), 1, "slot");
     }},
    {group,
     "a clock at zero works",
     Needs::clock,
     [](Trial& t) {
         t.set_now(StoreTime());
         const SlotLease row = t.take(t.ask("a")).row();
         t.expect(row.store_now == StoreTime(), "another time");
         t.expect(row.ceiling == StoreTime(seconds(31)), "wrong ceiling");
     }},
    {group,
     "a clock before zero is taken as zero",
     Needs::clock,
     [](Trial& t) {
         t.set_now(StoreTime(Duration(-5)));
         const Lease lease = t.take(t.ask("a"));
         t.expect(lease.row().store_now == StoreTime(), "another time");
         t.expect(t.renew(lease).expires_at == StoreTime(seconds(30)), "wrong expiry");
     }},
    {group,
     "a clock beyond 2 to the 53 is taken as the last exact time",
     Needs::clock,
     [](Trial& t) {
         t.set_now(StoreTime(Duration(limits::stored_time_max + 1)));
         const Lease lease = t.take(t.ask("a"));
         const StoreTime latest{Duration(limits::stored_time_max)};
         t.expect(lease.row().ceiling == latest, "the ceiling is not the last exact time");
         t.expect(t.renew(lease).ceiling == latest, "the ceiling moved");
     }},
    {group,
     "a clock that runs between extremes keeps windows apart",
     Needs::clock,
     [](Trial& t) {
         StoreTime used_to;
         for (int i = 0; i < 60; ++i) {
             t.set_now(start + hours(i % 2 == 0 ? i : -i) + seconds(i));
             const auto answer = t.try_acquire(t.ask("owner").limit(1));
             if (!t.expect(answer.ok(), "acquire failed")) {
                 return;
             }
             if (const auto* granted = std::get_if<Acquired>(&answer.value())) {
                 t.expect(granted->lease.floor >= used_to, "two windows overlap");
                 t.expect(granted->lease.ceiling > granted->lease.floor, "an empty window");
                 used_to = granted->lease.ceiling;
             }
         }
     }},
};

}  // namespace

std::span<const Promise> clock_promises() {
    return table;
}

}  // namespace holdfast
