// Every number of a machine, at both sides of its bounds (row 35 of the known faults).
#include "lease/machine_rules.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

LeasedMachine leased() {
    return LeasedMachine(Namespace::parse("orders").value(), OwnerKey::parse("pod-0").value());
}
bool fits(
    const LeasedMachine& options, const std::vector<IdLayout>& layouts = {IdLayout::milliseconds()}
) {
    const auto checked = check_machine(options, layouts);
    if (!checked.ok()) {
        EXPECT_EQ(checked.error().code(), Code::invalid_argument);
        EXPECT_EQ(checked.error().effect(), Effect::none);
        EXPECT_FALSE(checked.error().what().empty());
    }
    return checked.ok();
}
bool fits(std::uint32_t manual, const std::vector<IdLayout>& layouts) {
    return check_machine(ManualMachine{manual}, layouts).ok();
}

TEST(MachineRules, the_defaults_fit) {
    EXPECT_TRUE(fits(leased()));
    EXPECT_TRUE(fits(leased(), {}));
    EXPECT_TRUE(fits(leased(), {IdLayout::text(), IdLayout::js_safe_seconds()}));
}

TEST(MachineRules, ttl) {
    const auto with = [](Duration ttl) {
        return fits(leased().ttl(ttl).renew_interval(Duration(10)));
    };
    EXPECT_FALSE(with(Duration(-1)));
    EXPECT_FALSE(with(Duration(0)));
    EXPECT_FALSE(with(Duration(99)));
    EXPECT_TRUE(with(Duration(100)));
    EXPECT_TRUE(with(Duration(3'600'000)));
    EXPECT_FALSE(with(Duration(3'600'001)));
}

TEST(MachineRules, tolerance) {
    const auto with = [](Duration tolerance) {
        return fits(leased().tolerance(tolerance).max_ahead(Duration(0)));
    };
    EXPECT_FALSE(with(Duration(-1)));
    EXPECT_TRUE(with(Duration(0)));
    EXPECT_TRUE(with(Duration(60'000)));
    EXPECT_FALSE(with(Duration(60'001)));
}

TEST(MachineRules, the_renew_interval_leaves_room_for_a_second_renewal) {
    const auto with = [](Duration interval) {
        return fits(leased().ttl(Duration(1'000)).renew_interval(interval));
    };
    EXPECT_FALSE(with(Duration(0)));
    EXPECT_FALSE(with(Duration(9)));
    EXPECT_TRUE(with(Duration(10)));
    EXPECT_TRUE(with(Duration(500)));
    EXPECT_FALSE(with(Duration(501)));
}

// Row 1.
TEST(MachineRules, the_time_of_a_call) {
    EXPECT_FALSE(fits(leased().call_timeout(Duration(0))));
    EXPECT_TRUE(fits(leased().call_timeout(Duration(1))));
    EXPECT_TRUE(fits(leased().call_timeout(Duration(60'000))));
    EXPECT_FALSE(fits(leased().call_timeout(Duration(60'001))));
}

TEST(MachineRules, max_ahead) {
    EXPECT_FALSE(fits(leased().max_ahead(Duration(-1))));
    EXPECT_TRUE(fits(leased().max_ahead(Duration(0))));
    EXPECT_TRUE(fits(leased().max_ahead(Duration(60'000))));
    EXPECT_FALSE(fits(leased().max_ahead(Duration(60'001))));
}

TEST(MachineRules, a_window_holds_two_ticks_of_the_longest_layout) {
    const auto with = [](Duration ttl, const IdLayout& layout) {
        return fits(
            leased().ttl(ttl).tolerance(Duration(50)).renew_interval(Duration(50)),
            {IdLayout::milliseconds(), layout}
        );
    };
    EXPECT_TRUE(with(Duration(100), IdLayout::milliseconds()));
    EXPECT_FALSE(with(Duration(1'949), IdLayout::seconds()));
    EXPECT_TRUE(with(Duration(1'950), IdLayout::seconds()));
}

// Row 23: no slot that would not fit into the machine bits of some id.
TEST(MachineRules, the_limit_is_what_the_smallest_machine_bits_hold) {
    const std::vector<IdLayout> layouts = {
        IdLayout::milliseconds(), IdLayout::js_safe_milliseconds()
    };
    EXPECT_EQ(machines_of(layouts), 8u);
    EXPECT_EQ(machines_of({IdLayout::text()}), 65'536u);
    EXPECT_EQ(machines_of({IdLayout::milliseconds().bits(41, 0, 12)}), 1u);
    EXPECT_FALSE(fits(leased().limit(0), layouts));
    EXPECT_TRUE(fits(leased().limit(1), layouts));
    EXPECT_TRUE(fits(leased().limit(8), layouts));
    EXPECT_FALSE(fits(leased().limit(9), layouts));
    EXPECT_TRUE(fits(leased().limit(65'536), {IdLayout::text()}));
    EXPECT_FALSE(fits(leased().limit(65'537), {IdLayout::text()}));
}

TEST(MachineRules, the_preferred_slot_is_below_the_limit) {
    EXPECT_TRUE(fits(leased().limit(4).preferred(Slot(3))));
    EXPECT_FALSE(fits(leased().limit(4).preferred(Slot(4))));
    EXPECT_TRUE(fits(leased().preferred(Slot(1'023))));
    EXPECT_FALSE(fits(leased().preferred(Slot(1'024))));
}

TEST(MachineRules, a_manual_number_fits_the_machine_bits) {
    const std::vector<IdLayout> layouts = {
        IdLayout::milliseconds(), IdLayout::js_safe_milliseconds()
    };
    EXPECT_TRUE(fits(0, layouts));
    EXPECT_TRUE(fits(7, layouts));
    EXPECT_FALSE(fits(8, layouts));
}

TEST(MachineRules, a_layout_fits_one_word_of_a_gate) {
    EXPECT_TRUE(fits(leased(), {IdLayout::text().bits(44, 16, 19)}));
    EXPECT_FALSE(fits(leased(), {IdLayout::text().bits(44, 16, 20)}));
    EXPECT_FALSE(fits(leased(), {IdLayout::milliseconds().bits(41, 11, 12)}));
}

}  // namespace
}  // namespace holdfast
