// Promises of how many copies each shard must have while its deployment changes.
#include "fault_from_environment.h"
#include "topology.h"

#include <holdfast/redis/copies_by_shard.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

Endpoint node(std::uint16_t port) {
    return {"10.0.0.1", port};
}
ShardNodes shard_of(std::uint16_t primary, std::vector<std::uint16_t> replicas) {
    ShardNodes nodes;
    nodes.primary = node(primary);
    for (const std::uint16_t port : replicas) {
        nodes.replicas.push_back(node(port));
    }
    nodes.replicas_known = replicas.size();
    return nodes;
}
// The slots in equal shares.
std::shared_ptr<const Topology> cluster(std::vector<ShardNodes> shards) {
    std::vector<std::uint16_t> owners(cluster_slots_count);
    for (std::size_t slot = 0; slot < owners.size(); ++slot) {
        owners[slot] = static_cast<std::uint16_t>(slot * shards.size() / owners.size());
    }
    return std::make_shared<const Topology>(std::move(shards), std::move(owners));
}
const SteadyTime now(Duration(1'000'000));

class Shards : public CopiesByShard {
public:
    Shards() : CopiesByShard(WaitRule::automatic()) {}
    std::int64_t required(std::uint16_t port, const std::shared_ptr<const Topology>& topology) {
        const RequiredCopies* copies = at(node(port), topology);
        return copies == nullptr ? -1 : copies->required();
    }
    void connected(std::uint16_t port, std::int64_t replicas) {
        role_said(node(port), ReplicasSeen(true, replicas), now);
    }
};

TEST(CopiesByShard, a_replica_that_is_promoted_must_reach_what_its_primary_had_to) {
    Shards shards;
    const auto before = cluster({shard_of(1, {11}), shard_of(2, {21})});
    EXPECT_EQ(shards.required(1, before), 1);
    shards.connected(1, 3);
    EXPECT_EQ(shards.required(1, before), 3);
    EXPECT_EQ(shards.required(2, before), 1);
    const auto after = cluster({shard_of(11, {}), shard_of(2, {21})});
    EXPECT_EQ(shards.required(11, after), 3);
    EXPECT_EQ(shards.required(2, after), 1);
    EXPECT_EQ(shards.required(1, after), -1) << "no primary any more";
}

TEST(CopiesByShard, a_failover_of_which_one_slot_is_known_lowers_nothing_either) {
    Shards shards;
    (void)shards.required(1, cluster({shard_of(1, {11})}));
    shards.connected(1, 2);
    const auto half = cluster({shard_of(1, {11}), shard_of(11, {})});  // MOVED named it
    EXPECT_EQ(shards.required(11, half), 2);
    EXPECT_EQ(shards.required(1, half), 2);
    EXPECT_EQ(shards.required(11, cluster({shard_of(11, {})})), 2);
}

TEST(CopiesByShard, what_is_promoted_after_it_went_over_to_another_shard_belongs_to_that_one) {
    Shards shards;
    (void)shards.required(1, cluster({shard_of(1, {11}), shard_of(2, {21})}));
    shards.connected(1, 5);
    (void)shards.required(1, cluster({shard_of(1, {}), shard_of(2, {21, 11})}));
    EXPECT_EQ(shards.required(11, cluster({shard_of(1, {}), shard_of(11, {21})})), 2);
}

TEST(CopiesByShard, a_shard_whose_nodes_all_have_other_addresses_is_known_by_its_slots) {
    Shards shards;
    (void)shards.required(1, cluster({shard_of(1, {11}), shard_of(2, {21})}));
    shards.connected(2, 4);
    EXPECT_EQ(shards.required(102, cluster({shard_of(101, {111}), shard_of(102, {121})})), 4);
}

TEST(CopiesByShard, a_new_shard_needs_its_own_replicas_alone) {
    Shards shards;
    (void)shards.required(1, cluster({shard_of(1, {11})}));
    shards.connected(1, 4);
    EXPECT_EQ(shards.required(2, cluster({shard_of(1, {11}), shard_of(2, {21})})), 1);
}

TEST(CopiesByShard, of_a_primary_without_a_replica_it_must_be_told_whether_it_flushes) {
    Shards shards;
    const auto alone = cluster({shard_of(1, {})});
    EXPECT_EQ(shards.at(node(1), alone), nullptr);
    shards.flushes_always(node(1), false);
    ASSERT_NE(shards.at(node(1), alone), nullptr);
    EXPECT_EQ(shards.at(node(1), alone)->refusal(now)->code(), Code::unsupported);
    shards.flushes_always(node(1), true);
    EXPECT_FALSE(shards.at(node(1), alone)->refusal(now).has_value());
}

TEST(CopiesByShard, what_the_old_primary_said_of_itself_refuses_nothing_at_the_new_one) {
    Shards shards;
    const auto before = cluster({shard_of(1, {11})});
    (void)shards.required(1, before);
    shards.role_said(node(1), ReplicasSeen(false, 0), now);
    EXPECT_TRUE(shards.at(node(1), before)->refusal(now).has_value());
    EXPECT_FALSE(shards.at(node(11), cluster({shard_of(11, {1})}))->refusal(now).has_value());
}

TEST(CopiesByShard, a_loop_that_is_behind_takes_nothing_back) {
    Shards shards;
    const auto before = cluster({shard_of(1, {11})});
    const auto after = cluster({shard_of(11, {1})});
    (void)shards.required(1, before);
    EXPECT_EQ(shards.required(11, after), 1);
    EXPECT_EQ(shards.required(1, before), -1);
    EXPECT_EQ(shards.required(11, after), 1);
}

TEST(CopiesByShard, a_sentinel_group_is_one_whoever_its_primary_is) {
    Shards shards;
    const auto group = [](ShardNodes nodes) {
        return std::make_shared<const Topology>(Shape::sentinel, std::move(nodes));
    };
    EXPECT_EQ(shards.required(1, group(shard_of(1, {2, 3}))), 2);
    EXPECT_EQ(shards.required(9, group(shard_of(9, {}))), 2);
    EXPECT_EQ(shards.required(0, nullptr), 2);
}

}  // namespace
}  // namespace holdfast::redis
