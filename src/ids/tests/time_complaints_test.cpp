// What people have reported of other id generators, as far as time-based ids and leases go: row
// by row. Rows that other tests hold say so there: 13 (lease_rollback), 15, 18, 32
// (lease_machine), 21, 33, 24 (gate, time_generator), 33 (time_vectors), 35, 23 (lease_config), 43,
// 51 (lease_rules).
#include "tests/lease_scene.h"

#include <holdfast/io/compose.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace holdfast {
namespace {

using testing::parts_of;
using testing::Scene;
using testing::time_of_id;

class HandClock final : public Clock {
public:
    SteadyTime steady_now() const override { return SteadyTime(Duration(ms)); }
    WallTime wall_now() const override { return WallTime(Duration(ms)); }
    std::int64_t ms = 1'767'225'600'000;
};

struct Manual : Scene {
    explicit Manual(IdLayout layout = IdLayout::milliseconds())
        : machine(make_manual_machine(ManualMachine{1}, {layout}, *runtime, clock, log).value()) {
        EXPECT_TRUE(open(*machine).ok());
        ids = generator(*machine, GeneratorOptions::snowflake("ids", layout));
    }
    HandClock clock;
    std::unique_ptr<Machine> machine;
    std::unique_ptr<IdGenerator> ids;
};

// Row 6: a generator of seconds had the epoch of milliseconds.
TEST(Complaints, an_id_of_every_layout_says_the_time_of_its_making_row_6) {
    const std::vector<IdLayout> layouts = {
        IdLayout::milliseconds(),
        IdLayout::seconds(),
        IdLayout::js_safe_milliseconds(),
        IdLayout::js_safe_seconds(),
        IdLayout::milliseconds().epoch(WallTime(Duration(1'600'000'000'000))).bits(40, 5, 10),
        IdLayout::seconds().epoch(WallTime(Duration(0))),
        IdLayout::text(),
    };
    Scene scene;
    const auto machine = scene.leased(Scene::options(), layouts);
    scene.run(Duration(12'345));
    for (const IdLayout& layout : layouts) {
        const auto ids = scene.generator(
            *machine,
            layout.is_text() ? GeneratorOptions::string("x", layout)
                             : GeneratorOptions::snowflake("x", layout)
        );
        const auto parts = ids->parse_parts(ids->next_text().value()).value();
        const Duration age = scene.store_wall() - time_of(layout, parts);
        EXPECT_GE(age, Duration(0));
        EXPECT_LT(age, layout.unit_length());
    }
}

// Row 7: the wait for the clock was given seconds as milliseconds and never happened.
TEST(Complaints, the_wait_for_a_clock_that_went_back_is_in_the_unit_of_the_layout_row_7) {
    for (const bool seconds : {false, true}) {
        Manual scene(
            seconds ? IdLayout::seconds().bits(31, 10, 4) : IdLayout::milliseconds().bits(41, 10, 4)
        );
        const auto before = scene.ids->next().value();
        scene.clock.ms -= 7'000;  // two seconds more than it may run ahead
        EXPECT_EQ(scene.ids->next().error().code(), Code::overloaded);
        scene.clock.ms += 1'000;
        EXPECT_EQ(scene.ids->next().error().code(), Code::overloaded);
        scene.clock.ms += 1'000;
        const auto after = scene.ids->next();
        ASSERT_TRUE(after.ok());
        EXPECT_GT(after.value(), before);
    }
}

TEST(Complaints, a_limit_that_shrank_is_refused_and_not_worked_around_row_7) {
    Scene scene;
    {
        const auto before = scene.leased(Scene::options().limit(1'024).preferred(Slot(1'000)));
        ASSERT_TRUE(scene.close(*before).ok());
    }
    const auto machine = scene.machine(Scene::options().limit(8));
    EXPECT_EQ(scene.open(*machine).error().code(), Code::invalid_argument);
    EXPECT_FALSE(scene.generator(*machine)->next().ok());
}

TEST(Complaints, namespaces_with_a_common_prefix_know_nothing_of_each_other_row_7) {
    Scene scene;
    const auto in = [](std::string_view name) {
        return LeasedMachine(Namespace::parse(name).value(), testing::owner()).limit(1);
    };
    const auto one = scene.leased(in("shop"));
    const auto other = scene.leased(in("shop.eu"));
    EXPECT_FALSE(other->leases().at(0).duplicate_owner_key);
    ASSERT_TRUE(scene.close(*one).ok());
    scene.run(Duration(60'000));
    EXPECT_EQ(other->leases().at(0).state, LeaseState::leased);
    EXPECT_EQ(other->leases().at(0).fence, Fence(1));
}

// Row 19: two hosts got one worker id. Row 34: the test must reach each member.
TEST(Complaints, all_who_acquire_at_once_get_slots_of_their_own_rows_19_and_34) {
    Scene scene;
    const std::vector<IdLayout> layouts = {IdLayout::js_safe_milliseconds()};
    std::vector<std::unique_ptr<Machine>> machines;
    std::vector<Task<Done>> opening;
    for (int i = 0; i < 8; ++i) {
        machines.push_back(scene.machine(Scene::options("pod-" + std::to_string(i)), layouts));
        testing::Fate<AcquireOutcome> fate;
        fate.late = Duration(i % 3);
        fate.answered = i % 2 == 0;
        scene.slots.acquire_fates.push_back(fate);
        opening.push_back(machines.back()->open(scene.in(Duration(10'000))));
    }
    const auto all = wait(*scene.runtime, when_all(std::move(opening)));
    for (const auto& opened : all.value()) {
        EXPECT_TRUE(opened.ok());
    }
    std::set<std::int64_t> numbers;
    for (const auto& machine : machines) {
        const auto ids =
            scene.generator(*machine, GeneratorOptions::snowflake("x", layouts.front()));
        const auto first = parts_of(ids->next().value(), layouts.front()).machine;
        EXPECT_EQ(parts_of(ids->next().value(), layouts.front()).machine, first);
        numbers.insert(first);
    }
    EXPECT_EQ(numbers, (std::set<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

// Row 20: a crash right before a report, a clock set back by less than its interval, a restart.
TEST(Complaints, a_crash_and_a_clock_set_back_repeat_no_time_row_20) {
    Scene scene;
    std::int64_t last = 0;
    StoreTime ceiling;
    {
        const auto machine = scene.leased(Scene::options().limit(1));
        const auto ids = scene.generator(*machine);
        while (scene.slots.renewals.empty()) {
            scene.run(Duration(1));
            last = ids->next().value();
            ceiling = machine->leases().at(0).ceiling;
        }
    }
    scene.store_clock.shift(Duration(-2'000));
    const auto machine = scene.machine(Scene::options().limit(1));
    ASSERT_TRUE(scene.open(*machine, Duration(60'000)).ok());
    EXPECT_GE(machine->leases().at(0).floor, ceiling);
    const auto ids = scene.generator(*machine);
    const auto next = wait(*scene.runtime, ids->next(scene.in(Duration(10'000))));
    EXPECT_GT(next.value(), last);
}

// Row 21: the loop that waits for the next millisecond never ends if the clock steps back.
TEST(Complaints, a_step_back_while_the_sequence_is_used_up_waits_a_bounded_time_row_21) {
    Scene scene;
    const IdLayout layout = IdLayout::milliseconds().bits(41, 10, 4);
    const auto machine =
        make_manual_machine(ManualMachine{1}, {layout}, *scene.runtime, scene.host_clock, scene.log)
            .value();
    ASSERT_TRUE(scene.open(*machine).ok());
    const auto ids = scene.generator(*machine, GeneratorOptions::snowflake("ids", layout));
    while (ids->next().ok()) {
    }
    scene.host_clock.shift(Duration(-7'000));
    const SteadyTime before = scene.runtime->now();
    EXPECT_TRUE(wait(*scene.runtime, ids->next(scene.in(Duration(10'000)))).ok());
    EXPECT_GE(scene.runtime->now() - before, Duration(1'990));
    EXPECT_LE(scene.runtime->now() - before, Duration(2'010));
    scene.host_clock.shift(Duration(-60'000));
    const auto refused = wait(*scene.runtime, ids->next(scene.in(Duration(10'000))));
    EXPECT_EQ(refused.error().code(), Code::timed_out);
}

// Row 22: addresses of containers change, and worker ids run out.
TEST(Complaints, ten_thousand_restarts_under_new_names_use_no_slot_up_row_22) {
    Scene scene;
    std::int64_t last = 0;
    for (int i = 0; i < 10'000; ++i) {
        const auto machine = scene.leased(Scene::options("pod-" + std::to_string(i)).limit(4));
        const auto id = scene.generator(*machine)->next();
        ASSERT_TRUE(id.ok()) << i;
        ASSERT_LT(parts_of(id.value()).machine, 4);
        ASSERT_NE(id.value(), std::exchange(last, id.value()));
        ASSERT_TRUE(scene.close(*machine).ok());
        scene.run(Duration(1));
    }
}

TEST(Complaints, crashes_under_new_names_use_a_slot_up_for_one_ttl_only_row_22) {
    Scene scene;
    for (int i = 0; i < 100; ++i) {
        const auto machine = scene.machine(Scene::options("pod-" + std::to_string(i)).limit(2));
        ASSERT_TRUE(scene.open(*machine, Duration(40'000)).ok()) << i;
    }
}

// Row 23: a worker id above its bits was shifted into the time. Row 34: also at the second try.
TEST(Complaints, a_slot_above_the_machine_bits_is_never_used_rows_23_and_34) {
    Scene scene;
    for (int i = 0; i < 2; ++i) {
        testing::Fate<AcquireOutcome> above;
        above.forge = [](AcquireOutcome& outcome) {
            std::get<Acquired>(outcome).lease.slot = Slot(1'024);
        };
        scene.slots.acquire_fates.push_back(above);
    }
    for (int i = 0; i < 2; ++i) {
        const auto machine = scene.machine();
        const auto ids = scene.generator(*machine);
        EXPECT_EQ(scene.open(*machine).error().code(), Code::corrupt);
        EXPECT_EQ(ids->next().error().code(), Code::unreachable);
        EXPECT_EQ(ids->next().error().code(), Code::unreachable);
    }
}

// Row 34: the first call after the end of the time field failed, the second did not.
TEST(Complaints, the_second_call_after_a_refused_one_is_refused_too_row_34) {
    Manual scene;
    scene.clock.ms = IdLayout::milliseconds()
                         .time_of(IdLayout::milliseconds().last_tick() + 1)
                         .time_since_epoch()
                         .count();
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(scene.ids->next().error().code(), Code::invalid_argument);
    }
}

// Row 26: time borrowed from the future was forgotten at a restart.
TEST(Complaints, ticks_borrowed_from_the_future_are_not_given_out_again_after_a_restart_row_26) {
    Scene scene;
    const IdLayout layout = IdLayout::milliseconds().bits(41, 10, 4);
    std::int64_t last = 0;
    for (int restart = 0; restart < 50; ++restart) {
        const auto machine = scene.leased(Scene::options().limit(1), {layout});
        const auto ids = scene.generator(*machine, GeneratorOptions::snowflake("ids", layout));
        for (int i = 0; i < 20; ++i) {  // 4 more than a tick holds
            const auto id = ids->next();
            ASSERT_TRUE(id.ok());
            ASSERT_GT(id.value(), last);
            last = id.value();
        }
        ASSERT_TRUE(scene.close(*machine).ok());
    }
}

// Rows 30, 41 and 44: numbers made of addresses, MACs, host names and process ids collide.
TEST(Complaints, processes_that_look_the_same_have_numbers_of_their_own_rows_30_41_and_44) {
    Scene scene;
    std::vector<std::unique_ptr<Machine>> machines;
    std::set<std::int64_t> numbers;
    for (int i = 0; i < 20; ++i) {
        machines.push_back(scene.leased());  // one host name, one process id, one of everything
        const auto ids = scene.generator(*machines.back());
        numbers.insert(parts_of(ids->next().value()).machine);
        EXPECT_EQ(machines.back()->leases().at(0).duplicate_owner_key, i > 0);
    }
    EXPECT_EQ(numbers.size(), 20u);
}

// Row 37: a former leader writes an older maximum when it leaves.
TEST(Complaints, a_holder_that_was_replaced_changes_nothing_when_it_leaves_row_37) {
    Scene scene;
    const auto stale = scene.leased(Scene::options("pod-0").limit(1));
    ASSERT_TRUE(scene.generator(*stale)->next().ok());
    for (int i = 0; i < 1'000; ++i) {
        testing::Fate<RenewOutcome> lost;
        lost.arrives = false;
        scene.slots.renew_fates.push_back(lost);
    }
    scene.run(Duration(31'000));
    const auto holder = scene.leased(Scene::options("pod-1").limit(1));
    const LeaseInfo before = holder->leases().at(0);
    EXPECT_TRUE(scene.close(*stale).ok());  // it finds that the lease is gone: done
    scene.slots.renew_fates.clear();
    scene.run(Duration(60'000));
    const LeaseInfo after = holder->leases().at(0);
    EXPECT_EQ(after.state, LeaseState::leased);
    EXPECT_EQ(after.fence, before.fence);
    EXPECT_FALSE(holder->rollback_suspected());
}

// Row 41: the sequence was reset before it was known that the clock had gone back.
TEST(Complaints, a_clock_that_went_back_resets_no_sequence_row_41) {
    Manual scene;
    const auto before = parts_of(scene.ids->next().value());
    scene.clock.ms -= 100;
    const auto after = parts_of(scene.ids->next().value());
    EXPECT_EQ(after.time, before.time);
    EXPECT_EQ(after.sequence, before.sequence + 1);
}

// Of a sum of squares over all remainders; 0 is a perfect spread, one class only is count * (m -
// 1).
double chi_square(const std::vector<std::int64_t>& ids, std::int64_t modulus) {
    std::vector<double> counts(static_cast<std::size_t>(modulus));
    for (const std::int64_t id : ids) {
        counts[static_cast<std::size_t>(id % modulus)] += 1;
    }
    const double expected = static_cast<double>(ids.size()) / static_cast<double>(modulus);
    return std::accumulate(counts.begin(), counts.end(), 0.0, [&](double sum, double count) {
        return sum + (count - expected) * (count - expected) / expected;
    });
}
// One id after each pause, of 1 to `pause_max` milliseconds.
std::vector<std::int64_t> slowly(IdLayout layout, std::uint64_t pause_max) {
    Manual scene(layout);
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 20'000; ++i) {
        scene.clock.ms += 1 + static_cast<std::int64_t>(scene.runtime->random().next() % pause_max);
        ids.push_back(scene.ids->next().value());
    }
    return ids;
}
// Above the 0.999 quantile of chi-square for each number of shards here.
double bound_of(std::int64_t shards) {
    return static_cast<double>(shards) + 4.0 * std::sqrt(2.0 * static_cast<double>(shards)) + 10;
}

// Row 42: at one id a millisecond all ids were even, and shards by remainder were skewed.
TEST(Complaints, ids_at_a_low_rate_spread_over_shards_by_remainder_row_42) {
    const auto ids = slowly(IdLayout::milliseconds(), 1);
    const auto resetting = slowly(IdLayout::milliseconds().sequence_reset_threshold(0), 1);
    for (const std::int64_t shards : {2, 4, 8, 16, 64, 256, 1'024}) {
        EXPECT_LT(chi_square(ids, shards), bound_of(shards)) << shards;
        EXPECT_GT(chi_square(resetting, shards), bound_of(shards)) << shards;
    }
}

// Of other numbers of shards only where the pauses differ: at exactly one id a millisecond time
// and sequence rise together, and 2^22 + 1 is a multiple of 5.
TEST(Complaints, ids_after_uneven_pauses_spread_over_any_number_of_shards_row_42) {
    const auto ids = slowly(IdLayout::milliseconds(), 5);
    for (const std::int64_t shards : {2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 25, 64, 100, 1'024}) {
        EXPECT_LT(chi_square(ids, shards), bound_of(shards)) << shards;
    }
}

// Row 43: an object for each call, each with a sequence of its own.
TEST(Complaints, a_new_generator_for_each_id_gives_a_new_id_row_43) {
    Scene scene;
    const auto machine = scene.leased();
    std::set<std::int64_t> ids;
    for (int i = 0; i < 100; ++i) {
        ids.insert(scene.generator(*machine)->next().value());
    }
    EXPECT_EQ(ids.size(), 100u);
}

// Rows 50 and 52: a counter that wraps inside one millisecond; ten ids with a coarse timer.
TEST(Complaints, a_clock_that_stands_still_gives_no_id_twice_rows_50_and_52) {
    Manual scene;
    std::set<std::int64_t> ids;
    for (int i = 0; i < 20'000; ++i) {
        const auto id = scene.ids->next();
        if (!id.ok()) {
            EXPECT_EQ(id.error().code(), Code::overloaded);
            continue;
        }
        EXPECT_TRUE(ids.insert(id.value()).second);
    }
    EXPECT_EQ(ids.size(), 4'095u + 4'096u);
}

TEST(Complaints, a_clock_that_moves_in_steps_gives_no_id_twice_row_52) {
    Manual scene;
    std::set<std::int64_t> ids;
    for (int i = 0; i < 10'000; ++i) {
        scene.clock.ms += i % 10 == 0 ? 16 : 0;
        ids.insert(scene.ids->next().value());
    }
    EXPECT_EQ(ids.size(), 10'000u);
}

}  // namespace
}  // namespace holdfast
