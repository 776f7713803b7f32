// The rules on one row, by numbers worked out by hand.
#include <holdfast/store/slot_rules.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr LeaseTerms terms{Duration(100), Duration(10)};

StoreTime at(std::int64_t ms) {
    return StoreTime(Duration(ms));
}
Incarnation token(std::string_view text) {
    return Incarnation::parse(text).value();
}

AcquireRequest request() {
    return AcquireRequest(
               Namespace::parse("n").value(), OwnerKey::parse("owner").value(), token("t")
    )
        .ttl(terms.ttl)
        .tolerance(terms.tolerance);
}

SlotRow held() {
    SlotRow row;
    row.next_floor = at(500);
    row.fence = Fence(4);
    grant(row, request(), at(450));
    return row;
}

TEST(SlotRow, that_was_never_written_is_free_and_all_zero) {
    const SlotRow row;
    EXPECT_TRUE(row.free());
    EXPECT_EQ(row.fence, Fence(0));
    EXPECT_EQ(row.next_floor, at(0));
}

TEST(SlotRow, is_granted_from_its_next_floor) {
    const SlotRow row = held();
    EXPECT_EQ(row.owner, "owner");
    EXPECT_EQ(row.incarnation, "t");
    EXPECT_EQ(row.fence, Fence(5));
    EXPECT_EQ(row.floor, at(500));
    EXPECT_EQ(row.expires_at, at(550));
    EXPECT_EQ(row.ceiling, at(560));
    EXPECT_EQ(row.next_floor, at(560));
}

TEST(SlotRow, that_expires_counts_its_whole_window_as_used) {
    SlotRow row = held();
    expire(row);
    EXPECT_TRUE(row.free());
    EXPECT_EQ(row.incarnation, "");
    EXPECT_EQ(row.last_owner, "owner");
    EXPECT_EQ(row.fence, Fence(5));
    EXPECT_EQ(row.floor, at(500));
    EXPECT_EQ(row.next_floor, at(560));
}

TEST(SlotRow, that_is_extended_never_lowers_its_ceiling) {
    SlotRow row = held();
    extend(row, terms, at(200));
    EXPECT_EQ(row.expires_at, at(300));
    EXPECT_EQ(row.ceiling, at(560));
    extend(row, terms, at(700));
    EXPECT_EQ(row.expires_at, at(800));
    EXPECT_EQ(row.ceiling, at(810));
    EXPECT_EQ(row.next_floor, at(810));
    EXPECT_EQ(row.floor, at(500));
}

TEST(SlotRow, that_is_released_gives_back_what_was_not_used) {
    for (const auto& [last, next] : {std::pair(499, 500), {500, 501}, {530, 531}, {559, 560}}) {
        SlotRow row = held();
        EXPECT_TRUE(releasable(row, at(last)));
        release(row, at(last));
        EXPECT_EQ(row.next_floor, at(next)) << last;
        EXPECT_TRUE(row.free());
        EXPECT_EQ(row.last_owner, "owner");
    }
    EXPECT_FALSE(releasable(held(), at(498)));
    EXPECT_FALSE(releasable(held(), at(560)));
}

TEST(SlotRow, matches_the_whole_key_of_its_lease_only) {
    const SlotRow row = held();
    const auto name = Namespace::parse("n").value();
    const auto owner = OwnerKey::parse("owner").value();
    const auto other = OwnerKey::parse("other").value();
    EXPECT_TRUE(matches(row, LeaseKey(name, Slot(0), owner, token("t"), Fence(5))));
    EXPECT_FALSE(matches(row, LeaseKey(name, Slot(0), other, token("t"), Fence(5))));
    EXPECT_FALSE(matches(row, LeaseKey(name, Slot(0), owner, token("u"), Fence(5))));
    EXPECT_FALSE(matches(row, LeaseKey(name, Slot(0), owner, token("t"), Fence(4))));
    EXPECT_TRUE(lost(row, LeaseKey(name, Slot(0), owner, token("t"), Fence(6))).rollback_suspected);
    EXPECT_FALSE(lost(row, LeaseKey(name, Slot(0), owner, token("t"), Fence(4))).rollback_suspected
    );
}

TEST(SlotRow, is_usable_when_its_window_would_not_be_empty) {
    SlotRow row;
    row.next_floor = at(1000);
    EXPECT_EQ(usable_from(row, terms), at(891));
    EXPECT_FALSE(usable_at_once(row, terms.tolerance, at(989)));
    EXPECT_TRUE(usable_at_once(row, terms.tolerance, at(990)));
    grant(row, request(), at(891));
    EXPECT_EQ(row.ceiling - row.floor, Duration(1));
}

TEST(StoreClock, is_kept_within_exact_numbers) {
    EXPECT_EQ(clamp_now(at(-7), terms), at(0));
    EXPECT_EQ(clamp_now(at(7), terms), at(7));
    const std::int64_t last = (std::int64_t{1} << 53) - 1 - 110;
    EXPECT_EQ(clamp_now(at(last), terms), at(last));
    EXPECT_EQ(clamp_now(at(last + 1), terms), at(last));
}

TEST(SpreadStart, is_the_head_of_the_sha_1_of_the_incarnation) {
    // sha1("abc") begins with a9993e36, sha1("t") with 8efd86fb.
    EXPECT_EQ(spread_start(token("abc"), 65'536), Slot(0xa9993e36U % 65'536));
    EXPECT_EQ(spread_start(token("t"), 1000), Slot(0x8efd86fbU % 1000));
    EXPECT_EQ(spread_start(token("abc"), 1), Slot(0));
}

}  // namespace
}  // namespace holdfast
