// A call whose deadline has passed is not begun.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

using std::chrono::seconds;

constexpr std::string_view group = "deadlines";

constexpr Promise table[] = {
    {group,
     "a reserve after its deadline takes nothing",
     Needs::nothing,
     [](Trial& t) {
         t.expect_timed_out(
             wait(t.runtime(), t.store().ranges().reserve(ReserveRequest(t.key(), 10), t.passed())),
             "a reserve after its deadline"
         );
         t.expect_equal(t.take(ReserveRequest(t.key(), 1, 3)).start, 3, "start");
     }},
    {group,
     "a seal after its deadline seals nothing",
     Needs::nothing,
     [](Trial& t) {
         t.expect_timed_out(
             wait(t.runtime(), t.store().ranges().seal(t.key(), t.passed())),
             "a seal after its deadline"
         );
         (void)t.take(ReserveRequest(t.key(), 1));
     }},
    {group,
     "an acquire after its deadline grants nothing",
     Needs::nothing,
     [](Trial& t) {
         t.expect_timed_out(
             wait(t.runtime(), t.store().slots().acquire(t.ask("a").limit(3), t.passed())),
             "an acquire after its deadline"
         );
         const Lease next = t.take(t.ask("b"));
         t.expect_equal(static_cast<std::int64_t>(next.row().fence.value()), 1, "fence");
     }},
    {group,
     "a renewal after its deadline moves nothing",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.expect_timed_out(
             wait(
                 t.runtime(),
                 t.store().slots().renew(lease.key(), seconds(60), seconds(1), t.passed())
             ),
             "a renewal after its deadline"
         );
         const SlotsExhausted full = t.expect_exhausted(t.ask("b").limit(1));
         t.expect(full.earliest_expires_at == lease.row().expires_at, "the expiry moved");
     }},
    {group,
     "a release after its deadline frees nothing",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("a").limit(1));
         t.expect_timed_out(
             wait(
                 t.runtime(), t.store().slots().release(lease.key(), lease.row().floor, t.passed())
             ),
             "a release after its deadline"
         );
         (void)t.renew(lease);
     }},
    {group,
     "a probe is answered in time or not at all",
     Needs::nothing,
     [](Trial& t) {
         t.expect(wait(t.runtime(), t.store().probe(t.soon())).ok(), "the probe failed");
         t.expect_timed_out(
             wait(t.runtime(), t.store().probe(t.passed())), "a probe after its deadline"
         );
     }},
};

}  // namespace

std::span<const Promise> deadline_promises() {
    return table;
}

}  // namespace holdfast
