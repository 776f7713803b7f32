#include <holdfast/ids/layout.h>

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace holdfast {
namespace {

constexpr WallTime at(std::int64_t unix_ms) {
    return WallTime{Duration{unix_ms}};
}

bool fits(const IdLayout& layout) {
    const auto checked = layout.check();
    EXPECT_TRUE(checked.ok() || checked.error().code() == Code::invalid_argument);
    return checked.ok();
}

bool bits_fit(IdLayout layout, int time, int machine, int sequence) {
    return fits(std::move(layout).bits(time, machine, sequence));
}

std::string_view fault_of(const IdLayout& layout) {
    const auto checked = layout.check();
    return checked.ok() ? "" : checked.error().what();
}

TEST(IdLayout, the_layouts_of_cosid_fit) {
    for (const IdLayout& layout :
         {IdLayout::milliseconds(),
          IdLayout::seconds(),
          IdLayout::js_safe_milliseconds(),
          IdLayout::js_safe_seconds(),
          IdLayout::text()}) {
        EXPECT_EQ(fault_of(layout), "");
    }
}

TEST(IdLayout, each_number_of_bits_has_two_bounds) {
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 0, 10, 12));
    EXPECT_TRUE(bits_fit(IdLayout::milliseconds(), 1, 10, 12));
    EXPECT_TRUE(bits_fit(IdLayout::milliseconds(), 62, 0, 1));
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 63, 0, 0));
    EXPECT_TRUE(bits_fit(IdLayout::seconds(), 52, 1, 1));
    EXPECT_FALSE(bits_fit(IdLayout::seconds(), 53, 1, 1));
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 20, -1, 12));
    EXPECT_TRUE(bits_fit(IdLayout::milliseconds(), 20, 0, 12));
    EXPECT_TRUE(bits_fit(IdLayout::milliseconds(), 20, 31, 12));
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 20, 32, 11));
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 20, 10, -1));
    EXPECT_TRUE(bits_fit(IdLayout::milliseconds(), 20, 10, 0));
    EXPECT_TRUE(bits_fit(IdLayout::milliseconds(), 20, 10, 31));
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 20, 10, 32));
}

// Row 49, for those who ask for numbers that JavaScript keeps exact.
TEST(IdLayout, the_sum_of_bits_has_a_bound_of_its_kind) {
    EXPECT_TRUE(bits_fit(IdLayout::milliseconds(), 41, 10, 12));
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 41, 10, 13));
    EXPECT_FALSE(bits_fit(IdLayout::milliseconds(), 41, 11, 12));
    EXPECT_TRUE(bits_fit(IdLayout::js_safe_milliseconds(), 41, 3, 9));
    EXPECT_FALSE(bits_fit(IdLayout::js_safe_milliseconds(), 42, 3, 9));
    EXPECT_TRUE(bits_fit(IdLayout::text(), 44, 20, 16));
    EXPECT_FALSE(bits_fit(IdLayout::text(), 44, 20, 17));
    EXPECT_FALSE(fits(IdLayout::text().bits(20, 10, 10).js_safe(true)));
}

