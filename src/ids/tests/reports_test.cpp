// What people have reported of other id generators, as far as no other test here keeps it.
// tests/negative/ids_reports.txt has every row with its tests and the fault that each must notice.

#include "lease/gate.h"
#include "segment_scene.h"

namespace holdfast::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Row 25: ids that were produced while a ring was full were neither given out nor counted.
TEST(Reports, every_number_of_a_range_is_given_out_in_hand_or_counted_as_burnt_row_25) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return CallPlan().elsewhere(static_cast<std::int64_t>(call % 3)).before(milliseconds(2));
    });
    scene.open(SegmentOptions().step(5).safe_distance(3));
    std::vector<std::int64_t> ids(300);
    for (std::size_t turn = 0; turn < 60; ++turn) {
        const std::size_t count = turn % 4 == 0 ? ids.size() : turn % 7;
        ASSERT_TRUE(
            scene.wait(scene.generator->fill(std::span(ids).first(count), scene.in(seconds(60))))
                .ok()
        );
        scene.pass(seconds(1));  // what is under way arrives
        std::int64_t reserved = 0;
        for (const Range& range : scene.store.ranges()) {
            reserved += range.end - range.start;
        }
        const GeneratorInfo info = scene.generator->info();
        ASSERT_EQ(static_cast<std::int64_t>(info.issued + info.burnt) + info.prefetched, reserved);
    }
}

class HandClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(Duration(ms)); }
    WallTime wall_now() const override { return WallTime(Duration(ms)); }
    std::int64_t ms = 1'767'225'600'000;
};

// Row 38: after another had led, a leader went on with what it remembered of its earlier turn.
TEST(Reports, nothing_of_an_earlier_window_is_used_under_a_new_lease_row_38) {
    HandClock clock;
    TickClock ticks(clock, TickClock::Source::wall, TickClock::Reading::exact);
    Gate gate(IdLayout::milliseconds(), ticks, Duration(5'000));
    const auto at = [now = clock.ms](std::int64_t ms) {
        return StoreTime(Duration(now + ms));
    };
    ticks.restart();
    gate.open(1, at(0), at(60'000));
    ASSERT_EQ(gate.take(1, 0).count, 1u);
    gate.close(Refusal::no_lease);
    gate.open(2, at(0), at(10));  // of another slot: its window ends earlier
    clock.ms += 9;
    const Taken last = gate.take(1, 0);
    ASSERT_EQ(last.count, 1u);
    EXPECT_EQ(last.machine, 2u);
    clock.ms += 1;
    EXPECT_EQ(gate.take(1, 0).refusal, Refusal::window_used_up);
}

// Row 39: an answer that was overtaken lowered the last value that was known.
TEST(Reports, an_answer_that_was_overtaken_lowers_no_known_end_row_39) {
    SegmentScene scene;
    scene.store.script([](std::size_t call) {
        return call == 0   ? CallPlan().after(milliseconds(50))
               : call == 2 ? CallPlan().answer(Range{1, 2})
                           : CallPlan();
    });
    scene.open(SegmentOptions().mode(SegmentMode::direct));
    std::vector<std::int64_t> got;
    for (int i = 0; i < 2; ++i) {
        spawn(
            *scene.runtime,
            scene.generator->next(scene.in(seconds(5))),
            [&](const Result<std::int64_t>& id) { got.push_back(id.ok() ? id.value() : -1); }
        );
    }
    scene.pass(milliseconds(100));
    ASSERT_EQ(got, (std::vector<std::int64_t>{1, 0}));
    const auto again = scene.next_within(seconds(1));  // the store gives out 1 once more
    ASSERT_FALSE(again.ok());
    EXPECT_EQ(again.error().code(), Code::corrupt);
}

}  // namespace
}  // namespace holdfast::testing
