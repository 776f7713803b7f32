// What a chain of ranges promises beyond its numbers: order, distance, what it burns, how it ends.

#include "ranges/prefetch_distance.h"
#include "segment_scene.h"

#include <algorithm>

namespace holdfast::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Row 28: segment 3 was used before segment 2.
TEST(Chain, ranges_of_others_in_between_cost_no_order) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return CallPlan().elsewhere(static_cast<std::int64_t>(call % 7)).before(milliseconds(3));
    });
    scene.open(SegmentOptions().step(5));
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 500; ++i) {
        ids.push_back(scene.next_within(seconds(1)).value());
        scene.pass(milliseconds(i % 3));  // now and then the store is ahead, and ranges wait
    }
    std::vector<std::int64_t> expected;  // range after range, as the store gave them
    for (const Range& range : scene.store.ranges()) {
        for (std::int64_t id = range.start; id < range.end; ++id) {
            expected.push_back(id);
        }
    }
    expected.resize(ids.size());
    EXPECT_EQ(ids, expected);
    const GeneratorInfo info = scene.generator->info();
    EXPECT_EQ(info.issued, 500u);
    EXPECT_EQ(info.burnt, 0u);
    EXPECT_EQ(info.last, ids.back());
}

TEST(Chain, one_reservation_is_under_way_at_a_time) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return CallPlan().after(milliseconds(call % 2 == 0 ? 90 : 1));
    });
    scene.open(SegmentOptions().step(2));
    std::vector<std::int64_t> ids(400);
    ASSERT_TRUE(scene.wait(scene.generator->fill(ids, scene.in(seconds(60)))).ok());
    EXPECT_TRUE(std::ranges::is_sorted(ids));
    EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
}

TEST(Chain, a_range_below_one_that_was_given_before_is_refused_for_ever) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return call == 2 ? CallPlan().answer(Range{5, 10}) : CallPlan();
    });
    scene.open(SegmentOptions().step(5).safe_distance(1));
    std::vector<std::int64_t> ids(10);
    ASSERT_TRUE(scene.wait(scene.generator->fill(ids, scene.in(seconds(1)))).ok());
    scene.pass(milliseconds(10));
    const auto refused = scene.next_within(seconds(1));
    EXPECT_EQ(refused.error().code(), Code::corrupt);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_TRUE(scene.generator->rollback_suspected());
    EXPECT_EQ(scene.generator->info().state, IdState::lost);
    EXPECT_EQ(scene.generator->info().prefetched, 0);
    EXPECT_TRUE(scene.lines.contains("ids_rollback_suspected"));
    EXPECT_NE(scene.metrics.text().find("cosid_ids_rollback_suspected_total 1"), std::string::npos);
    const std::size_t calls = scene.store.calls();
    scene.pass(std::chrono::minutes(5));
    EXPECT_EQ(scene.store.calls(), calls);
    EXPECT_EQ(scene.next().error().code(), Code::corrupt);
}

// The store has come up again from an old copy. Numbers in hand may be given to others now.
TEST(Chain, a_suspected_rollback_stops_the_numbers_in_hand_too) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return call == 1 ? CallPlan().answer(Range{0, 10}) : CallPlan();
    });
    scene.open(SegmentOptions().step(10).safe_distance(4));
    std::vector<std::int64_t> ids(25);
    EXPECT_EQ(scene.generator->next(ids).value(), 25u);
    scene.pass(milliseconds(10));
    EXPECT_EQ(scene.next().error().code(), Code::corrupt);
}