// Row 4: an epoch in another unit than the ticks.
TEST(IdLayout, the_epoch_is_milliseconds_of_a_plausible_year) {
    EXPECT_FALSE(fits(IdLayout::milliseconds().epoch(at(-1))));
    EXPECT_TRUE(fits(IdLayout::milliseconds().epoch(at(0))));
    EXPECT_FALSE(fits(IdLayout::milliseconds().epoch(at(1)))) << "seconds taken for milliseconds";
    EXPECT_FALSE(fits(IdLayout::milliseconds().epoch(at(1'577'203'200)))) << "the epoch in seconds";
    EXPECT_FALSE(fits(IdLayout::milliseconds().epoch(at(31'535'999'999))));
    EXPECT_TRUE(fits(IdLayout::milliseconds().epoch(at(31'536'000'000))));
    EXPECT_TRUE(fits(IdLayout::milliseconds().epoch(at(253'402'300'799'999))));
    EXPECT_FALSE(fits(IdLayout::milliseconds().epoch(at(253'402'300'800'000))));
}

TEST(IdLayout, the_epoch_of_seconds_is_a_whole_second) {
    EXPECT_TRUE(fits(IdLayout::seconds().epoch(at(1'577'203'201'000))));
    EXPECT_FALSE(fits(IdLayout::seconds().epoch(at(1'577'203'201'001))));
}

TEST(IdLayout, the_threshold_is_not_negative) {
    EXPECT_TRUE(fits(IdLayout::milliseconds().sequence_reset_threshold(0)));
    EXPECT_FALSE(fits(IdLayout::milliseconds().sequence_reset_threshold(-1)));
}

TEST(IdLayout, a_threshold_that_was_given_stays_whatever_the_order_of_calls) {
    EXPECT_EQ(IdLayout::milliseconds().bits(41, 10, 8).sequence_reset_threshold(), 127);
    EXPECT_EQ(
        IdLayout::milliseconds().sequence_reset_threshold(5).bits(41, 10, 8),
        IdLayout::milliseconds().bits(41, 10, 8).sequence_reset_threshold(5)
    );
    EXPECT_EQ(IdLayout::milliseconds().bits(41, 10, 0).sequence_reset_threshold(), 0);
    EXPECT_EQ(IdLayout::milliseconds().bits(41, 10, 99).bits(41, 10, 12), IdLayout::milliseconds());
}

TEST(IdLayout, a_part_beyond_its_bits_is_never_shifted_into_its_neighbour) {
    const IdLayout layout = IdLayout::milliseconds();
    const IdParts last{layout.time_max(), layout.machine_max(), layout.sequence_max()};
    ASSERT_TRUE(compose(layout, last).ok());
    EXPECT_EQ(compose(layout, last).value(), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(compose(layout, IdParts{0, 0, 0}).value(), 0);
    for (std::int64_t IdParts::* part : {&IdParts::time, &IdParts::machine, &IdParts::sequence}) {
        IdParts wide = last;
        wide.*part += 1;
        EXPECT_FALSE(compose(layout, wide).ok());
        wide.*part = -1;
        EXPECT_FALSE(compose(layout, wide).ok());
    }
}

TEST(IdLayout, an_id_beyond_the_layout_is_refused) {
    const IdLayout layout = IdLayout::js_safe_milliseconds();
    EXPECT_FALSE(decompose(layout, -1).ok());
    EXPECT_TRUE(decompose(layout, (std::int64_t{1} << 53) - 1).ok());
    EXPECT_FALSE(decompose(layout, std::int64_t{1} << 53).ok());
    EXPECT_FALSE(decompose(IdLayout::text(), 0).ok());
    EXPECT_FALSE(compose(IdLayout::text(), IdParts{0, 0, 0}).ok());
}

TEST(IdLayout, what_is_composed_is_decomposed_in_random_layouts) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 20'000; ++i) {
        const int time = 1 + static_cast<int>(random() % 52);
        const int machine =
            static_cast<int>(random() % static_cast<unsigned>(std::min(64 - time, 32)));
        const int sequence =
            static_cast<int>(random() % static_cast<unsigned>(std::min(64 - time - machine, 32)));
        const IdLayout layout = IdLayout::milliseconds().bits(time, machine, sequence);
        ASSERT_EQ(fault_of(layout), "");
        const auto part = [&random](std::int64_t max) {
            return static_cast<std::int64_t>(random() & static_cast<std::uint64_t>(max));
        };
        const IdParts parts{
            part(layout.time_max()), part(layout.machine_max()), part(layout.sequence_max())
        };
        const auto id = compose(layout, parts);
        ASSERT_TRUE(id.ok());
        ASSERT_EQ(decompose(layout, id.value()).value(), parts);
    }
}

TEST(IdLayout, the_time_of_an_id_is_within_a_tick_of_the_clock_in_every_layout) {
    const WallTime now = at(1'796'000'000'789);
    for (const IdLayout& layout :
         {IdLayout::milliseconds(),
          IdLayout::seconds(),
          IdLayout::js_safe_milliseconds(),
          IdLayout::js_safe_seconds(),
          IdLayout::text()}) {
        const IdParts parts{layout.tick_of(now) - layout.epoch_tick(), 1, 1};
        const Duration behind = now - time_of(layout, parts);
        EXPECT_GE(behind, Duration(0));
        EXPECT_LT(behind, layout.unit_length());
    }
}

TEST(IdLayout, ticks_before_1970_are_those_that_hold_the_time) {
    EXPECT_EQ(IdLayout::seconds().tick_of(at(-1)), -1);
    EXPECT_EQ(IdLayout::seconds().tick_of(at(-1'000)), -1);
    EXPECT_EQ(IdLayout::seconds().tick_of(at(-1'001)), -2);
    EXPECT_EQ(IdLayout::seconds().tick_of(at(1'999)), 1);
    EXPECT_EQ(IdLayout::seconds().time_of(1), at(1'000));
    EXPECT_EQ(IdLayout::milliseconds().tick_of(at(-1)), -1);
}

TEST(IdLayout, years_left_end_with_the_time_field) {
    const IdLayout layout = IdLayout::milliseconds();
    const WallTime end = layout.time_of(layout.last_tick() + 1);
    EXPECT_DOUBLE_EQ(layout.years_left(end), 0.0);
    EXPECT_GT(layout.years_left(end - Duration(1)), 0.0);
    EXPECT_LT(layout.years_left(end + Duration(1)), 0.0);
    EXPECT_NEAR(layout.years_left(cosid_epoch), 69.68, 0.01);
    EXPECT_NEAR(IdLayout::seconds().years_left(cosid_epoch), 68.05, 0.01);
    const IdLayout widest = IdLayout::milliseconds().bits(62, 0, 1);
    EXPECT_GT(widest.years_left(cosid_epoch), 146'000'000.0);
}

}  // namespace
}  // namespace holdfast
