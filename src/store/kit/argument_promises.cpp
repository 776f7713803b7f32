// Both sides of each number that a request may carry; what is refused has changed nothing.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

constexpr std::string_view range_group = "range arguments";
constexpr std::string_view slot_group = "slot arguments";

void expect_size_refused(Trial& t, std::int64_t size) {
    t.expect_refused(t.try_reserve(ReserveRequest(t.key(), size, 7)), "the size");
    t.expect_equal(t.take(ReserveRequest(t.key(), 1, 3)).start, 3, "start after a refused call");
}

void expect_acquire_refused(Trial& t, AcquireRequest request, std::string_view what) {
    t.expect_refused(t.try_acquire(std::move(request)), what);
    const Lease first = t.take(t.ask("later").limit(3).tolerance(Duration(500)));
    t.expect_equal(first.slot(), 0, "slot after a refused call");
    t.expect_equal(
        static_cast<std::int64_t>(first.row().fence.value()), 1, "fence after a refused call"
    );
}

void expect_terms_refused(Trial& t, Duration ttl, Duration tolerance, std::string_view what) {
    const Lease lease = t.take(t.ask("owner").limit(1));
    t.expect_refused(t.try_renew(lease.key(), ttl, tolerance), what);
    const SlotsExhausted full = t.expect_exhausted(t.ask("other").limit(1));
    t.expect(
        full.earliest_expires_at == lease.row().expires_at, "a refused renewal moved the expiry"
    );
}

LeaseKey moved(const Lease& lease, Slot slot, Fence fence) {
    return LeaseKey(
        lease.request().name(), slot, lease.request().owner(), lease.request().incarnation(), fence
    );
}

constexpr Promise range_table[] = {
    {range_group,
     "a size of zero is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_size_refused(t, 0);
     }},
    {range_group,
     "a negative size is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_size_refused(t, -1);
     }},
    {range_group,
     "a size above a million million is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_size_refused(t, limits::reserve_size_max + 1);
     }},
    {range_group,
     "a size of a million million is accepted",
     Needs::nothing,
     [](Trial& t) {
         const Range range = t.take(ReserveRequest(t.key(), limits::reserve_size_max));
         t.expect_equal(range.end, limits::reserve_size_max, "end");
     }},
    {range_group,
     "a negative initial offset is refused",
     Needs::nothing,
     [](Trial& t) {
         t.expect_refused(t.try_reserve(ReserveRequest(t.key(), 1, -1)), "the initial offset");
         t.expect_equal(t.take(ReserveRequest(t.key(), 1, 3)).start, 3, "start");
     }},
};

