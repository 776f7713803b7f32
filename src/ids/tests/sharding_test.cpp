#include "civil.h"

#include <holdfast/ids/sharding.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <type_traits>

namespace holdfast {
namespace {

constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
using Ids = RoutingRange<std::int64_t>;
using Times = RoutingRange<LocalTime>;

std::set<std::string> set_of(const std::vector<std::string>& nodes) {
    std::set<std::string> set(nodes.begin(), nodes.end());
    EXPECT_EQ(set.size(), nodes.size()) << "a node stands twice";
    return set;
}

ModCycle cycle_of(std::int64_t divisor) {
    return ModCycle::make(divisor, "t_").value();
}

// Row 5.
TEST(ModCycle, negative_ids_have_the_node_of_their_never_negative_remainder) {
    const ModCycle cycle = cycle_of(4);
    EXPECT_EQ(cycle.node_of(-1), "t_3");
    EXPECT_EQ(cycle.node_of(-4), "t_0");
    EXPECT_EQ(cycle.node_of(int64_min), "t_0");
    EXPECT_EQ(cycle.node_of(int64_max), "t_3");
    for (const std::int64_t divisor : {1, 2, 3, 7, 1'000}) {
        const ModCycle other = cycle_of(divisor);
        std::mt19937_64 random(41);
        for (int i = 0; i < 1'000; ++i) {
            const auto id = static_cast<std::int64_t>(random());
            const __int128 wide = id;
            const auto expected = static_cast<std::int64_t>(((wide % divisor) + divisor) % divisor);
            ASSERT_EQ(other.node_of(id), "t_" + std::to_string(expected)) << id;
        }
    }
}

// Row 2.
TEST(ModCycle, a_range_without_lower_bound_has_all_nodes) {
    const ModCycle cycle = cycle_of(4);
    EXPECT_EQ(cycle.nodes_of(Ids()), cycle.nodes());
    EXPECT_EQ(cycle.nodes_of(Ids().to(1)), cycle.nodes());
    EXPECT_EQ(cycle.nodes_of(Ids().before(0)), cycle.nodes());
    EXPECT_EQ(cycle.nodes_of(Ids().to(-1)), cycle.nodes());
}

// The nodes of all points of [first..last], which is short.
std::set<std::string> of_all_points(const ModCycle& cycle, __int128 first, __int128 last) {
    std::set<std::string> nodes;
    for (__int128 id = first; id <= last; ++id) {
        nodes.insert(cycle.node_of(static_cast<std::int64_t>(id)));
    }
    return nodes;
}

// Row 2.
TEST(ModCycle, the_nodes_of_a_range_are_those_of_its_points) {
    std::mt19937_64 random(42);
    for (const std::int64_t divisor : {1, 2, 4, 7, 50}) {
        const ModCycle cycle = cycle_of(divisor);
        for (int i = 0; i < 3'000; ++i) {
            // Around zero, and at both ends of int64.
            const std::int64_t anchors[] = {0, int64_min, int64_max, -divisor, divisor};
            const auto near = [&](std::int64_t anchor) {
                const __int128 value = __int128{anchor} + static_cast<int>(random() % 121) - 60;
                return static_cast<std::int64_t>(std::clamp<__int128>(value, int64_min, int64_max));
            };
            const std::int64_t anchor = anchors[random() % 5];
            const std::int64_t a = near(anchor);
            const std::int64_t b = near(anchor);
            const bool open_a = random() % 2 == 0;
            const bool open_b = random() % 2 == 0;
            Ids range = open_a ? Ids().after(a) : Ids().from(a);
            range = open_b ? std::move(range).before(b) : std::move(range).to(b);
            const __int128 first = __int128{a} + (open_a ? 1 : 0);
            const __int128 last = __int128{b} - (open_b ? 1 : 0);
            ASSERT_EQ(set_of(cycle.nodes_of(range)), of_all_points(cycle, first, last))
                << divisor << " " << a << " " << b << open_a << open_b;
            if (b < int64_min + 60) {
                const Ids below = open_b ? Ids().before(b) : Ids().to(b);
                ASSERT_EQ(set_of(cycle.nodes_of(below)), of_all_points(cycle, int64_min, last));
            }
            if (a > int64_max - 60) {
                const Ids above = open_a ? Ids().after(a) : Ids().from(a);
                ASSERT_EQ(set_of(cycle.nodes_of(above)), of_all_points(cycle, first, int64_max));
            }
        }
    }
}

// Row 4.
TEST(ModCycle, the_span_of_a_range_does_not_overflow) {
    const ModCycle cycle = cycle_of(4);
    EXPECT_EQ(cycle.nodes_of(Ids().from(0).to(int64_max)), cycle.nodes());
    EXPECT_EQ(cycle.nodes_of(Ids().from(int64_min).to(int64_max)), cycle.nodes());
    EXPECT_EQ(cycle.nodes_of(Ids().from(int64_max)), std::vector<std::string>{"t_3"});
    EXPECT_TRUE(cycle.nodes_of(Ids().after(int64_max)).empty());
    EXPECT_TRUE(cycle.nodes_of(Ids().before(int64_min)).empty());
    EXPECT_TRUE(cycle.nodes_of(Ids().from(5).to(4)).empty());
}

// Row 3.
TEST(ModCycle, changing_an_answer_changes_no_other_answer) {
    const ModCycle cycle = cycle_of(3);
    static_assert(
        !std::is_assignable_v<decltype(cycle.nodes()), std::vector<std::string>>,
        "callers share what nodes() answers"
    );
    auto all = cycle.nodes_of(Ids());
    all.clear();
    auto some = cycle.nodes_of(Ids().from(1).to(1));
    some.front() = "mine";
    EXPECT_EQ(cycle.nodes_of(Ids()).size(), 3u);
    EXPECT_EQ(cycle.nodes_of(Ids().from(1).to(1)).front(), "t_1");
    EXPECT_EQ(cycle.node_of(1), "t_1");
}

TEST(ModCycle, the_divisor_has_two_bounds) {
    EXPECT_FALSE(ModCycle::make(0, "").ok());
    EXPECT_TRUE(ModCycle::make(1, "").ok());
    EXPECT_TRUE(ModCycle::make(65'536, "").ok());
    EXPECT_FALSE(ModCycle::make(65'537, "").ok());
}

constexpr IntervalUnit units[] = {
    IntervalUnit::year,
    IntervalUnit::month,
    IntervalUnit::day,
    IntervalUnit::hour,
    IntervalUnit::minute,
    IntervalUnit::second
};

// Slowly, from the calendar: the begins of all steps.
std::vector<std::int64_t>
begins_of(const LocalTime& first, const LocalTime& last, IntervalStep step) {
    std::vector<std::int64_t> begins;
    LocalTime begin = floor_to(step.unit, first);
    while (begin <= last) {
        begins.push_back(milliseconds_of(begin));
        for (std::int64_t i = 0; i < step.amount; ++i) {
            switch (step.unit) {
            case IntervalUnit::year:
                ++begin.year;
                break;
            case IntervalUnit::month:
                begin.year += begin.month == 12 ? 1 : 0;
                begin.month = begin.month % 12 + 1;
                break;
            case IntervalUnit::day:
                begin = local_of(milliseconds_of(begin) + day_ms);
                break;
            case IntervalUnit::hour:
                begin = local_of(milliseconds_of(begin) + 3'600'000);
                break;
            case IntervalUnit::minute:
                begin = local_of(milliseconds_of(begin) + 60'000);
                break;
            case IntervalUnit::second:
                begin = local_of(milliseconds_of(begin) + 1'000);
                break;
            }
        }
    }
    return begins;
}

std::int64_t width_of(IntervalUnit unit) {
    switch (unit) {
    case IntervalUnit::year:
        return 366 * day_ms;
    case IntervalUnit::month:
        return 31 * day_ms;
    case IntervalUnit::day:
        return day_ms;
    case IntervalUnit::hour:
        return 3'600'000;
    case IntervalUnit::minute:
        return 60'000;
    default:
        return 1'000;
    }
}

struct Line {
    LocalTime first;
    LocalTime last;
    std::vector<std::int64_t> begins;
    IntervalTimeline timeline;
};

Line random_line(IntervalUnit unit, std::mt19937_64& random) {
    const IntervalStep step(unit, 1 + static_cast<std::int64_t>(random() % 4));
    const std::int64_t begin = static_cast<std::int64_t>(random() % 4'000'000'000'000);
    const std::int64_t length = static_cast<std::int64_t>(
        random() % static_cast<std::uint64_t>(width_of(unit) * step.amount * 12)
    );
    const LocalTime first = local_of(begin);
    const LocalTime last = local_of(begin + length);
    auto made = IntervalTimeline::make(first, last, step, "x_", "yyyyMMddHHmmss");
    EXPECT_TRUE(made.ok());
    return {first, last, begins_of(first, last, step), std::move(made).value()};
}

std::string expected_node(const Line& line, std::int64_t time) {
    const auto after = std::upper_bound(line.begins.begin(), line.begins.end(), time);
    return line.timeline.nodes()[static_cast<std::size_t>(after - line.begins.begin() - 1)];
}

// Row 9.
TEST(IntervalTimeline, the_node_of_a_time_is_that_of_a_slow_search_in_every_unit) {
    std::mt19937_64 random(43);
    for (const IntervalUnit unit : units) {
        for (int i = 0; i < 100; ++i) {
            const Line line = random_line(unit, random);
            ASSERT_EQ(line.timeline.nodes().size(), line.begins.size());
            const std::int64_t first = milliseconds_of(line.first);
            const std::int64_t last = milliseconds_of(line.last);
            std::vector<std::int64_t> times{first, last};
            for (const std::int64_t begin : line.begins) {
                times.insert(times.end(), {begin - 1, begin, begin + 1});
            }
            for (const std::int64_t time : times) {
                const auto node = line.timeline.node_of(local_of(time));
                ASSERT_EQ(node.ok(), time >= first && time <= last);
                ASSERT_TRUE(!node.ok() || node.value() == expected_node(line, time));
            }
        }
    }
}

TEST(IntervalTimeline, the_nodes_of_a_range_are_those_of_its_points_in_every_unit) {
    std::mt19937_64 random(44);
    for (const IntervalUnit unit : units) {
        for (int i = 0; i < 300; ++i) {
            const Line line = random_line(unit, random);
            const std::int64_t first = milliseconds_of(line.first);
            const std::int64_t last = milliseconds_of(line.last);
            // At a begin or an end, one beside it, or somewhere.
            const auto pick = [&]() -> std::int64_t {
                std::vector<std::int64_t> some = line.begins;
                some.insert(some.end(), {first, last, first - width_of(unit), last + 5'000});
                return some[random() % some.size()] + static_cast<std::int64_t>(random() % 3) - 1;
            };
            const std::int64_t a = pick();
            const std::int64_t b = pick();
            const auto shape = random();
            Times range;
            std::int64_t low = first;
            std::int64_t high = last;
            if (shape % 5 != 0) {
                const bool open = shape / 5 % 2 == 0;
                range =
                    open ? std::move(range).after(local_of(a)) : std::move(range).from(local_of(a));
                low = std::max(low, a + (open ? 1 : 0));
            }
            if (shape / 10 % 5 != 0) {
                const bool open = shape / 50 % 2 == 0;
                range =
                    open ? std::move(range).before(local_of(b)) : std::move(range).to(local_of(b));
                high = std::min(high, b - (open ? 1 : 0));
            }
            // A step's points have one node: the first of them that is in the range will do.
            std::set<std::string> expected;
            for (std::size_t step = 0; step < line.begins.size(); ++step) {
                const std::int64_t point = std::max(low, line.begins[step]);
                const bool in_step =
                    step + 1 == line.begins.size() || point < line.begins[step + 1];
                if (in_step && point <= high) {
                    expected.insert(line.timeline.node_of(local_of(point)).value());
                }
            }
            ASSERT_EQ(set_of(line.timeline.nodes_of(range).value()), expected);
        }
    }
}

TEST(IntervalTimeline, changing_an_answer_changes_no_other_answer) {
    const auto line = IntervalTimeline::make(
        LocalTime{2026, 1, 1},
        LocalTime{2026, 6, 1},
        IntervalStep(IntervalUnit::month),
        "l_",
        "yyyyMM"
    );
    auto all = line.value().nodes_of(Times()).value();
    all.clear();
    EXPECT_EQ(line.value().nodes_of(Times()).value().size(), 6u);
}

TEST(IntervalTimeline, what_makes_no_timeline_is_refused) {
    const LocalTime first{2026, 1, 1};
    const auto make = [&first](LocalTime last, IntervalStep step, const char* pattern) {
        return IntervalTimeline::make(first, last, step, "l_", pattern).ok();
    };
    const IntervalStep months(IntervalUnit::month);
    EXPECT_TRUE(make(LocalTime{2026, 6, 1}, months, "yyyyMM"));
    EXPECT_TRUE(make(first, months, "yyyyMM"));
    EXPECT_FALSE(make(LocalTime{2025, 12, 31}, months, "yyyyMM"));
    EXPECT_FALSE(make(LocalTime{2026, 2, 30}, months, "yyyyMM"));
    EXPECT_FALSE(make(LocalTime{2026, 6, 1}, months, "yyyy")) << "all nodes have one name";
    EXPECT_FALSE(make(LocalTime{2026, 6, 1}, months, "MMM"));
    EXPECT_FALSE(make(LocalTime{2026, 6, 1}, IntervalStep(IntervalUnit::month, 0), "yyyyMM"));
    EXPECT_TRUE(make(LocalTime{2026, 6, 1}, IntervalStep(IntervalUnit::month, 1'000'000), "yyyyMM")
    );
    EXPECT_FALSE(make(LocalTime{2026, 6, 1}, IntervalStep(IntervalUnit::month, 1'000'001), "yyyyMM")
    );
    const IntervalStep seconds(IntervalUnit::second);
    EXPECT_TRUE(make(LocalTime{2026, 1, 1, 18, 12, 15}, seconds, "yyyyMMddHHmmss"));
    EXPECT_FALSE(make(LocalTime{2026, 1, 1, 18, 12, 16}, seconds, "yyyyMMddHHmmss"));
}

TEST(IntervalTimeline, a_bound_outside_of_the_calendar_is_refused) {
    const auto line = IntervalTimeline::make(
        LocalTime{2026, 1, 1},
        LocalTime{2026, 6, 1},
        IntervalStep(IntervalUnit::month),
        "l_",
        "yyyyMM"
    );
    EXPECT_FALSE(line.value().nodes_of(Times().from(LocalTime{2026, 2, 30})).ok());
    EXPECT_FALSE(line.value().node_of(LocalTime{2026, 2, 30}).ok());
    EXPECT_TRUE(line.value().nodes_of(Times().from(LocalTime{2027, 1, 1})).value().empty());
}

}  // namespace
}  // namespace holdfast
