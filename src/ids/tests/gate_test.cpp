// Promises of the gate: which ticks and sequences are given out, and when none are.
#include "lease/gate.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace holdfast {
namespace {

// 2026-01-01T00:00:00Z
constexpr std::int64_t begin_ms = 1'767'225'600'000;

class HandClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(Duration(ms)); }
    WallTime wall_now() const override { return WallTime(Duration(ms)); }
    std::int64_t ms = begin_ms;
};

IdLayout small() {  // four bits of sequence: 16 ids a tick
    return IdLayout::milliseconds().bits(41, 10, 4);
}

struct Rig {
    explicit Rig(IdLayout of = small(), Duration max_ahead = Duration(5'000))
        : layout(of), ticks(clock, TickClock::Source::wall, TickClock::Reading::exact),
          gate(layout, ticks, max_ahead) {}

    void
    open(std::int64_t floor_ms = begin_ms - 1'000, std::int64_t ceiling_ms = begin_ms + 35'000) {
        ticks.restart();
        gate.open(7, StoreTime(Duration(floor_ms)), StoreTime(Duration(ceiling_ms)));
    }
    Taken take(std::uint64_t count = 1) {
        return gate.take(count, static_cast<std::uint64_t>(layout.sequence_reset_threshold()));
    }
    std::int64_t tick_of(const Taken& taken) const {
        return static_cast<std::int64_t>(taken.first >> layout.sequence_bits()) +
               layout.epoch_tick();
    }
    std::int64_t sequence_of(const Taken& taken) const {
        return static_cast<std::int64_t>(taken.first) & layout.sequence_max();
    }
    // Ids until the gate refuses, at most `most`.
    std::size_t drain(std::size_t most = 1'000'000) {
        std::size_t count = 0;
        while (count < most) {
            const Taken taken = take();
            last = taken;
            if (taken.count == 0) {
                break;
            }
            ++count;
        }
        return count;
    }

    IdLayout layout;
    HandClock clock;
    TickClock ticks;
    Gate gate;
    Taken last;
};

TEST(Gate, gives_nothing_before_it_is_opened) {
    Rig rig;
    EXPECT_EQ(rig.take().refusal, Refusal::no_lease);
}

TEST(Gate, begins_with_sequence_1_at_the_tick_of_the_clock) {
    Rig rig;
    rig.open();
    const Taken first = rig.take();
    EXPECT_EQ(first.count, 1u);
    EXPECT_EQ(first.machine, 7u);
    EXPECT_EQ(rig.tick_of(first), begin_ms);
    EXPECT_EQ(rig.sequence_of(first), 1);
}

TEST(Gate, goes_on_in_the_next_tick_when_the_sequence_overflows_but_leads_by_one_tick_only) {
    Rig rig;
    rig.open();
    // 15 of this tick (0 is the one after an overflow), 16 of the next.
    EXPECT_EQ(rig.drain(), 31u);
    EXPECT_EQ(rig.last.refusal, Refusal::ahead_of_clock);
    EXPECT_EQ(rig.last.wait, Duration(1));
    rig.clock.ms += 1;
    EXPECT_EQ(rig.drain(), 16u);
}

TEST(Gate, leads_by_one_tick_where_the_tick_is_a_second) {
    Rig rig(IdLayout::seconds().bits(31, 10, 4));
    rig.open();
    EXPECT_EQ(rig.drain(), 31u);
    EXPECT_EQ(rig.last.refusal, Refusal::ahead_of_clock);
    EXPECT_EQ(rig.last.wait, Duration(1'000));
    rig.clock.ms += 999;
    EXPECT_EQ(rig.drain(), 0u);
    rig.clock.ms += 1;
    EXPECT_EQ(rig.drain(), 16u);
}

// Row 21 and 33: a clock that steps back, also while the sequence is used up.
TEST(Gate, a_clock_that_steps_back_never_lowers_it) {
    Rig rig;
    rig.open();
    std::uint64_t last = 0;
    for (int i = 0; i < 1'000; ++i) {
        rig.clock.ms += i % 7 == 0 ? -3 : 1;
        const Taken taken = rig.take();
        ASSERT_EQ(taken.count, 1u) << i;
        ASSERT_GT(taken.first, last) << i;
        last = taken.first;
    }
}

TEST(Gate, runs_ahead_of_a_clock_below_its_earlier_reading_up_to_max_ahead) {
    Rig rig(small(), Duration(100));
    rig.open();
    ASSERT_EQ(rig.take().count, 1u);
    rig.clock.ms -= 100;
    // The rest of the tick of the earlier reading, which is 100 ms ahead.
    EXPECT_EQ(rig.drain(), 14u);
    EXPECT_EQ(rig.last.refusal, Refusal::ahead_of_clock);
    rig.clock.ms -= 1;
    EXPECT_EQ(rig.drain(), 0u);
    rig.clock.ms += 2;
    EXPECT_EQ(rig.drain(), 16u);
}

TEST(Gate, a_clock_that_is_back_at_its_earlier_reading_leads_by_one_tick_again) {
    Rig rig(small(), Duration(100));
    rig.open();
    ASSERT_EQ(rig.take().count, 1u);
    rig.clock.ms -= 50;
    EXPECT_EQ(rig.drain(), 14u + 50 * 16);
    rig.clock.ms += 50;  // where it was: the ticks used meanwhile are 50 ahead
    EXPECT_EQ(rig.drain(), 0u);
    EXPECT_EQ(rig.last.refusal, Refusal::ahead_of_clock);
    EXPECT_EQ(rig.last.wait, Duration(50));
    rig.clock.ms += 50;
    EXPECT_EQ(rig.drain(), 16u);
}

TEST(Gate, runs_ahead_of_a_clock_below_the_floor_up_to_max_ahead) {
    Rig rig(small(), Duration(100));
    rig.open(begin_ms + 101);
    EXPECT_EQ(rig.take().refusal, Refusal::ahead_of_clock);
    EXPECT_EQ(rig.take().wait, Duration(1));
    rig.clock.ms += 1;
    const Taken first = rig.take();
    ASSERT_EQ(first.count, 1u);
    EXPECT_EQ(rig.tick_of(first), begin_ms + 101);
    EXPECT_EQ(rig.drain(), 14u);
}

TEST(Gate, does_not_lead_a_clock_that_never_went_back_by_max_ahead) {
    Rig rig(small(), Duration(100));
    rig.open();
    EXPECT_EQ(rig.drain(), 31u);
}

// Rule L6: both borders, in both units.
TEST(Gate, uses_no_tick_that_begins_below_the_floor_or_ends_above_the_ceiling) {
    for (std::int64_t over = 0; over < 1'000; over += 333) {
        Rig rig(IdLayout::seconds().bits(31, 10, 4), Duration(60'000));
        const std::int64_t floor = begin_ms + 5'000 - over;
        const std::int64_t ceiling = begin_ms + 8'000 + over;
        rig.open(floor, ceiling);
        const Taken first = rig.take();
        ASSERT_EQ(first.count, 1u);
        EXPECT_EQ(rig.tick_of(first), begin_ms / 1'000 + 5);
        rig.clock.ms = begin_ms + 60'000;
        EXPECT_EQ(rig.take().refusal, Refusal::window_used_up);
        rig.clock.ms = begin_ms + 7'999;
        const Taken at_end = rig.take();
        ASSERT_EQ(at_end.count, 1u);
        EXPECT_EQ(rig.tick_of(at_end), begin_ms / 1'000 + 7);
        EXPECT_EQ(rig.drain(), 13u);
        EXPECT_EQ(rig.last.refusal, Refusal::window_used_up);
        EXPECT_EQ(rig.gate.close(Refusal::no_lease), StoreTime(Duration(begin_ms + 7'999)));
    }
}

TEST(Gate, goes_on_when_the_ceiling_is_raised_and_not_when_it_is_said_to_fall) {
    Rig rig;
    rig.open(begin_ms, begin_ms + 1);
    rig.drain();
    EXPECT_EQ(rig.last.refusal, Refusal::window_used_up);
    rig.gate.raise(StoreTime(Duration(begin_ms + 2)));
    EXPECT_EQ(rig.drain(), 16u);
    rig.gate.raise(StoreTime(Duration(begin_ms - 1)));
    rig.clock.ms += 1;
    EXPECT_EQ(rig.take().refusal, Refusal::window_used_up);
    rig.gate.raise(StoreTime(Duration(begin_ms + 3)));
    rig.clock.ms += 1;
    EXPECT_EQ(rig.take().count, 1u);
}

TEST(Gate, says_when_it_is_closed_what_was_used_last_and_gives_nothing_after_that) {
    Rig rig;
    rig.open();
    ASSERT_EQ(rig.take(40).count, 31u);
    const auto last = rig.gate.close(Refusal::no_lease);
    EXPECT_EQ(last, StoreTime(Duration(begin_ms + 1)));
    rig.clock.ms += 1'000;
    EXPECT_EQ(rig.take().refusal, Refusal::no_lease);
    EXPECT_EQ(rig.gate.close(Refusal::closed), last);
    EXPECT_EQ(rig.take().refusal, Refusal::closed);
}

TEST(Gate, says_that_nothing_was_used) {
    Rig rig;
    rig.open();
    EXPECT_EQ(rig.gate.close(Refusal::no_lease), std::nullopt);
}

TEST(Gate, the_next_lease_knows_nothing_of_the_one_before) {
    Rig rig;
    rig.open();
    rig.drain();
    rig.gate.close(Refusal::no_lease);
    rig.clock.ms -= 10'000;  // the store's clock was set back
    rig.open(begin_ms - 11'000);
    const Taken first = rig.take();
    ASSERT_EQ(first.count, 1u);
    EXPECT_EQ(rig.tick_of(first), begin_ms - 10'000);
    EXPECT_EQ(rig.sequence_of(first), 1);
}

TEST(Gate, a_span_is_one_row_of_numbers_and_ends_where_the_ticks_end) {
    Rig rig;
    rig.open();
    const Taken span = rig.take(20);
    ASSERT_EQ(span.count, 20u);
    EXPECT_EQ(rig.sequence_of(span), 1);
    const Taken rest = rig.take(20);
    EXPECT_EQ(rest.first, span.first + 20);
    EXPECT_EQ(rest.count, 11u);
    EXPECT_EQ(rig.take(20).refusal, Refusal::ahead_of_clock);
}

// Row 24.
TEST(Gate, a_clock_before_the_epoch_or_past_the_time_field_is_an_error_at_once) {
    Rig rig(IdLayout::milliseconds().epoch(WallTime(Duration(begin_ms))).bits(20, 10, 4));
    rig.open(begin_ms - 100'000, begin_ms + 100'000'000);
    rig.clock.ms = begin_ms - 1;
    EXPECT_EQ(rig.take().refusal, Refusal::before_epoch);
    rig.clock.ms = begin_ms;
    EXPECT_EQ(rig.take().count, 1u);
    const std::int64_t end = begin_ms + (1 << 20);
    rig.clock.ms = end - 1;
    EXPECT_EQ(rig.drain(), 14u);
    EXPECT_EQ(rig.last.refusal, Refusal::past_time_field);
    rig.clock.ms = end;
    EXPECT_EQ(rig.take().refusal, Refusal::past_time_field);
    rig.clock.ms = end + 1;
    EXPECT_EQ(rig.take().refusal, Refusal::past_time_field);
}

TEST(Gate, without_bits_of_sequence_there_is_one_id_a_tick) {
    Rig rig(IdLayout::milliseconds().bits(41, 10, 0));
    rig.open();
    EXPECT_EQ(rig.drain(), 2u);
    rig.clock.ms += 1;
    EXPECT_EQ(rig.drain(), 1u);
}

TEST(Gate, counts_what_it_gave_out_over_all_leases) {
    Rig rig;
    EXPECT_EQ(rig.gate.reading().issued, 0u);
    rig.open();
    rig.take(20);
    rig.clock.ms += 500;
    rig.take(3);
    EXPECT_EQ(rig.gate.reading().issued, 23u);
    rig.gate.close(Refusal::no_lease);
    rig.open();
    EXPECT_EQ(rig.gate.reading().issued, 23u);
    rig.take(2);
    EXPECT_EQ(rig.gate.reading().issued, 25u);
}

TEST(Gate, the_first_user_has_what_the_others_did_not_count) {
    Rig rig;
    auto* const first = rig.gate.join();
    auto* const second = rig.gate.join();
    EXPECT_EQ(first, nullptr);
    ASSERT_NE(second, nullptr);
    rig.open();
    rig.take(5);
    *second += rig.take(4).count;
    EXPECT_EQ(rig.gate.reading().issued, 5u);
}

// Rule L9: steady time since the last answer arrived; the wall clock plays no part.
TEST(TickClock, carries_the_stores_clock_on_by_the_steady_one) {
    HandClock clock;
    TickClock ticks(clock, TickClock::Source::anchored, TickClock::Reading::exact);
    clock.ms = 1'000;
    ticks.anchor(StoreTime(Duration(begin_ms)), clock.steady_now());
    clock.ms = 1'250;
    EXPECT_EQ(ticks.now_ms(), begin_ms + 250);
    EXPECT_EQ(ticks.exact_ms(), begin_ms + 250);
}

TEST(TickClock, remembers_the_highest_reading_also_of_an_anchor_that_went) {
    HandClock clock;
    TickClock ticks(clock, TickClock::Source::anchored, TickClock::Reading::exact);
    clock.ms = 0;
    ticks.anchor(StoreTime(Duration(begin_ms)), clock.steady_now());
    ticks.restart();
    clock.ms = 100;
    ticks.anchor(StoreTime(Duration(begin_ms + 50)), clock.steady_now());
    EXPECT_EQ(ticks.exact_ms(), begin_ms + 50);
    EXPECT_EQ(ticks.highest_ms(), begin_ms + 100);
    ticks.restart();
    EXPECT_EQ(ticks.highest_ms(), begin_ms + 50);
}

}  // namespace
}  // namespace holdfast
