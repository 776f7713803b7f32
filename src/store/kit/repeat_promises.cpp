// An acquire sent again, and two processes that share an owner key.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

constexpr std::string_view group = "repeated acquire";
constexpr std::string_view twins = "shared owner key";

void expect_same(Trial& t, const Lease& first, const Lease& again) {
    t.expect_equal(again.slot(), first.slot(), "slot");
    t.expect(again.row().fence == first.row().fence, "the fence is another one");
    t.expect(again.row().floor == first.row().floor, "the floor is another one");
    t.expect(again.answer().reason == AcquireReason::held, "the reason is not held");
}

constexpr Promise table[] = {
    {group,
     "the same incarnation gets the same lease again",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         const Lease again = t.take(first.request());
         expect_same(t, first, again);
         t.expect(!again.answer().duplicate_owner_key, "it was taken for two processes");
     }},
    {group,
     "it takes no second slot",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         (void)t.take(first.request());
         (void)t.take(first.request());
         t.expect_equal(t.take(t.ask("other")).slot(), 1, "slot of the next owner");
     }},
    {group,
     "it moves the expiry and the ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         t.pass_until(first.row().store_now + Duration(5));
         const SlotLease again = t.take(first.request()).row();
         t.expect(again.store_now > first.row().store_now, "the store's clock did not move");
         t.expect(again.expires_at == again.store_now + first.request().ttl(), "wrong expiry");
         t.expect(again.ceiling == again.expires_at + first.request().tolerance(), "wrong ceiling");
     }},
    {group,
     "with a shorter ttl it does not lower the ceiling",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         AcquireRequest shorter = first.request();
         const Lease again = t.take(std::move(shorter).ttl(Duration(100)));
         expect_same(t, first, again);
         t.expect(again.row().ceiling == first.row().ceiling, "the ceiling moved");
         t.expect(again.row().expires_at < first.row().expires_at, "the expiry did not move");
     }},
    {group,
     "another preferred slot does not move it",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         AcquireRequest other = first.request();
         expect_same(t, first, t.take(std::move(other).preferred(Slot(3))));
     }},
    {group,
     "it is answered while all slots are held",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner").limit(1));
         (void)t.expect_exhausted(t.ask("other").limit(1));
         expect_same(t, first, t.take(first.request()));
     }},
    {group,
     "after a renewal it still finds the lease",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         (void)t.renew(first);
         expect_same(t, first, t.take(first.request()));
     }},
    {group,
     "after a release it is a new lease with a higher fence",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         t.release_unused(first);
         const Lease again = t.take(first.request());
         t.expect(again.row().fence > first.row().fence, "the fence did not rise");
         t.expect(again.answer().reason == AcquireReason::sticky, "the reason is not sticky");
     }},
    {group,
     "after the lease went to another it is a new lease elsewhere",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner").ttl(Duration(100)));
         t.pass_until(first.row().expires_at);
         const Lease other = t.take(t.ask("other").preferred(Slot(0)));
         const Lease again = t.take(first.request());
         t.expect(again.slot() != other.slot(), "a held slot was granted");
         t.expect(again.answer().reason == AcquireReason::free, "the reason is not free");
     }},
    {group,
     "it finds the lease after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner").preferred(Slot(2)));
         t.reopen();
         expect_same(t, first, t.take(first.request()));
     }},

    {twins,
     "the second incarnation gets a slot of its own and is told",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         const Lease second = t.take(t.ask("owner"));
         t.expect(first.slot() != second.slot(), "two incarnations hold one slot");
         t.expect(!first.answer().duplicate_owner_key, "the first was told of another");
         t.expect(second.answer().duplicate_owner_key, "the second was not told");
     }},
    {twins,
     "the first lease stays as it is",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         (void)t.take(t.ask("owner"));
         const SlotLease row = t.renew(first);
         t.expect(row.fence == first.row().fence, "the fence moved");
         t.expect(row.floor == first.row().floor, "the floor moved");
     }},
    {twins,
     "a live lease of the same owner is not taken over",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner").limit(1));
         (void)t.expect_exhausted(t.ask("owner").limit(1));
         (void)t.expect_exhausted(t.ask("owner").limit(1).preferred(Slot(0)));
         (void)t.renew(first);
     }},
    {twins,
     "nobody is told after the first has released",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner")));
         t.expect(!t.take(t.ask("owner")).answer().duplicate_owner_key, "a ghost was seen");
     }},
    {twins,
     "nobody is told after the first has expired",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner").ttl(Duration(100)));
         t.pass_until(first.row().expires_at);
         t.expect(!t.take(t.ask("owner")).answer().duplicate_owner_key, "a ghost was seen");
     }},
    {twins,
     "the second is told again when it repeats its call",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("owner"));
         const Lease second = t.take(t.ask("owner"));
         const Lease again = t.take(second.request());
         expect_same(t, second, again);
         t.expect(again.answer().duplicate_owner_key, "it was not told");
     }},
    {twins,
     "each incarnation finds its own lease again",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner"));
         const Lease second = t.take(t.ask("owner"));
         const Lease third = t.take(t.ask("owner"));
         expect_same(t, third, t.take(third.request()));
         expect_same(t, first, t.take(first.request()));
         expect_same(t, second, t.take(second.request()));
     }},
    {twins,
     "the owner's last slot is that of its last grant",
     Needs::nothing,
     [](Trial& t) {
         const Lease first = t.take(t.ask("owner").preferred(Slot(1)));
         const Lease second = t.take(t.ask("owner").preferred(Slot(2)));
         t.release_unused(second);
         t.release_unused(first);
         t.expect_equal(t.take(t.ask("owner")).slot(), 2, "slot");
     }},
};

}  // namespace

std::span<const Promise> repeat_promises() {
    return table;
}

}  // namespace holdfast
