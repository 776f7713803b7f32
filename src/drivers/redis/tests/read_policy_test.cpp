// Who answers reads, without sockets and clocks.
#include "read_policy.h"

#include <holdfast/redis/client_limits.h>

#include <gtest/gtest.h>

#include <array>

namespace holdfast::redis {
namespace {

class Shard {
public:
    explicit Shard(ReadFrom from, std::string zone = {}) : policy(from, std::move(zone)) {}

    std::size_t choose() {
        const std::array<const ReadHealth*, 4> nodes{
            no_primary ? nullptr : &health[0], &health[1], &health[2], &health[3]
        };
        return policy.choose(nodes, turn, now);
    }
    std::array<int, 4> chosen(int times) {
        std::array<int, 4> count{};
        for (int i = 0; i < times; ++i) {
            ++count.at(choose());
        }
        return count;
    }
    void measure(std::size_t node, double seconds, int times = 1) {
        for (int i = 0; i < times; ++i) {
            health.at(node).measured(seconds);
        }
    }

    ReadPolicy policy;
    std::array<ReadHealth, 4> health;  // the primary, three replicas
    ReadTurn turn;
    SteadyTime now{Duration(1'000'000)};
    bool no_primary = false;
};

TEST(ReadPolicy, the_primary_alone_unless_told_otherwise) {
    Shard shard(ReadFrom::primary);
    EXPECT_EQ(shard.chosen(10), (std::array<int, 4>{10, 0, 0, 0}));
}

TEST(ReadPolicy, replicas_take_turns_and_those_that_are_down_have_none) {
    Shard shard(ReadFrom::prefer_replica);
    EXPECT_EQ(shard.chosen(9), (std::array<int, 4>{0, 3, 3, 3}));
    shard.health[2].lost();
    EXPECT_EQ(shard.chosen(8), (std::array<int, 4>{0, 4, 0, 4}));
    shard.health[1].lost();
    shard.health[3].lost();
    EXPECT_EQ(shard.chosen(4), (std::array<int, 4>{4, 0, 0, 0}));
    shard.health[2].connected();
    EXPECT_EQ(shard.chosen(4), (std::array<int, 4>{0, 0, 4, 0}));
}

TEST(ReadPolicy, a_replica_that_cannot_serve_is_left_out_for_a_while) {
    Shard shard(ReadFrom::prefer_replica);
    shard.health[1].leave_out(shard.now + replica_left_out);
    EXPECT_EQ(shard.chosen(4), (std::array<int, 4>{0, 0, 2, 2}));
    shard.now += replica_left_out;
    EXPECT_EQ(shard.chosen(9), (std::array<int, 4>{0, 3, 3, 3}));
}

TEST(ReadPolicy, the_nearest_may_be_the_primary_and_is_it_while_nothing_is_measured) {
    Shard shard(ReadFrom::nearest);
    EXPECT_EQ(shard.choose(), 0U);
    shard.measure(2, 0.000'400);
    EXPECT_EQ(shard.choose(), 2U);
    shard.measure(0, 0.000'100);
    EXPECT_EQ(shard.choose(), 0U);
}

TEST(ReadPolicy, a_little_nearer_is_no_reason_to_change) {
    Shard shard(ReadFrom::nearest);
    shard.measure(1, 0.000'500);
    EXPECT_EQ(shard.choose(), 1U);
    shard.measure(2, 0.000'450);
    EXPECT_EQ(shard.choose(), 1U);
    shard.measure(3, 0.000'300);
    EXPECT_EQ(shard.choose(), 3U);
}

TEST(ReadPolicy, one_slow_answer_does_not_make_a_node_far_but_several_do) {
    Shard shard(ReadFrom::nearest);
    shard.measure(1, 0.000'300);
    shard.measure(2, 0.000'900);
    EXPECT_EQ(shard.choose(), 1U);
    shard.measure(1, 0.002'000);
    EXPECT_EQ(shard.choose(), 1U);
    shard.measure(1, 0.002'000, 5);
    EXPECT_EQ(shard.choose(), 2U);
}

TEST(ReadPolicy, a_node_that_is_gone_is_not_near_any_more_and_is_measured_anew) {
    Shard shard(ReadFrom::nearest);
    shard.measure(0, 0.001);
    shard.measure(1, 0.000'100);
    EXPECT_EQ(shard.choose(), 1U);
    shard.health[1].lost();
    EXPECT_EQ(shard.choose(), 0U);
    shard.health[1].connected();
    EXPECT_EQ(shard.choose(), 0U);
    shard.measure(1, 0.000'100);
    EXPECT_EQ(shard.choose(), 1U);
}

TEST(ReadPolicy, our_zone_first_a_replica_before_the_primary_then_any_replica) {
    Shard shard(ReadFrom::zone, "z1");
    shard.health[0].set_zone("z1");
    shard.health[1].set_zone("z2");
    shard.health[2].set_zone("z1");
    EXPECT_EQ(shard.chosen(4), (std::array<int, 4>{0, 0, 4, 0}));
    shard.health[2].lost();
    EXPECT_EQ(shard.chosen(4), (std::array<int, 4>{4, 0, 0, 0}));
    shard.health[0].set_zone("z3");
    EXPECT_EQ(shard.chosen(4), (std::array<int, 4>{0, 2, 0, 2}));
}

TEST(ReadPolicy, without_a_primary_replicas_answer_whoever_prefers_them) {
    for (const ReadFrom from : {ReadFrom::prefer_replica, ReadFrom::nearest, ReadFrom::zone}) {
        Shard shard(from, "z1");
        shard.no_primary = true;
        shard.measure(3, 0.001);
        EXPECT_NE(shard.choose(), 0U);
    }
}

}  // namespace
}  // namespace holdfast::redis
