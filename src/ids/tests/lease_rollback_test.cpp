// What a lease can notice of a store that has lost an acknowledged write, and that it stops then.
#include "tests/lease_scene.h"

namespace holdfast {
namespace {

using testing::Scene;

void expect_suspended(Scene& scene, Machine& machine, IdGenerator& ids) {
    const std::size_t acquires = scene.slots.acquires.size();
    EXPECT_TRUE(machine.rollback_suspected());
    EXPECT_EQ(machine.leases().at(0).state, LeaseState::suspended);
    EXPECT_EQ(ids.next().error().code(), Code::corrupt);
    EXPECT_EQ(ids.info().state, IdState::lost);
    EXPECT_EQ(scene.metric("cosid_ids_rollback_suspected_total"), "1");
    EXPECT_TRUE(scene.lines.contains("rollback_suspected"));
    EXPECT_TRUE(scene.lines.contains("an operator must look"));
    // It takes no new lease by itself, and has nothing to give back.
    scene.run(Duration(3'600'000));
    EXPECT_EQ(scene.slots.acquires.size(), acquires);
    EXPECT_TRUE(scene.close(machine).ok());
    EXPECT_EQ(machine.leases().at(0).state, LeaseState::closed);
    EXPECT_EQ(ids.next().error().code(), Code::closed);
}

TEST(LeaseRollback, a_row_whose_fence_is_below_ours_suspends_the_machine) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    testing::Fate<RenewOutcome> lost;
    lost.forge = [](RenewOutcome& outcome) {
        LeaseLost answer;
        answer.rollback_suspected = true;
        outcome = answer;
    };
    scene.slots.renew_fates.push_back(lost);
    scene.run(Duration(10'000));
    expect_suspended(scene, *machine, *ids);
}

TEST(LeaseRollback, a_ceiling_that_has_fallen_suspends_the_machine) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    testing::Fate<RenewOutcome> fallen;
    fallen.forge = [](RenewOutcome& outcome) {
        std::get<SlotLease>(outcome).ceiling -= Duration(10'001);
    };
    scene.slots.renew_fates.push_back(fallen);
    scene.run(Duration(10'000));
    expect_suspended(scene, *machine, *ids);
}

// Loses the lease, and answers the acquire that follows as `forge` says.
void lose_and_forge(Scene& scene, std::function<void(SlotLease&)> forge) {
    testing::Fate<RenewOutcome> lost;
    lost.forge = [](RenewOutcome& outcome) {
        outcome = LeaseLost();
    };
    scene.slots.renew_fates.push_back(lost);
    testing::Fate<AcquireOutcome> grant;
    grant.forge = [forge = std::move(forge)](AcquireOutcome& outcome) {
        forge(std::get<Acquired>(outcome).lease);
    };
    scene.slots.acquire_fates.push_back(grant);
}

TEST(LeaseRollback, a_grant_that_repeats_a_fence_suspends_the_machine) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    lose_and_forge(scene, [had = machine->leases().at(0)](SlotLease& lease) {
        lease.slot = had.slot;
        lease.fence = had.fence;
    });
    scene.run(Duration(10'000));
    expect_suspended(scene, *machine, *ids);
}

TEST(LeaseRollback, a_grant_below_an_id_of_this_process_suspends_the_machine) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    const WallTime last = testing::time_of_id(ids->next().value());
    lose_and_forge(scene, [had = machine->leases().at(0), last](SlotLease& lease) {
        lease.slot = had.slot;
        lease.fence = Fence(had.fence.value() + 1);
        lease.floor = StoreTime(last.time_since_epoch());  // its millisecond was used
    });
    scene.run(Duration(10'000));
    expect_suspended(scene, *machine, *ids);
}

TEST(LeaseRollback, a_grant_right_above_the_last_id_is_adopted) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    const WallTime last = testing::time_of_id(ids->next().value());
    lose_and_forge(scene, [had = machine->leases().at(0), last](SlotLease& lease) {
        lease.slot = had.slot;
        lease.fence = Fence(had.fence.value() + 1);
        lease.floor = StoreTime(last.time_since_epoch()) + Duration(1);
    });
    scene.run(Duration(10'000));
    EXPECT_FALSE(machine->rollback_suspected());
    EXPECT_TRUE(ids->next().ok());
}

TEST(LeaseRollback, a_release_that_the_store_calls_too_late_is_a_suspicion) {
    Scene scene;
    const auto machine = scene.leased();
    testing::Fate<ReleaseOutcome> refused;
    refused.fails = Code::invalid_argument;
    scene.slots.release_fates.push_back(refused);
    const auto closed = scene.close(*machine);
    ASSERT_FALSE(closed.ok());
    EXPECT_EQ(closed.error().code(), Code::corrupt);
    EXPECT_TRUE(machine->rollback_suspected());
}

// Row 13: the state vanishes under a live holder, and is then granted again from the beginning.
TEST(LeaseRollback, a_store_that_forgot_the_lease_of_a_live_holder_stops_it) {
    Scene scene;
    const auto machine = scene.leased();
    const auto ids = scene.generator(*machine);
    ASSERT_TRUE(ids->next().ok());
    scene.store = open_memory_store(MemoryStoreOptions().clock(scene.store_clock));
    scene.slots.point_to(scene.store->slots());
    scene.run(Duration(10'000));
    expect_suspended(scene, *machine, *ids);
}

}  // namespace
}  // namespace holdfast