TEST(Chain, direct_answers_that_overtake_each_other_are_no_rollback) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        SegmentScene scene(seed, 2);
        scene.store.script([&](std::size_t) {
            return CallPlan()
                .before(Duration(static_cast<std::int64_t>(scene.runtime->engine()() % 20)))
                .after(Duration(static_cast<std::int64_t>(scene.runtime->engine()() % 20)));
        });
        scene.open(SegmentOptions().mode(SegmentMode::direct));
        std::vector<std::int64_t> got;
        for (int i = 0; i < 40; ++i) {
            spawn(
                *scene.runtime,
                scene.generator->next(scene.in(seconds(5))),
                [&](const Result<std::int64_t>& id) { got.push_back(id.ok() ? id.value() : -1); }
            );
        }
        scene.pass(seconds(1));
        EXPECT_FALSE(std::ranges::is_sorted(got)) << "nothing was overtaken";
        std::ranges::sort(got);
        for (std::size_t i = 0; i < got.size(); ++i) {
            ASSERT_EQ(got[i], static_cast<std::int64_t>(i)) << seed;
        }
        EXPECT_FALSE(scene.generator->rollback_suspected());
    }
}

TEST(Chain, a_direct_answer_below_one_known_when_it_was_asked_for_is_a_rollback) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return call == 3 ? CallPlan().answer(Range{1, 2}) : CallPlan();
    });
    scene.open(SegmentOptions().mode(SegmentMode::direct));
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(scene.next_within(seconds(1)).value(), i);
    }
    EXPECT_EQ(scene.next_within(seconds(1)).error().code(), Code::corrupt);
    EXPECT_EQ(scene.next_within(seconds(1)).error().code(), Code::corrupt);
    EXPECT_EQ(scene.store.calls(), 4u);
}

