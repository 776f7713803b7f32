// The client rules L1 to L10 of the store contract, one by one.
#include "lease/gate.h"
#include "tests/lease_scene.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <set>

namespace holdfast {
namespace {

using testing::owner;
using testing::parts_of;
using testing::Scene;
using testing::some_namespace;
using testing::time_of_id;

constexpr Duration ttl{30'000};
constexpr Duration tolerance{5'000};

template <class Outcome>
testing::Fate<Outcome> lost_answer() {
    testing::Fate<Outcome> fate;
    fate.answered = false;
    return fate;
}
template <class Outcome>
testing::Fate<Outcome> lost_request() {
    testing::Fate<Outcome> fate;
    fate.arrives = false;
    return fate;
}
testing::Fate<RenewOutcome> answer(RenewOutcome outcome) {
    testing::Fate<RenewOutcome> fate;
    fate.forge = [outcome](RenewOutcome& given) {
        given = outcome;
    };
    return fate;
}

// Takes the slot that this lease was in, as if the store had let it run out.
void expire(Scene& scene) {
    scene.slots.renew_fates.push_back(answer(LeaseLost()));
}

TEST(LeaseRule1, an_acquire_that_is_sent_again_carries_the_same_token) {
    Scene scene;
    scene.slots.acquire_fates.push_back(lost_answer<AcquireOutcome>());
    scene.slots.acquire_fates.push_back(lost_request<AcquireOutcome>());
    const auto machine = scene.leased();
    ASSERT_EQ(scene.slots.acquires.size(), 3u);
    EXPECT_EQ(scene.slots.acquires[0].incarnation(), scene.slots.acquires[2].incarnation());
    EXPECT_EQ(scene.slots.acquires[0].incarnation(), scene.slots.acquires[1].incarnation());
    // It found the slot that the lost call had taken.
    EXPECT_EQ(machine->leases().at(0).fence, Fence(1));
    EXPECT_FALSE(machine->leases().at(0).duplicate_owner_key);
}

TEST(LeaseRule1, every_logical_acquire_has_a_token_of_128_random_bits_of_its_own) {
    std::set<std::string> tokens;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Scene scene(seed);
        const auto machine = scene.leased();
        expire(scene);
        scene.run(ttl);
        for (const AcquireRequest& request : scene.slots.acquires) {
            EXPECT_EQ(request.incarnation().text().size(), 32u);
            tokens.insert(request.incarnation().text());
        }
        EXPECT_EQ(scene.slots.acquires.size(), 2u);
    }
    EXPECT_EQ(tokens.size(), 40u);
}

TEST(LeaseRule1, after_every_slot_was_taken_the_next_try_is_an_acquire_of_its_own) {
    Scene scene;
    const auto first = scene.leased(Scene::options("pod-0").limit(1));
    const auto second = scene.machine(Scene::options("pod-1").limit(1));
    const auto refused = scene.open(*second, Duration(2'000));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::overloaded);
    std::set<std::string> tokens;
    for (const AcquireRequest& request : scene.slots.acquires) {
        tokens.insert(request.incarnation().text());
    }
    EXPECT_EQ(tokens.size(), scene.slots.acquires.size());
}

// The clock goes back, the lease is given back, the message is lost, and the store answers the
// next acquire with what it thinks we still have.
TEST(LeaseRule2, a_slot_and_fence_that_were_released_are_never_adopted_again) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    ASSERT_TRUE(ids->next().ok());
    const LeaseInfo had = machine->leases().at(0);
    scene.store_clock.shift(Duration(-60'000));
    for (int i = 0; i < 100; ++i) {
        scene.slots.release_fates.push_back(lost_request<ReleaseOutcome>());
    }
    testing::Fate<AcquireOutcome> again;
    again.forge = [had](AcquireOutcome& outcome) {
        auto& grant = std::get<Acquired>(outcome);
        grant.lease.slot = had.slot;
        grant.lease.fence = had.fence;
        grant.lease.floor = had.floor;
        grant.lease.ceiling = had.ceiling;
    };
    scene.slots.acquire_fates.push_back(again);
    scene.run(Duration(60'000));
    EXPECT_GE(scene.slots.releases.size(), 2u);
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::suspended);
    EXPECT_EQ(ids->next().error().code(), Code::corrupt);
}

TEST(LeaseRule3, an_answer_that_names_another_lease_changes_nothing) {
    Scene scene;
    const auto machine = scene.leased();
    const LeaseInfo before = machine->leases().at(0);
    for (int i = 0; i < 2; ++i) {
        testing::Fate<RenewOutcome> other;
        other.forge = [i](RenewOutcome& outcome) {
            auto& lease = std::get<SlotLease>(outcome);
            (i == 0 ? lease.slot = Slot(5) : lease.slot);
            (i == 1 ? lease.fence = Fence(9) : lease.fence);
            lease.ceiling += Duration(1'000'000);
        };
        scene.slots.renew_fates.push_back(other);
    }
    scene.run(Duration(14'000));
    EXPECT_EQ(scene.slots.renewals.size(), 2u);
    EXPECT_EQ(machine->leases().at(0).ceiling, before.ceiling);
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::renewing_late);
    EXPECT_EQ(scene.metric("cosid_lease_renewals_total{outcome=\"unmatched\"}"), "2");
}

TEST(LeaseRule3, the_ceiling_follows_each_durable_answer) {
    Scene scene;
    const auto machine = scene.leased();
    const StoreTime first = machine->leases().at(0).ceiling;
    EXPECT_EQ(first, scene.store_now() + ttl + tolerance);
    scene.run(Duration(11'000));
    const StoreTime second = machine->leases().at(0).ceiling;
    EXPECT_GE(second, first + Duration(7'000));
    EXPECT_LE(second, first + Duration(11'000));
}

TEST(LeaseRule4, a_renewal_without_an_answer_leaves_the_ceiling_as_it_was) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    const StoreTime ceiling = machine->leases().at(0).ceiling;
    for (int i = 0; i < 1'000; ++i) {
        scene.slots.renew_fates.push_back(lost_answer<RenewOutcome>());  // the store has moved its
    }
    scene.run(ceiling - scene.store_now() - Duration(1));
    EXPECT_TRUE(ids->next().ok());  // until its last millisecond
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::renewing_late);
    scene.run(Duration(1));
    const auto late = ids->next();
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::unreachable);
    scene.slots.renew_fates.clear();
    scene.run(Duration(15'000));
    EXPECT_TRUE(ids->next().ok());  // the store still had it
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::leased);
    EXPECT_EQ(scene.slots.acquires.size(), 1u);
}

// Row 43.
TEST(LeaseRule5, generators_of_one_layout_share_a_gate_whatever_their_threshold) {
    Scene scene;
    const IdLayout layout = IdLayout::milliseconds();
    const IdLayout other = IdLayout::milliseconds().sequence_reset_threshold(5);
    const auto machine = scene.leased(Scene::options(), {layout, other});
    const auto one = scene.generator(*machine, GeneratorOptions::snowflake("one", layout));
    const auto two = scene.generator(*machine, GeneratorOptions::snowflake("two", other));
    std::set<std::int64_t> ids;
    for (int i = 0; i < 1'000; ++i) {
        ids.insert(one->next().value());
        ids.insert(two->next().value());
    }
    EXPECT_EQ(ids.size(), 2'000u);
    EXPECT_EQ(one->info().issued, 1'000u);
    EXPECT_EQ(two->info().issued, 1'000u);
}

TEST(LeaseRule5, numbers_of_different_kinds_have_gates_of_their_own) {
    Scene scene;
    const IdLayout seconds = IdLayout::seconds();
    const IdLayout safe = IdLayout::js_safe_milliseconds();
    const auto machine =
        scene.leased(Scene::options(), {IdLayout::milliseconds(), seconds, safe, IdLayout::text()});
    EXPECT_NE(&machine->gate(seconds), &machine->gate(safe));
    EXPECT_NE(&machine->gate(IdLayout::text()), &machine->gate(IdLayout::milliseconds()));
    EXPECT_EQ(&machine->gate(safe), &machine->gate(IdLayout::js_safe_milliseconds()));
    EXPECT_EQ(scene.slots.acquires.at(0).limit(), 8u);  // 2^(smallest machine bits)
}

TEST(LeaseRule6, a_release_names_the_latest_time_of_all_layouts_as_the_end_of_its_tick) {
    Scene scene;
    const auto machine =
        scene.leased(Scene::options(), {IdLayout::milliseconds(), IdLayout::seconds()});
    const auto ms = scene.generator(*machine);
    const auto s = scene.generator(*machine, GeneratorOptions::snowflake("s", IdLayout::seconds()));
    const auto second = s->next().value();
    scene.run(Duration(1));
    ASSERT_TRUE(ms->next().ok());
    const StoreTime now = scene.store_now();
    ASSERT_TRUE(scene.close(*machine).ok());
    ASSERT_EQ(scene.slots.releases.size(), 1u);
    const StoreTime last = scene.slots.releases[0].last;
    const WallTime end = time_of_id(second, IdLayout::seconds()) + Duration(999);
    EXPECT_EQ(last.time_since_epoch(), end.time_since_epoch());
    EXPECT_GT(last, now);
}

TEST(LeaseRule6, a_release_of_a_lease_that_issued_nothing_names_the_time_before_its_floor) {
    Scene scene;
    const auto machine = scene.leased();
    const LeaseInfo lease = machine->leases().at(0);
    ASSERT_TRUE(scene.close(*machine).ok());
    EXPECT_EQ(scene.slots.releases.at(0).last, lease.floor - Duration(1));
}

TEST(LeaseRule7, the_gates_are_closed_before_the_release_is_sent) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    const WallTime last = time_of_id(ids->next().value());
    bool looked = false;
    testing::Fate<ReleaseOutcome> fate;
    fate.meanwhile = [&] {
        looked = true;
        const auto id = ids->next();
        EXPECT_FALSE(id.ok());
    };
    scene.slots.release_fates.push_back(fate);
    ASSERT_TRUE(scene.close(*machine).ok());
    EXPECT_TRUE(looked);
    EXPECT_EQ(scene.slots.releases.at(0).last.time_since_epoch(), last.time_since_epoch());
    EXPECT_EQ(ids->next().error().code(), Code::closed);
    EXPECT_EQ(ids->info().state, IdState::closed);
}

TEST(LeaseRule7, a_release_is_repeated_with_the_same_time_and_a_lost_answer_is_found_done) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    ASSERT_TRUE(ids->next().ok());
    scene.slots.release_fates.push_back(lost_request<ReleaseOutcome>());
    scene.slots.release_fates.push_back(lost_answer<ReleaseOutcome>());
    ASSERT_TRUE(scene.close(*machine, Duration(10'000)).ok());
    ASSERT_EQ(scene.slots.releases.size(), 3u);
    EXPECT_EQ(scene.slots.releases[0].last, scene.slots.releases[1].last);
    EXPECT_EQ(scene.slots.releases[0].last, scene.slots.releases[2].last);
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::closed);
}

TEST(LeaseRule7, a_release_that_is_never_answered_ends_at_the_deadline_and_says_so) {
    Scene scene;
    const auto machine = scene.leased();
    for (int i = 0; i < 100; ++i) {
        scene.slots.release_fates.push_back(lost_request<ReleaseOutcome>());
    }
    const SteadyTime before = scene.runtime->now();
    const auto closed = scene.close(*machine, Duration(3'000));
    ASSERT_FALSE(closed.ok());
    EXPECT_LE(scene.runtime->now(), before + Duration(3'001));
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::closed);
    EXPECT_TRUE(scene.close(*machine).ok());  // again: nothing
}

TEST(LeaseRule8, a_lease_that_is_lost_stops_at_once_and_is_acquired_anew) {
    Scene scene;
    testing::Changes changes;
    const auto machine = scene.leased();
    machine->listen(changes);
    changes.states = {LeaseState::leased};
    const auto ids = scene.generator(*machine);
    ASSERT_TRUE(ids->next().ok());
    expire(scene);
    // No new one for a while.
    for (int i = 0; i < 3; ++i) {
        scene.slots.acquire_fates.push_back(lost_request<AcquireOutcome>());
    }
    scene.run(Duration(10'001));
    EXPECT_EQ(machine->leases().at(0).state, LeaseState::lost);
    const auto none = ids->next();
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code(), Code::unreachable);
    EXPECT_EQ(ids->info().state, IdState::waiting);
    scene.run(Duration(10'000));
    EXPECT_TRUE(ids->next().ok());
    const std::vector<LeaseState> expected = {
        LeaseState::leased, LeaseState::lost, LeaseState::leased
    };
    EXPECT_EQ(changes.states, expected);
    EXPECT_NE(
        scene.slots.acquires.front().incarnation(), scene.slots.acquires.back().incarnation()
    );
    EXPECT_EQ(scene.slots.releases.size(), 0u);
}

// Rows 6 and 41.
TEST(LeaseRule9, ticks_are_the_stores_time_however_wrong_the_host_is) {
    for (const int hours : {-1, 1}) {
        Scene scene;
        scene.host_clock.shift(std::chrono::hours(hours));
        const auto machine = scene.leased();
        const auto ids = scene.generator(*machine);
        scene.run(Duration(4'321));
        EXPECT_EQ(time_of_id(ids->next().value()), scene.store_wall());
        scene.host_clock.shift(std::chrono::hours(hours));
        scene.run(Duration(1));
        EXPECT_EQ(time_of_id(ids->next().value()), scene.store_wall());
    }
}

TEST(LeaseRule9, a_correction_backwards_is_absorbed_and_ids_go_on_rising) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    std::int64_t last = ids->next().value();
    scene.store_clock.shift(Duration(-4'000));
    for (int i = 0; i < 20'000; ++i) {
        scene.run(Duration(1));
        const auto id = ids->next();
        ASSERT_TRUE(id.ok()) << i;
        ASSERT_GT(id.value(), last);
        last = id.value();
    }
    EXPECT_EQ(scene.slots.acquires.size(), 1u);
    EXPECT_EQ(time_of_id(last), scene.store_wall());  // it has caught up
}

TEST(LeaseRule9, a_clock_more_than_max_ahead_below_the_gate_gives_the_lease_back_for_another) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    const WallTime before = time_of_id(ids->next().value());
    const LeaseInfo old = machine->leases().at(0);
    scene.store_clock.shift(Duration(-40'000));
    scene.run(Duration(11'000));
    ASSERT_EQ(scene.slots.releases.size(), 1u);
    EXPECT_EQ(scene.slots.releases[0].last.time_since_epoch(), before.time_since_epoch());
    const LeaseInfo lease = machine->leases().at(0);
    EXPECT_EQ(lease.state, LeaseState::leased);
    EXPECT_NE(lease.slot, old.slot);
    EXPECT_EQ(time_of_id(ids->next().value()), scene.store_wall());
}

TEST(LeaseRule9, a_clock_below_the_floor_runs_ahead_from_the_floor_and_no_further_than_max_ahead) {
    for (const int below : {4'000, 6'000}) {
        Scene scene;
        {
            const auto before = scene.leased(Scene::options("pod-0").limit(1));
            const auto ids = scene.generator(*before);
            ASSERT_TRUE(ids->next().ok());
            ASSERT_TRUE(scene.close(*before).ok());
        }
        const WallTime floor = scene.store_wall() + Duration(1);
        scene.store_clock.shift(Duration(-below));
        const auto machine = scene.leased(Scene::options("pod-0").limit(1));
        const auto ids = scene.generator(*machine);
        const auto id = ids->next();
        if (below < 5'000) {
            ASSERT_TRUE(id.ok());
            EXPECT_EQ(time_of_id(id.value()), floor);
        } else {
            ASSERT_FALSE(id.ok());
            EXPECT_EQ(id.error().code(), Code::overloaded);
        }
    }
}

// Row 51 for leases; the descriptors and ranges are for other rooms.
TEST(LeaseRule10, a_child_issues_nothing_on_the_lease_of_its_parent) {
    Scene scene;
    const auto machine = scene.leased(
        Scene::options(), {IdLayout::milliseconds(), IdLayout::seconds(), IdLayout::text()}
    );
    const auto numbers = scene.generator(*machine);
    const auto seconds =
        scene.generator(*machine, GeneratorOptions::snowflake("s", IdLayout::seconds()));
    const auto texts = scene.generator(*machine, GeneratorOptions::string("t"));
    ASSERT_TRUE(numbers->next().ok());
    const pid_t child = fork();
    if (child == 0) {
        const auto number = numbers->next();
        const auto second = seconds->next();
        const auto text = texts->next_text();
        const bool closed = !number.ok() && number.error().code() == Code::closed && !second.ok() &&
                            second.error().code() == Code::closed && !text.ok() &&
                            text.error().code() == Code::closed &&
                            numbers->info().state == IdState::closed;
        _exit(closed ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_TRUE(numbers->next().ok());
    EXPECT_TRUE(texts->next_text().ok());
    EXPECT_TRUE(scene.close(*machine).ok());
}

TEST(LeaseRule10, a_machine_that_is_destroyed_in_a_child_waits_for_nothing) {
    Scene scene;
    auto machine = scene.leased();
    const pid_t child = fork();
    if (child == 0) {
        machine.reset();
        _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(scene.slots.releases.size(), 0u);
}

}  // namespace
}  // namespace holdfast
