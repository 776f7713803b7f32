// Which slot an acquire takes, and why.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

constexpr std::string_view group = "choice of a slot";
constexpr std::string_view settings = "settings of a namespace";

void expect_choice(Trial& t, const Lease& lease, std::int64_t slot, AcquireReason reason) {
    t.expect_equal(lease.slot(), slot, "slot");
    t.expect(
        lease.answer().reason == reason,
        "the reason is " + std::string(name_of(lease.answer().reason)) + ", expected " +
            std::string(name_of(reason))
    );
}

// Takes a slot, uses its window to the end and gives it back: its next holder would have to wait.
void burn(Trial& t, AcquireRequest request) {
    const Lease lease = t.take(std::move(request));
    t.release(lease, lease.row().ceiling - Duration(1));
}

constexpr Promise table[] = {
    {group,
     "the first slot is the lowest",
     Needs::nothing,
     [](Trial& t) {
         expect_choice(t, t.take(t.ask("owner")), 0, AcquireReason::free);
     }},
    {group,
     "slots are given out from the lowest up",
     Needs::nothing,
     [](Trial& t) {
         for (int i = 0; i < 4; ++i) {
             const Lease lease = t.take(t.ask("owner-" + std::to_string(i)));
             expect_choice(t, lease, i, AcquireReason::free);
         }
     }},
    {group,
     "slots above nine are given out in the order of numbers",
     Needs::nothing,
     [](Trial& t) {
         for (int i = 0; i < 12; ++i) {
             const Lease lease = t.take(t.ask("owner-" + std::to_string(i)).limit(12));
             expect_choice(t, lease, i, AcquireReason::free);
         }
     }},
    {group,
     "the lowest of the slots given back is taken first",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a"));
         const Lease second = t.take(t.ask("b"));
         const Lease third = t.take(t.ask("c"));
         t.release_unused(third);
         t.release_unused(second);
         expect_choice(t, t.take(t.ask("d")), 1, AcquireReason::free);
     }},
    {group,
     "a preferred slot is taken when it is free",
     Needs::nothing,
     [](Trial& t) {
         expect_choice(t, t.take(t.ask("owner").preferred(Slot(2))), 2, AcquireReason::preferred);
     }},
    {group,
     "slot zero can be preferred",
     Needs::nothing,
     [](Trial& t) {
         expect_choice(t, t.take(t.ask("owner").preferred(Slot(0))), 0, AcquireReason::preferred);
     }},
    {group,
     "the lowest slot is taken when the preferred one is held",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a").preferred(Slot(2)));
         expect_choice(t, t.take(t.ask("b").preferred(Slot(2))), 0, AcquireReason::free);
     }},
    {group,
     "an owner gets the slot it had last",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").preferred(Slot(2)));
         t.release_unused(lease);
         expect_choice(t, t.take(t.ask("owner")), 2, AcquireReason::sticky);
     }},
    {group,
     "an owner gets the slot it had last after its lease has run out",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner").preferred(Slot(2)).ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         expect_choice(t, t.take(t.ask("owner")), 2, AcquireReason::sticky);
     }},
    {group,
     "an owner gets the later of two slots it had",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner").preferred(Slot(1))));
         t.release_unused(t.take(t.ask("owner").preferred(Slot(3))));
         expect_choice(t, t.take(t.ask("owner")), 3, AcquireReason::sticky);
     }},
    {group,
     "a preferred slot goes before the one the owner had last",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner").preferred(Slot(2))));
         expect_choice(t, t.take(t.ask("owner").preferred(Slot(1))), 1, AcquireReason::preferred);
     }},
    {group,
     "the slot an owner had last goes before a lower one when the preferred is held",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner").preferred(Slot(2))));
         (void)t.take(t.ask("other").preferred(Slot(1)));
         expect_choice(t, t.take(t.ask("owner").preferred(Slot(1))), 2, AcquireReason::sticky);
     }},
    {group,
     "the lowest slot is taken when another holds the one the owner had last",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner").preferred(Slot(2))));
         (void)t.take(t.ask("other").preferred(Slot(2)));
         expect_choice(t, t.take(t.ask("owner")), 0, AcquireReason::free);
     }},
    {group,
     "an owner is forgotten by a slot that another has had since",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner").preferred(Slot(2))));
         t.release_unused(t.take(t.ask("other").preferred(Slot(2))));
         expect_choice(t, t.take(t.ask("owner")), 0, AcquireReason::free);
     }},
    {group,
     "the owner that had a slot after another gets it back",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner").preferred(Slot(2))));
         t.release_unused(t.take(t.ask("other").preferred(Slot(2))));
         expect_choice(t, t.take(t.ask("other")), 2, AcquireReason::sticky);
     }},
    {group,
     "an owner that moved on keeps the later slot when another takes the earlier",
     Needs::nothing,
     [](Trial& t) {
         t.release_unused(t.take(t.ask("owner").preferred(Slot(1))));
         t.release_unused(t.take(t.ask("owner").preferred(Slot(3))));
         (void)t.take(t.ask("other").preferred(Slot(1)));
         expect_choice(t, t.take(t.ask("owner")), 3, AcquireReason::sticky);
     }},
    {group,
     "a slot that is usable at once goes before a lower one that is not",
     Needs::nothing,
     [](Trial& t) {
         burn(t, t.ask("a"));
         expect_choice(t, t.take(t.ask("b")), 1, AcquireReason::free);
     }},
    {group,
     "a slot that is usable at once goes before a preferred one that is not",
     Needs::nothing,
     [](Trial& t) {
         burn(t, t.ask("a").preferred(Slot(2)));
         expect_choice(t, t.take(t.ask("b").preferred(Slot(2))), 0, AcquireReason::free);
     }},
    {group,
     "a slot that is usable at once goes before the last one of the owner that is not",
     Needs::nothing,
     [](Trial& t) {
         burn(t, t.ask("owner").preferred(Slot(2)));
         expect_choice(t, t.take(t.ask("owner")), 0, AcquireReason::free);
     }},
    {group,
     "where no slot is usable at once the preferred one is taken",
     Needs::nothing,
     [](Trial& t) {
         for (std::uint32_t i = 0; i < 4; ++i) {
             burn(t, t.ask("owner-" + std::to_string(i)).preferred(Slot(i)));
         }
         const Duration longer = std::chrono::minutes(1);
         expect_choice(
             t, t.take(t.ask("late").preferred(Slot(3)).ttl(longer)), 3, AcquireReason::preferred
         );
     }},
    {group,
     "an expired slot is given to the next owner",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1).ttl(Duration(100)).tolerance(Duration(0)));
         t.pass_until(lease.row().expires_at);
         const Lease next = t.take(t.ask("b").limit(1).tolerance(Duration(0)));
         expect_choice(t, next, 0, AcquireReason::free);
         t.expect(next.row().fence > lease.row().fence, "the fence did not rise");
     }},
    {group,
     "an expired preferred slot is taken",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").preferred(Slot(3)).ttl(Duration(100)));
         t.pass_until(lease.row().expires_at);
         expect_choice(t, t.take(t.ask("b").preferred(Slot(3))), 3, AcquireReason::preferred);
     }},

    {settings,
     "another limit is answered as a mismatch",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a"));
         t.expect_mismatch(t.ask("b").limit(5));
         t.expect_mismatch(t.ask("b").limit(3));
     }},
    {settings,
     "another tolerance is answered as a mismatch",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a").tolerance(Duration(1000)));
         t.expect_mismatch(t.ask("b").tolerance(Duration(999)));
         t.expect_mismatch(t.ask("b").tolerance(Duration(1001)));
     }},
    {settings,
     "another ttl is no mismatch",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a").ttl(std::chrono::seconds(10)));
         (void)t.take(t.ask("b").ttl(std::chrono::seconds(20)));
     }},
    {settings,
     "a mismatch changes nothing",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("a"));
         t.expect_mismatch(t.ask("b").limit(5).preferred(Slot(1)));
         const Lease next = t.take(t.ask("c").preferred(Slot(1)));
         t.expect_equal(static_cast<std::int64_t>(next.row().fence.value()), 1, "fence");
     }},
    {settings,
     "a mismatch is answered to the holder of a lease too",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a"));
         t.expect_mismatch(
             AcquireRequest(t.space(), t.owner("a"), lease.request().incarnation()).limit(5)
         );
         (void)t.renew(lease);
     }},
    {settings,
     "two namespaces may differ in their settings",
     Needs::nothing,
     [](Trial& t) {
         const auto first = t.space("-a");
         const auto second = t.space("-b");
         const auto owner = t.owner("owner");
         (void)t.take(AcquireRequest(first, owner, t.fresh_incarnation()).limit(2));
         (void)t.take(AcquireRequest(second, owner, t.fresh_incarnation()).limit(3));
         t.expect_mismatch(AcquireRequest(first, owner, t.fresh_incarnation()).limit(3));
     }},
    {settings,
     "the settings hold after the store was closed",
     Needs::reopening,
     [](Trial& t) {
         (void)t.take(t.ask("a"));
         t.reopen();
         t.expect_mismatch(t.ask("b").limit(5));
         t.expect_equal(t.take(t.ask("c")).slot(), 1, "slot");
     }},
};

}  // namespace

std::span<const Promise> choice_promises() {
    return table;
}

}  // namespace holdfast