TEST(Chain, the_distance_doubles_when_callers_starve_and_halves_when_it_is_quiet) {
    SteadyTime now{};
    PrefetchDistance distance(2, 16, now);
    EXPECT_EQ(distance.at(now), 2);
    for (const std::int64_t expected : {4, 8, 16, 16}) {
        distance.starved(now);
        EXPECT_EQ(distance.at(now), expected);
    }
    EXPECT_EQ(distance.at(now + milliseconds(4'999)), 16);
    EXPECT_EQ(distance.at(now + milliseconds(5'000)), 8);
    EXPECT_EQ(distance.at(now + milliseconds(9'999)), 8);
    EXPECT_EQ(distance.at(now + milliseconds(10'000)), 4);
    EXPECT_EQ(distance.at(now + milliseconds(15'000)), 2);
    EXPECT_EQ(distance.at(now + std::chrono::hours(1)), 2);
}

TEST(Chain, a_distance_that_was_just_enough_stays) {
    SteadyTime now{};
    PrefetchDistance distance(2, 16, now);
    distance.starved(now);
    for (int i = 0; i < 20; ++i) {
        now += milliseconds(3'000);
        distance.pressed(now);
        EXPECT_EQ(distance.at(now), 4);
    }
    EXPECT_EQ(distance.at(now + milliseconds(5'000)), 2);
}

TEST(Chain, starved_callers_get_several_ranges_by_one_reservation) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(milliseconds(20)); });
    scene.open(SegmentOptions().step(10));
    std::vector<std::int64_t> ids(20'000);
    ASSERT_TRUE(scene.wait(scene.generator->fill(ids, scene.in(seconds(60)))).ok());
    EXPECT_LE(scene.store.calls(), 15u);  // 2,000 steps
    EXPECT_EQ(std::ranges::max(scene.store.sizes()) % 10, 0);
    EXPECT_LE(std::ranges::max(scene.store.sizes()), 10'240);
}

TEST(Chain, callers_slower_than_the_store_never_find_it_empty) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(milliseconds(9)); });
    scene.open(SegmentOptions().step(10));
    for (int i = 0; i < 2'000; ++i) {
        ASSERT_EQ(scene.next().value(), i);
        scene.pass(milliseconds(1));
    }
    // Half of the distance at a time: never more than a call for each step.
    EXPECT_LE(scene.store.calls(), 205u);
}

// Row 40, and the bound of the gap of row 17.
TEST(Chain, what_is_in_hand_is_at_most_the_distance_and_one_range) {
    for (const std::int64_t distance : {1, 2, 3, 7}) {
        SegmentScene scene;
        scene.open(SegmentOptions().step(10).safe_distance(distance));
        for (int i = 0; i < 300; ++i) {
            ASSERT_TRUE(scene.next_within(seconds(1)).ok());
            scene.pass(milliseconds(1));
            ASSERT_LE(scene.generator->info().prefetched, (distance + 1) * 10);
        }
    }
}

// Row 17.
TEST(Chain, a_process_that_ends_leaves_a_gap_of_at_most_what_it_had_in_hand) {
    for (int issued = 50; issued < 70; ++issued) {
        SegmentScene scene;
        scene.open(SegmentOptions().step(10).safe_distance(2));
        std::int64_t last = 0;
        for (int i = 0; i < issued; ++i) {
            last = scene.next_within(seconds(1)).value();
        }
        scene.pass(milliseconds(1));
        const std::int64_t in_hand = scene.generator->info().prefetched;
        scene.generator.reset();  // as if the process died
        EXPECT_NE(
            scene.metrics.text().find("cosid_ids_prefetched{generator=\"orders\"} 0"),
            std::string::npos
        );
        const Range range = scene.reserve_elsewhere("shop/orders", 1);
        EXPECT_LE(range.start - last - 1, 30);
        EXPECT_GE(range.start - last - 1, in_hand);
    }
}

TEST(Chain, what_is_closed_burns_what_it_had_and_counts_it) {
    SegmentScene scene;
    scene.open(SegmentOptions().step(10).safe_distance(2));
    for (int i = 0; i < 5; ++i) {
        ASSERT_TRUE(scene.next().ok());
    }
    EXPECT_EQ(scene.generator->info().burnt, 0u);
    EXPECT_TRUE(scene.wait(scene.generator->close(scene.in(seconds(1)))).ok());
    EXPECT_TRUE(scene.wait(scene.generator->close(scene.in(seconds(1)))).ok());
    const GeneratorInfo info = scene.generator->info();
    EXPECT_EQ(info.state, IdState::closed);
    EXPECT_EQ(info.issued, 5u);
    std::int64_t reserved = 0;
    for (const Range& range : scene.store.ranges()) {
        reserved += range.end - range.start;
    }
    EXPECT_EQ(info.burnt, static_cast<std::uint64_t>(reserved) - 5);
    EXPECT_EQ(info.prefetched, 0);
    EXPECT_EQ(scene.next().error().code(), Code::closed);
    std::vector<std::int64_t> ids(3);
    EXPECT_EQ(scene.generator->next(ids).error().code(), Code::closed);
    EXPECT_EQ(scene.generator->next_text().error().code(), Code::closed);
    EXPECT_EQ(scene.next_within(seconds(1)).error().code(), Code::closed);
}

TEST(Chain, those_who_wait_hear_of_a_close_at_once) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(seconds(60)); });
    scene.make(SegmentOptions().step(10));
    scene.wait(scene.generator->open(scene.in(milliseconds(1)))).value();
    int closed = 0;
    for (int i = 0; i < 3; ++i) {
        spawn(
            *scene.runtime,
            scene.generator->next(scene.in(seconds(30))),
            [&](const Result<std::int64_t>& id) {
                closed += !id.ok() && id.error().code() == Code::closed ? 1 : 0;
            }
        );
    }
    scene.pass(milliseconds(10));
    const SteadyTime begin = scene.runtime->now();
    const auto late = scene.wait(scene.generator->close(scene.in(milliseconds(20))));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    scene.pass(milliseconds(1));
    EXPECT_EQ(closed, 3);
    EXPECT_LE(scene.runtime->now() - begin, milliseconds(25));
}

TEST(Chain, a_cancelled_wait_ends_and_others_go_on) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(milliseconds(100)); });
    scene.make(SegmentOptions().step(10));
    scene.wait(scene.generator->open(scene.in(milliseconds(1)))).value();
    const Stop stop;
    std::optional<Code> first;
    std::optional<std::int64_t> second;
    spawn(
        *scene.runtime,
        scene.generator->next(scene.in(seconds(30))),
        [&](const Result<std::int64_t>& id) { first = id.error().code(); },
        &stop
    );
    spawn(
        *scene.runtime,
        scene.generator->next(scene.in(seconds(30))),
        [&](const Result<std::int64_t>& id) { second = id.value(); }
    );
    scene.pass(milliseconds(10));
    stop.request();
    scene.pass(milliseconds(10));
    EXPECT_EQ(first, Code::cancelled);
    EXPECT_FALSE(second.has_value());
    scene.pass(milliseconds(200));
    EXPECT_EQ(second, 0);
}

TEST(Chain, what_a_failed_fill_had_taken_is_burnt_and_counted) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return call == 0 ? CallPlan() : CallPlan().refuse(Code::unreachable);
    });
    scene.open(SegmentOptions().step(10).safe_distance(2));
    std::vector<std::int64_t> ids(50);
    const auto late = scene.wait(scene.generator->fill(ids, scene.in(seconds(1))));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::none);
    EXPECT_EQ(scene.generator->info().burnt, 20u);
}

TEST(Chain, a_task_that_waits_may_be_destroyed_with_its_runtime) {
    SegmentScene scene;
    scene.store.script([](std::size_t) { return slow(seconds(60)); });
    scene.make(SegmentOptions().step(10));
    scene.wait(scene.generator->open(scene.in(milliseconds(1)))).value();
    std::optional<Code> code;
    spawn(
        *scene.runtime,
        scene.generator->next(scene.in(std::chrono::hours(1))),
        [&](const Result<std::int64_t>& id) { code = id.error().code(); }
    );
    scene.pass(milliseconds(5));
    scene.runtime->close(scene.in(milliseconds(50)));
    EXPECT_EQ(code, Code::cancelled);
    EXPECT_EQ(scene.next().error().effect(), Effect::none);
}

TEST(Chain, relaxed_numbers_rise_for_a_thread_and_are_in_ranges_of_ours) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return CallPlan().elsewhere(static_cast<std::int64_t>(call % 3));
    });
    scene.open(SegmentOptions().step(64).order(SegmentOrder::relaxed));
    std::int64_t last = -1;
    std::vector<std::int64_t> ids(9);
    for (int i = 0; i < 500; ++i) {
        const std::int64_t id = scene.next_within(seconds(1)).value();
        ASSERT_GT(id, last);
        last = id;
        if (i % 5 == 0) {
            ASSERT_TRUE(scene.wait(scene.generator->fill(ids, scene.in(seconds(1)))).ok());
            ASSERT_GT(ids.front(), last);
            ASSERT_TRUE(std::ranges::is_sorted(ids));
            last = ids.back();
        }
    }
    const GeneratorInfo info = scene.generator->info();
    EXPECT_EQ(info.issued, 500u + 100 * 9);
    EXPECT_EQ(info.burnt, 0u);
    EXPECT_TRUE(scene.wait(scene.generator->close(scene.in(seconds(1)))).ok());
    EXPECT_EQ(scene.next().error().code(), Code::closed);
}

// Row 47. Nothing but an expected minimum could see a store that lost everything before we started
// (docs: rebase); what this process itself was given, it remembers.
TEST(Chain, a_store_that_lost_everything_while_we_run_is_noticed) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return call == 1 ? CallPlan().answer(Range{0, 10}) : CallPlan();
    });
    scene.open(SegmentOptions().step(10).safe_distance(1).offset(0));
    for (int i = 0; i < 10; ++i) {
        ASSERT_EQ(scene.next().value(), i);
    }
    EXPECT_EQ(scene.next_within(seconds(1)).error().code(), Code::corrupt);
}

}  // namespace
}  // namespace holdfast::testing
