// How a machine gets its lease, keeps it, shows it and lets it go.
#include "tests/lease_scene.h"

#include <holdfast/io/compose.h>

#include <algorithm>
#include <set>

namespace holdfast {
namespace {

using testing::Scene;

testing::Fate<RenewOutcome> no_answer() {
    testing::Fate<RenewOutcome> fate;
    fate.arrives = false;
    return fate;
}
template <class Outcome>
testing::Fate<Outcome> failing(Code code) {
    testing::Fate<Outcome> fate;
    fate.fails = code;
    return fate;
}

TEST(LeasedMachine, shows_its_lease) {
    Scene scene;
    const auto machine = scene.leased(Scene::options().preferred(Slot(17)));
    const auto leases = machine->leases();
    ASSERT_EQ(leases.size(), 1u);
    EXPECT_EQ(leases[0].state, LeaseState::leased);
    EXPECT_EQ(leases[0].name, testing::some_namespace());
    EXPECT_EQ(leases[0].owner, testing::owner());
    EXPECT_EQ(leases[0].slot, Slot(17));
    EXPECT_EQ(leases[0].fence, Fence(1));
    // Row 15: when the slot could be someone else's.
    EXPECT_EQ(leases[0].expires_at, scene.store_now() + Duration(30'000));
    EXPECT_FALSE(leases[0].duplicate_owner_key);
    EXPECT_FALSE(machine->rollback_suspected());
    EXPECT_FALSE(machine->manual().has_value());
    EXPECT_EQ(scene.metric("cosid_lease_slot"), "17");
    EXPECT_EQ(scene.metric("cosid_lease_seconds_left"), "30");
    scene.run(Duration(1'000));
    EXPECT_EQ(scene.metric("cosid_lease_seconds_left"), "29");
}

TEST(LeasedMachine, is_at_the_stores_time_once_it_has_a_lease) {
    Scene scene;
    scene.store_clock.shift(Duration(-123'456));
    const auto machine = scene.machine();
    EXPECT_EQ(machine->now(), scene.host_clock.wall_now());
    ASSERT_TRUE(scene.open(*machine).ok());
    EXPECT_EQ(machine->now(), scene.store_wall());
}

TEST(LeasedMachine, renews_within_its_interval_at_times_of_chance) {
    std::set<Duration> pauses;
    Scene scene;
    const auto machine = scene.leased();
    SteadyTime last = scene.runtime->now();
    for (int i = 0; i < 40; ++i) {
        const std::size_t before = scene.slots.renewals.size();
        while (scene.slots.renewals.size() == before) {
            scene.run(Duration(1));
        }
        const Duration pause = scene.runtime->now() - last;
        last = scene.runtime->now();
        EXPECT_GE(pause, Duration(6'999));
        EXPECT_LE(pause, Duration(10'002));
        pauses.insert(pause);
    }
    EXPECT_GT(pauses.size(), 30u);
}

TEST(LeasedMachine, tries_a_renewal_once_more_inside_the_same_interval) {
    Scene scene;
    testing::Changes changes;
    const auto machine = scene.machine();
    machine->listen(changes);
    ASSERT_TRUE(scene.open(*machine).ok());
    scene.slots.renew_fates.push_back(no_answer());
    scene.run(Duration(14'000));
    EXPECT_EQ(scene.slots.renewals.size(), 2u);
    EXPECT_EQ(scene.metric("cosid_lease_renewals_total{outcome=\"error_unknown\"}"), "1");
    EXPECT_EQ(scene.metric("cosid_lease_renewals_total{outcome=\"renewed\"}"), "1");
    const std::vector<LeaseState> expected = {LeaseState::acquiring, LeaseState::leased};
    EXPECT_EQ(changes.states, expected);
}

TEST(LeasedMachine, says_when_a_renewal_is_overdue_and_when_it_came) {
    Scene scene;
    testing::Changes changes;
    const auto machine = scene.machine();
    machine->listen(changes);
    ASSERT_TRUE(scene.open(*machine).ok());
    for (int i = 0; i < 4; ++i) {
        scene.slots.renew_fates.push_back(failing<RenewOutcome>(Code::unreachable));
    }
    scene.run(Duration(60'000));
    const std::vector<LeaseState> expected = {
        LeaseState::acquiring, LeaseState::leased, LeaseState::renewing_late, LeaseState::leased
    };
    EXPECT_EQ(changes.states, expected);
    EXPECT_EQ(scene.metric("cosid_lease_renewals_total{outcome=\"error_none\"}"), "4");
    EXPECT_EQ(scene.metric("cosid_lease_changes_total{state=\"renewing_late\"}"), "1");
    EXPECT_EQ(scene.metric("cosid_lease_changes_total{state=\"leased\"}"), "2");
    const auto lines = scene.lines.lines();
    const auto late = std::ranges::count_if(lines, [](const std::string& line) {
        return line.find("a renewal is overdue") != std::string::npos;
    });
    EXPECT_EQ(late, 1);
}

TEST(LeasedMachine, an_expired_lease_that_nobody_took_is_renewed) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    for (int i = 0; i < 40; ++i) {
        scene.slots.renew_fates.push_back(no_answer());
    }
    scene.run(Duration(600'000));
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::leased);
    EXPECT_EQ(machine->leases().at(0).fence, Fence(1));
    EXPECT_TRUE(ids->next().ok());
}

TEST(LeasedMachine, two_that_share_an_owner_key_are_told_and_have_slots_of_their_own) {
    Scene scene;
    const auto first = scene.leased();
    const auto second = scene.leased();
    EXPECT_NE(first->leases().at(0).slot, second->leases().at(0).slot);
    EXPECT_FALSE(first->leases().at(0).duplicate_owner_key);
    EXPECT_TRUE(second->leases().at(0).duplicate_owner_key);
    EXPECT_TRUE(scene.lines.contains("duplicate_owner_key"));
}

TEST(LeasedMachine, gets_a_slot_that_becomes_free_while_it_waits) {
    Scene scene;
    const auto first = scene.leased(Scene::options("pod-0").limit(1));
    const auto second = scene.machine(Scene::options("pod-1").limit(1));
    auto closing = [](Machine& machine, SteadyTime when) -> Task<Done> {
        auto slept = co_await sleep(when);
        EXPECT_TRUE(slept.ok());
        co_return co_await machine.close(Deadline::in(Duration(1'000), when));
    };
    const auto both = wait(
        *scene.runtime,
        when_all(
            second->open(scene.in(Duration(20'000))),
            closing(*first, scene.runtime->now() + Duration(7'000))
        )
    );
    EXPECT_TRUE(std::get<0>(both.value()).ok());
    EXPECT_TRUE(std::get<1>(both.value()).ok());
    EXPECT_EQ(second->leases().at(0).fence, Fence(2));
}

// Rows 15 and 32: the log says when one may be free.
TEST(LeasedMachine, when_every_slot_is_leased_it_says_so_and_takes_none) {
    Scene scene;
    const auto first = scene.leased(Scene::options("pod-0").limit(1));
    const auto second = scene.machine(Scene::options("pod-1").limit(1));
    const auto opened = scene.open(*second);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code(), Code::overloaded);
    const auto ids = scene.generator(*second);
    EXPECT_EQ(ids->next().error().code(), Code::unreachable);
    const auto expires = first->leases().at(0).expires_at.time_since_epoch().count();
    EXPECT_TRUE(scene.lines.contains("earliest_expires_at_ms=" + std::to_string(expires)));
    EXPECT_TRUE(scene.generator(*first)->next().ok());
}

TEST(LeasedMachine, another_limit_or_tolerance_of_the_namespace_is_refused_at_once) {
    Scene scene;
    const auto first = scene.leased(Scene::options("pod-0").limit(8));
    const SteadyTime before = scene.runtime->now();
    const auto limit = scene.machine(Scene::options("pod-1").limit(9));
    EXPECT_EQ(scene.open(*limit).error().code(), Code::invalid_argument);
    const auto tolerance =
        scene.machine(Scene::options("pod-1").limit(8).tolerance(Duration(4'000)));
    EXPECT_EQ(scene.open(*tolerance).error().code(), Code::invalid_argument);
    EXPECT_EQ(scene.runtime->now(), before);
}

TEST(LeasedMachine, a_store_that_refuses_us_is_not_asked_again) {
    for (const Code code : {Code::denied, Code::unsupported, Code::corrupt}) {
        Scene scene;
        scene.slots.acquire_fates.push_back(failing<AcquireOutcome>(code));
        const auto machine = scene.machine();
        EXPECT_EQ(scene.open(*machine).error().code(), code);
        EXPECT_EQ(scene.slots.acquires.size(), 1u);
    }
}

TEST(LeasedMachine, a_store_that_refuses_us_after_the_lease_was_lost_is_asked_until_it_does_not) {
    Scene scene;
    const auto machine = scene.leased();
    testing::Fate<RenewOutcome> lost;
    lost.forge = [](RenewOutcome& outcome) {
        outcome = LeaseLost();
    };
    scene.slots.renew_fates.push_back(lost);
    for (int i = 0; i < 3; ++i) {
        scene.slots.acquire_fates.push_back(failing<AcquireOutcome>(Code::denied));
    }
    scene.run(Duration(60'000));
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::leased);
    EXPECT_EQ(scene.slots.acquires.size(), 5u);
}

// Row 18.
TEST(LeasedMachine, issues_nothing_when_the_store_is_down_at_the_start) {
    Scene scene;
    for (int i = 0; i < 1'000; ++i) {
        scene.slots.acquire_fates.push_back(failing<AcquireOutcome>(Code::unreachable));
    }
    const auto machine = scene.machine();
    const auto ids = scene.generator(*machine);
    const SteadyTime before = scene.runtime->now();
    EXPECT_EQ(scene.open(*machine).error().code(), Code::unreachable);
    EXPECT_LE(scene.runtime->now(), before + Duration(5'001));
    EXPECT_EQ(ids->next().error().code(), Code::unreachable);
    EXPECT_EQ(ids->info().state, IdState::waiting);
    EXPECT_EQ(scene.metric("cosid_lease_slot"), "-1");
}

TEST(LeasedMachine, waits_between_its_tries_longer_and_longer) {
    Scene scene;
    for (int i = 0; i < 1'000; ++i) {
        scene.slots.acquire_fates.push_back(failing<AcquireOutcome>(Code::unreachable));
    }
    const auto machine = scene.machine();
    EXPECT_FALSE(scene.open(*machine, Duration(60'000)).ok());
    EXPECT_GE(scene.slots.acquires.size(), 12u);
    EXPECT_LE(scene.slots.acquires.size(), 40u);
}

TEST(LeasedMachine, sends_nothing_when_it_is_destroyed_without_close) {
    Scene scene;
    {
        auto machine = scene.leased();
        scene.run(Duration(15'000));
    }
    const std::size_t renewals = scene.slots.renewals.size();
    scene.run(Duration(600'000));
    EXPECT_EQ(scene.slots.releases.size(), 0u);
    EXPECT_EQ(scene.slots.renewals.size(), renewals);
    EXPECT_EQ(scene.slots.acquires.size(), 1u);
    EXPECT_EQ(scene.metric("cosid_lease_slot"), "-1");
    EXPECT_EQ(scene.metric("cosid_lease_seconds_left"), "0");
}

TEST(LeasedMachine, can_be_destroyed_while_a_call_of_the_store_is_under_way) {
    Scene scene;
    auto machine = scene.leased();
    testing::Fate<RenewOutcome> late;
    late.late = Duration(900);
    scene.slots.renew_fates.push_back(late);
    while (scene.slots.renewals.empty()) {
        scene.run(Duration(1));
    }
    machine.reset();
    scene.run(Duration(60'000));
    EXPECT_EQ(scene.slots.renewals.size(), 1u);
}

TEST(LeasedMachine, closes_while_it_is_acquiring_and_gives_back_what_it_gets) {
    Scene scene;
    const auto machine = scene.leased();
    testing::Fate<RenewOutcome> lost;
    lost.forge = [](RenewOutcome& outcome) {
        outcome = LeaseLost();
    };
    scene.slots.renew_fates.push_back(lost);
    for (int i = 0; i < 1'000; ++i) {
        scene.slots.acquire_fates.push_back(failing<AcquireOutcome>(Code::unreachable));
    }
    scene.run(Duration(12'000));
    ASSERT_EQ(machine->leases().at(0).state, LeaseState::lost);
    EXPECT_TRUE(scene.close(*machine).ok());
    EXPECT_EQ(scene.slots.releases.size(), 0u);
    const std::size_t acquires = scene.slots.acquires.size();
    scene.run(Duration(60'000));
    EXPECT_EQ(scene.slots.acquires.size(), acquires);
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::closed);
}

TEST(LeasedMachine, can_be_closed_on_another_loop_than_it_was_opened_on) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto runtime = open_virtual_runtime(VirtualOptions().seed(seed).loops(3));
        const auto store = open_memory_store(MemoryStoreOptions().clock(runtime->clock()));
        Metrics metrics;
        LogLines lines;
        Log log(LogFormat::text, LogLevel::info, runtime->clock(), lines);
        auto machine = make_leased_machine(
                           Scene::options(),
                           {IdLayout::milliseconds()},
                           store->slots(),
                           *runtime,
                           runtime->clock(),
                           metrics,
                           log
        )
                           .value();
        const Deadline deadline = Deadline::in(Duration(5'000), runtime->clock());
        ASSERT_TRUE(wait(*runtime, runtime->loop(0), machine->open(deadline)).ok());
        ASSERT_TRUE(wait(*runtime, runtime->loop(2), machine->close(deadline)).ok());
        EXPECT_EQ(machine->leases().at(0).state, LeaseState::closed);
    }
}

TEST(LeasedMachine, gives_its_slot_back_so_that_another_has_it_at_once_and_later_times) {
    Scene scene;
    const auto first = scene.leased(Scene::options("pod-0").limit(1));
    const auto ids = scene.generator(*first);
    const auto last = ids->next().value();
    ASSERT_TRUE(scene.close(*first).ok());
    const auto second = scene.leased(Scene::options("pod-1").limit(1));
    EXPECT_EQ(second->leases().at(0).fence, Fence(2));
    EXPECT_GT(scene.generator(*second)->next().value(), last);
    EXPECT_EQ(scene.metric("cosid_lease_changes_total{state=\"closed\"}"), "1");
}

TEST(ManualMachine, issues_with_its_number_and_says_who_is_answerable) {
    Scene scene;
    auto machine = make_manual_machine(
                       ManualMachine{42},
                       {IdLayout::milliseconds()},
                       *scene.runtime,
                       scene.host_clock,
                       scene.log
    )
                       .value();
    const auto ids = scene.generator(*machine);
    EXPECT_EQ(ids->next().error().code(), Code::unreachable);
    ASSERT_TRUE(scene.open(*machine).ok());
    const auto id = ids->next();
    EXPECT_EQ(testing::parts_of(id.value()).machine, 42);
    EXPECT_EQ(testing::time_of_id(id.value()), scene.host_clock.wall_now());
    EXPECT_EQ(machine->manual(), 42u);
    EXPECT_TRUE(machine->leases().empty());
    EXPECT_TRUE(scene.lines.contains("manual_machine"));
    ASSERT_TRUE(scene.close(*machine).ok());
    EXPECT_EQ(ids->next().error().code(), Code::closed);
}

}  // namespace
}  // namespace holdfast