constexpr Promise slot_table[] = {
    {slot_group,
     "a limit of zero is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_acquire_refused(t, t.ask("owner").limit(0), "the limit");
     }},
    {slot_group,
     "a limit above 65536 is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_acquire_refused(t, t.ask("owner").limit(65'537), "the limit");
     }},
    {slot_group,
     "a limit of one works",
     Needs::nothing,
     [](Trial& t) {
         t.expect_equal(t.take(t.ask("owner").limit(1)).slot(), 0, "slot");
     }},
    {slot_group,
     "a limit of 65536 works up to its last slot",
     Needs::nothing,
     [](Trial& t) {
         const Lease high = t.take(t.ask("high").limit(65'536).preferred(Slot(65'535)));
         t.expect_equal(high.slot(), 65'535, "preferred slot");
         t.expect_equal(t.take(t.ask("low").limit(65'536)).slot(), 0, "lowest slot");
         (void)t.renew(high);
         t.release_unused(high);
     }},
    {slot_group,
     "a ttl below 100 ms is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_acquire_refused(t, t.ask("owner").ttl(Duration(99)), "the ttl");
     }},
    {slot_group,
     "a ttl above one hour is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_acquire_refused(t, t.ask("owner").ttl(hours(1) + Duration(1)), "the ttl");
     }},
    {slot_group,
     "a ttl of 100 ms works",
     Needs::nothing,
     [](Trial& t) {
         const SlotLease row = t.take(t.ask("owner").ttl(Duration(100))).row();
         t.expect_equal((row.expires_at - row.store_now).count(), 100, "time until expiry");
     }},
    {slot_group,
     "a ttl of one hour works",
     Needs::nothing,
     [](Trial& t) {
         const SlotLease row = t.take(t.ask("owner").ttl(hours(1))).row();
         t.expect_equal((row.expires_at - row.store_now).count(), 3'600'000, "time until expiry");
     }},
    {slot_group,
     "a negative tolerance is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_acquire_refused(t, t.ask("owner").tolerance(Duration(-1)), "the tolerance");
     }},
    {slot_group,
     "a tolerance above one minute is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_acquire_refused(
             t, t.ask("owner").tolerance(minutes(1) + Duration(1)), "the tolerance"
         );
     }},
    {slot_group,
     "a tolerance of zero works",
     Needs::nothing,
     [](Trial& t) {
         const SlotLease row = t.take(t.ask("owner").tolerance(Duration(0))).row();
         t.expect(row.ceiling == row.expires_at, "the ceiling is not the expiry");
     }},
    {slot_group,
     "a tolerance of one minute works",
     Needs::nothing,
     [](Trial& t) {
         const SlotLease row = t.take(t.ask("owner").tolerance(minutes(1))).row();
         t.expect_equal((row.ceiling - row.expires_at).count(), 60'000, "ceiling after expiry");
     }},
    {slot_group,
     "a preferred slot at the limit is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_acquire_refused(t, t.ask("owner").preferred(Slot(4)), "the preferred slot");
     }},
    {slot_group,
     "the last slot below the limit can be preferred",
     Needs::nothing,
     [](Trial& t) {
         t.expect_equal(t.take(t.ask("owner").preferred(Slot(3))).slot(), 3, "slot");
     }},
    {slot_group,
     "a renewal with a ttl below 100 ms is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_terms_refused(t, Duration(99), Duration(0), "the ttl");
     }},
    {slot_group,
     "a renewal with a ttl above one hour is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_terms_refused(t, hours(1) + Duration(1), Duration(0), "the ttl");
     }},
    {slot_group,
     "a renewal with a negative tolerance is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_terms_refused(t, minutes(1), Duration(-1), "the tolerance");
     }},
    {slot_group,
     "a renewal with a tolerance above one minute is refused",
     Needs::nothing,
     [](Trial& t) {
         expect_terms_refused(t, minutes(1), minutes(1) + Duration(1), "the tolerance");
     }},
    {slot_group,
     "a slot number of 65536 is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const LeaseKey key = moved(lease, Slot(65'536), lease.row().fence);
         t.expect_refused(t.try_renew(key, minutes(1), Duration(0)), "the slot of a renewal");
         t.expect_refused(t.try_release(key, lease.row().floor), "the slot of a release");
     }},
    {slot_group,
     "a fence of 2 to the 53 is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const Fence fence(std::uint64_t{1} << 53);
         const LeaseKey key = moved(lease, lease.row().slot, fence);
         t.expect_refused(t.try_renew(key, minutes(1), Duration(0)), "the fence of a renewal");
         t.expect_refused(t.try_release(key, lease.row().floor), "the fence of a release");
     }},
    {slot_group,
     "a release at a time below minus one is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         t.expect_refused(t.try_release(lease.key(), StoreTime(Duration(-2))), "the time");
         (void)t.renew(lease);
     }},
    {slot_group,
     "a release at 2 to the 53 is refused",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         const StoreTime time(Duration(std::int64_t{1} << 53));
         t.expect_refused(t.try_release(lease.key(), time), "the time");
         (void)t.renew(lease);
     }},
};

}  // namespace

std::span<const Promise> range_argument_promises() {
    return range_table;
}
std::span<const Promise> slot_argument_promises() {
    return slot_table;
}

}  // namespace holdfast
