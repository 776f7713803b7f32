// All slots held: what is answered, and how it ends.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

using std::chrono::seconds;

constexpr std::string_view group = "exhausted slots";

constexpr Promise table[] = {
    {group,
     "a namespace of one slot has one holder",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a").limit(1));
         (void)t.expect_exhausted(t.ask("b").limit(1));
     }},
    {group,
     "a namespace of four slots has four holders",
     Needs::nothing,
     [](Trial& t) {
         for (const char* owner : {"a", "b", "c", "d"}) {
             (void)t.take(t.ask(owner));
         }
         (void)t.expect_exhausted(t.ask("e"));
     }},
    {group,
     "the hint is the expiry of the only lease",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const SlotsExhausted full = t.expect_exhausted(t.ask("b").limit(1));
         t.expect(full.earliest_expires_at == lease.row().expires_at, "another hint");
     }},
    {group,
     "the hint is the earliest of several expiries",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a").limit(3).ttl(seconds(40)));
         const Lease soonest = t.take(t.ask("b").limit(3).ttl(seconds(20)));
         (void)t.take(t.ask("c").limit(3).ttl(seconds(30)));
         const SlotsExhausted full = t.expect_exhausted(t.ask("d").limit(3));
         t.expect(full.earliest_expires_at == soonest.row().expires_at, "another hint");
     }},
    {group,
     "the hint follows a renewal",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(seconds(20)));
         const SlotLease renewed = t.renew(lease.key(), seconds(60), seconds(1));
         const SlotsExhausted full = t.expect_exhausted(t.ask("b").limit(1));
         t.expect(full.earliest_expires_at == renewed.expires_at, "another hint");
     }},
    {group,
     "a release makes room",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         (void)t.expect_exhausted(t.ask("b").limit(1));
         t.release_unused(lease);
         (void)t.take(t.ask("b").limit(1));
     }},
    {group,
     "at the time of the hint there is room",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a").limit(1).ttl(Duration(100)));
         const SlotsExhausted full = t.expect_exhausted(t.ask("b").limit(1));
         t.pass_until(full.earliest_expires_at);
         (void)t.take(t.ask("b").limit(1));
     }},
    {group,
     "a refused owner leaves nothing behind",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         const AcquireRequest late = t.ask("b").limit(1);
         (void)t.expect_exhausted(late);
         (void)t.renew(lease);
         t.release_unused(lease);
         const Lease next = t.take(late);
         t.expect(next.answer().reason == AcquireReason::free, "the reason is not free");
         t.expect(!next.answer().duplicate_owner_key, "a ghost was seen");
         t.expect_equal(static_cast<std::int64_t>(next.row().fence.value()), 2, "fence");
     }},
    {group,
     "preferring a held slot does not help",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         (void)t.expect_exhausted(t.ask("b").limit(1).preferred(Slot(0)));
         (void)t.renew(lease);
     }},
    {group,
     "a hundred expired leases are all found again",
     Needs::nothing,
     [](Trial& t) {
         constexpr int slots = 100;
         StoreTime latest;
         for (int i = 0; i < slots; ++i) {
             const auto owner = "early-" + std::to_string(i);
             latest = t.take(t.ask(owner).limit(slots).ttl(seconds(2))).row().expires_at;
         }
         t.pass_until(latest);
         int granted = 0;
         for (int i = 0; i < slots; ++i) {
             const auto owner = "late-" + std::to_string(i);
             const auto answer = t.try_acquire(t.ask(owner).limit(slots));
             granted += answer.ok() && std::holds_alternative<Acquired>(answer.value()) ? 1 : 0;
         }
         t.expect_equal(granted, slots, "grants after all had expired");
     }},
    {group,
     "twenty slots of one owner are all held",
     Needs::nothing,
     [](Trial& t) {
         for (int i = 0; i < 20; ++i) {
             t.expect_equal(t.take(t.ask("fleet").limit(20)).slot(), i, "slot");
         }
         (void)t.expect_exhausted(t.ask("fleet").limit(20));
         (void)t.expect_exhausted(t.ask("other").limit(20));
     }},
    {group,
     "the latest of twenty slots of one owner is found again",
     Needs::nothing,
     [](Trial& t) {
         for (int i = 0; i < 19; ++i) {
             (void)t.take(t.ask("fleet").limit(20));
         }
         const Lease latest = t.take(t.ask("fleet").limit(20));
         const Lease again = t.take(latest.request());
         t.expect_equal(again.slot(), latest.slot(), "slot");
         t.expect(again.answer().reason == AcquireReason::held, "the reason is not held");
     }},
};

}  // namespace

std::span<const Promise> exhaustion_promises() {
    return table;
}

}  // namespace holdfast
