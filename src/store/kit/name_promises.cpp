// What may stand in a name, and that names which look alike are different.
#include "groups.h"
#include "trial.h"

namespace holdfast {
namespace {

constexpr std::string_view group = "names";

// Both keys start at zero: neither sees what was taken from the other.
void expect_apart(Trial& t, const RangeKey& first, const RangeKey& second) {
    t.expect_equal(t.take(ReserveRequest(first, 10)).start, 0, "start of the first key");
    t.expect_equal(t.take(ReserveRequest(second, 10)).start, 0, "start of the second key");
    t.expect_equal(t.take(ReserveRequest(first, 10)).start, 10, "next start of the first key");
    t.expect_equal(t.take(ReserveRequest(second, 10)).start, 10, "next start of the second key");
}

RangeKey filled_key(const Trial& t, char last) {
    std::string text = t.key().text() + "/";
    text.resize(limits::range_key_bytes_max - 1, 'k');
    return RangeKey::parse(text + last).value();
}

Namespace filled_space(const Trial& t, char last) {
    std::string text = t.space().text() + "-";
    text.resize(limits::name_bytes_max - 1, 'n');
    return Namespace::parse(text + last).value();
}

AcquireRequest ask_in(Trial& t, const Namespace& space) {
    return AcquireRequest(space, t.owner("owner"), t.fresh_incarnation()).limit(1);
}

void expect_spaces_apart(Trial& t, const Namespace& first, const Namespace& second) {
    const Lease one = t.take(ask_in(t, first));
    const Lease two = t.take(ask_in(t, second));
    t.expect(!two.answer().duplicate_owner_key, "an owner of one namespace was seen in another");
    (void)t.renew(one);
    (void)t.renew(two);
}

constexpr Promise table[] = {
    {group,
     "a key of 200 bytes works and its last byte counts",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, filled_key(t, 'a'), filled_key(t, 'b'));
     }},
    {group,
     "a key may hold every allowed character",
     Needs::nothing,
     [](Trial& t) {
         const RangeKey key = t.key("/AZaz09._-:/@");
         t.expect_equal(t.take(ReserveRequest(key, 1)).start, 0, "start");
         t.expect_equal(t.take(ReserveRequest(key, 1)).start, 1, "next start");
     }},
    {group,
     "keys that differ in case are different",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, t.key("/order"), t.key("/Order"));
     }},
    {group,
     "an underscore in a key stands for itself",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, t.key("/a_c"), t.key("/abc"));
     }},
    {group,
     "a key and its first segment are different keys",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, t.key(), t.key("/part"));
     }},
    {group,
     "a slash and a colon make different keys",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, t.key("/a/b"), t.key("/a:b"));
     }},
    {group,
     "digits in a key are not read as a number",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, t.key("/1"), t.key("/01"));
     }},
    {group,
     "a dot more makes another key",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, t.key("/a"), t.key("/a."));
     }},
    {group,
     "a key that ends like a seal marker is a key of its own",
     Needs::nothing,
     [](Trial& t) {
         expect_apart(t, t.key("/a"), t.key("/a:sealed"));
         if (t.seal(t.key("/a"))) {
             t.expect_equal(t.take(ReserveRequest(t.key("/a:sealed"), 1)).start, 20, "start");
         }
     }},
    {group,
     "a range key and a namespace may have the same name",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(ReserveRequest(t.key(), 5));
         const Lease lease = t.take(t.ask("owner"));
         t.expect_equal(t.take(ReserveRequest(t.key(), 5)).start, 5, "start");
         (void)t.renew(lease);
     }},
    {group,
     "keys named like the parts of a namespace do not touch it",
     Needs::nothing,
     [](Trial& t) {
         const Lease lease = t.take(t.ask("owner"));
         for (const std::string_view part :
              {":meta", ":slot", ":free", ":live", ":owner", ":held"}) {
             t.expect_equal(t.take(ReserveRequest(t.key(part), 5)).start, 0, "start");
         }
         (void)t.renew(lease);
         t.expect_equal(t.take(t.ask("other")).slot(), 1, "slot of the second owner");
     }},
    {group,
     "a namespace of 100 bytes works and its last byte counts",
     Needs::nothing,
     [](Trial& t) {
         expect_spaces_apart(t, filled_space(t, 'a'), filled_space(t, 'b'));
     }},
    {group,
     "namespaces that differ in case are different",
     Needs::nothing,
     [](Trial& t) {
         expect_spaces_apart(t, t.space("-a"), t.space("-A"));
     }},
    {group,
     "an owner key of 100 bytes works and its last byte counts",
     Needs::nothing,
     [](Trial& t) {
         const std::string most(limits::name_bytes_max - 1, 'o');
         const Lease one = t.take(t.ask(most + "a"));
         const Lease two = t.take(t.ask(most + "b"));
         t.expect(!two.answer().duplicate_owner_key, "two owners were taken for one");
         (void)t.renew(one);
         (void)t.renew(two);
     }},
    {group,
     "owner keys that differ in case are different",
     Needs::nothing,
     [](Trial& t) {
         (void)t.take(t.ask("owner"));
         const Lease two = t.take(t.ask("Owner"));
         t.expect(!two.answer().duplicate_owner_key, "two owners were taken for one");
     }},
    {group,
     "an owner key may hold every allowed character",
     Needs::nothing,
     [](Trial& t) {
         (void)t.renew(t.take(t.ask("AZaz09._-:@")));
     }},
    {group,
     "an incarnation of 64 bytes works and its last byte counts",
     Needs::nothing,
     [](Trial& t) {
         const std::string most(limits::incarnation_bytes_max - 1, 'i');
         const auto first = Incarnation::parse(most + "a").value();
         const auto second = Incarnation::parse(most + "b").value();
         const Lease one = t.take(AcquireRequest(t.space(), t.owner("owner"), first).limit(4));
         const Lease two = t.take(AcquireRequest(t.space(), t.owner("owner"), second).limit(4));
         t.expect(one.slot() != two.slot(), "two incarnations were taken for one");
     }},
    {group,
     "incarnations that differ in case are different",
     Needs::nothing,
     [](Trial& t) {
         const auto first = Incarnation::parse("token").value();
         const auto second = Incarnation::parse("Token").value();
         const Lease one = t.take(AcquireRequest(t.space(), t.owner("owner"), first).limit(4));
         const Lease two = t.take(AcquireRequest(t.space(), t.owner("owner"), second).limit(4));
         t.expect(one.slot() != two.slot(), "two incarnations were taken for one");
         (void)t.expect_renew_lost(
             LeaseKey(t.space(), one.row().slot, t.owner("owner"), second, one.row().fence)
         );
     }},
};

}  // namespace

std::span<const Promise> name_promises() {
    return table;
}

}  // namespace holdfast
