#include <faults/scripted_cluster.h>
#include <gtest/gtest.h>
#include <live/raw_redis.h>
#include <live/redis_cluster.h>

namespace holdfast::testing {
namespace {

constexpr Duration silence = std::chrono::milliseconds(50);

// A key of a slot of node `node`, in the first map of `primaries` nodes.
std::string key_at(const ScriptedCluster& cluster, std::size_t node) {
    for (int i = 0;; ++i) {
        const std::string key = "k" + std::to_string(i);
        if (cluster.map().owner(slot_of(key)) == node) {
            return key;
        }
    }
}

std::string
moved(const std::string& key, std::uint16_t port, const std::string& host = "127.0.0.1") {
    return "MOVED " + std::to_string(slot_of(key)) + " " + host + ":" + std::to_string(port);
}

TEST(ScriptedCluster, tells_its_map_in_three_ways_that_agree) {
    ScriptedCluster cluster(2, 1);
    RawRedis redis(cluster.port(1));
    const RawReply slots = redis.call({"CLUSTER", "SLOTS"});
    ASSERT_EQ(slots.children.size(), 2U);
    EXPECT_EQ(slots[1][0].number, 8192);
    EXPECT_EQ(slots[1][1].number, 16383);
    EXPECT_EQ(slots[1][2][1].number, cluster.port(1));
    EXPECT_EQ(slots[1][3][1].number, cluster.port(3));
    const std::string id = slots[1][2][2].text;
    const std::string nodes = redis.call({"CLUSTER", "NODES"}).text;
    EXPECT_NE(nodes.find(id + " 127.0.0.1:" + std::to_string(cluster.port(1))), std::string::npos);
    EXPECT_NE(nodes.find(" myself,master - 0 0 2 connected 8192-16383\n"), std::string::npos);
    const RawReply shards = redis.call({"CLUSTER", "SHARDS"});
    EXPECT_EQ(shards[1].at("slots")[0].number, 8192);
    EXPECT_EQ(shards[1].at("nodes")[0].at("id").text, id);
    EXPECT_EQ(shards[1].at("nodes")[1].at("role").text, "replica");
    EXPECT_EQ(redis.call({"HELLO", "3"}).at("mode").text, "cluster");
    EXPECT_EQ(redis.call({"CLUSTER", "SHARDS"})[0].type, RespType::map);
}

TEST(ScriptedCluster, hosts_may_be_empty_unknown_or_null) {
    ScriptedCluster cluster(3);
    ClusterMap map = cluster.map();
    map.member(0).host = "";
    map.member(1).host = "?";
    map.member(2).host = std::nullopt;
    cluster.show(map);
    RawRedis redis(cluster.port(0));
    const RawReply slots = redis.call({"CLUSTER", "SLOTS"});
    EXPECT_EQ(slots[0][2][0].text, "");
    EXPECT_EQ(slots[1][2][0].text, "?");
    EXPECT_TRUE(slots[2][2][0].is_null());
    const std::string key = key_at(cluster, 0);
    EXPECT_EQ(RawRedis(cluster.port(1)).call({"GET", key}).text, moved(key, cluster.port(0), ""));
}

TEST(ScriptedCluster, answers_by_the_map_that_each_node_was_shown) {
    ScriptedCluster cluster(2);
    const std::string key = key_at(cluster, 0);
    RawRedis zero(cluster.port(0));
    RawRedis one(cluster.port(1));
    EXPECT_EQ(zero.call({"GET", key}).text, "0");
    EXPECT_EQ(one.call({"GET", key}).text, moved(key, cluster.port(0)));
    EXPECT_EQ(one.call({"EVAL", "return 1", "1", key}).text, moved(key, cluster.port(0)));
    ClusterMap map = cluster.map();
    map.move(slot_of(key), slot_of(key), 1);
    cluster.show(map, 0);  // a circle: each names the other
    EXPECT_EQ(zero.call({"GET", key}).text, moved(key, cluster.port(1)));
    EXPECT_EQ(one.call({"GET", key}).text, moved(key, cluster.port(0)));
    cluster.show(map);
    EXPECT_EQ(one.call({"GET", key}).text, "1");
    map.drop(slot_of(key), slot_of(key));
    cluster.show(map);
    EXPECT_TRUE(one.call({"GET", key}).text.starts_with("CLUSTERDOWN"));
}

TEST(ScriptedCluster, a_replica_reads_for_those_that_said_so_and_takes_over) {
    ScriptedCluster cluster(1, 1);
    RawRedis redis(cluster.port(1));
    EXPECT_EQ(redis.call({"GET", "k"}).text, moved("k", cluster.port(0)));
    redis.call({"READONLY"});
    EXPECT_EQ(redis.call({"GET", "k"}).text, "1");
    EXPECT_EQ(redis.call({"SET", "k", "v"}).text, moved("k", cluster.port(0)));
    ClusterMap map = cluster.map();
    map.promote(1);
    cluster.show(map);
    EXPECT_EQ(redis.call({"SET", "k", "v"}).text, "OK");
    EXPECT_EQ(map.member(1).epoch, 2U);
    EXPECT_EQ(
        in_words(RawRedis(cluster.port(0)).call({"ROLE"}))
            .rfind("[slave 127.0.0.1 " + std::to_string(cluster.port(1)), 0),
        0U
    );
}

TEST(ScriptedCluster, refuses_as_often_as_it_was_told) {
    ScriptedCluster cluster(2);
    const std::string key = key_at(cluster, 0);
    cluster.refuse(0, Refusal::moved(0), 2);
    cluster.refuse(0, Refusal::text(try_again_error), 1);
    RawRedis redis(cluster.port(0));
    EXPECT_EQ(redis.call({"GET", key}).text, moved(key, cluster.port(0)));
    EXPECT_EQ(redis.call({"PING"}).text, "PONG");  // has no key
    EXPECT_EQ(redis.call({"GET", key}).text, moved(key, cluster.port(0)));
    EXPECT_EQ(redis.call({"GET", key}).text, try_again_error);
    EXPECT_EQ(redis.call({"GET", key}).text, "0");
    cluster.refuse(0, Refusal::text(loading_error));
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(redis.call({"GET", key}).text, loading_error);
    }
    cluster.heal(0);
    EXPECT_EQ(redis.call({"GET", key}).text, "0");
}

TEST(ScriptedCluster, knows_whether_ASKING_came_right_before) {
    ScriptedCluster cluster(2);
    const std::string key = key_at(cluster, 0);
    cluster.refuse(0, Refusal::ask(1));
    RawRedis zero(cluster.port(0));
    RawRedis one(cluster.port(1));
    EXPECT_EQ(
        zero.call({"GET", key}).text,
        "ASK " + std::to_string(slot_of(key)) + " 127.0.0.1:" + std::to_string(cluster.port(1))
    );
    one.call({"ASKING"});
    EXPECT_EQ(one.call({"GET", key}).text, "1");
    EXPECT_EQ(cluster.asked(1), 1U);
    one.call({"ASKING"});
    one.call({"PING"});
    EXPECT_EQ(one.call({"GET", key}).text, moved(key, cluster.port(0)));
    one.call({"ASKING"});
    RawRedis other(cluster.port(1));
    EXPECT_EQ(other.call({"GET", key}).text, moved(key, cluster.port(0)));
    EXPECT_EQ(cluster.asked(1), 1U);
    EXPECT_EQ(cluster.asked_in_vain(1), 1U);
}

TEST(ScriptedCluster, a_transaction_with_a_refused_command_is_aborted) {
    ScriptedCluster cluster(1);
    RawRedis redis(cluster.port(0));
    redis.call({"MULTI"});
    EXPECT_EQ(redis.call({"SET", "k", "v"}).text, "QUEUED");
    EXPECT_EQ(in_words(redis.call({"EXEC"})), "[OK]");
    cluster.refuse(0, Refusal::text(cluster_down_error), 1);
    redis.call({"MULTI"});
    EXPECT_EQ(redis.call({"SET", "k", "v"}).text, cluster_down_error);
    EXPECT_TRUE(redis.call({"EXEC"}).text.starts_with("EXECABORT"));
}

TEST(ScriptedCluster, nodes_are_mute_closed_or_down_until_healed) {
    ScriptedCluster cluster(3);
    RawRedis redis(cluster.port(0));
    cluster.mute(0);
    redis.send({"PING"});
    EXPECT_THROW(redis.read(silence), RawFailure);
    EXPECT_EQ(cluster.heard(0, {"PING"}), 1U);
    cluster.heal(0);
    EXPECT_EQ(redis.call({"PING"}).text, "PONG");

    RawRedis open(cluster.port(1));
    open.call({"PING"});
    cluster.closes(1);
    EXPECT_TRUE(open.ends_within());
    EXPECT_TRUE(RawRedis(cluster.port(1)).ends_within());
    EXPECT_TRUE(eventually([&] { return cluster.connections(1) == 2; }));

    cluster.down(2);
    EXPECT_THROW(RawRedis(cluster.port(2)), RawFailure);
    cluster.heal(2);
    EXPECT_EQ(RawRedis(cluster.port(2)).call({"PING"}).text, "PONG");
}

TEST(ScriptedCluster, answers_are_malformed_on_demand) {
    ScriptedCluster cluster(2);
    cluster.on({"CLUSTER", "SLOTS"}, "*1\r\n*1\r\n:-1\r\n");
    cluster.on(1, {"CLUSTER", "SLOTS"}, Answer("*3\r\n").then(Answer::Then::reset));
    EXPECT_EQ(in_words(RawRedis(cluster.port(0)).call({"CLUSTER", "SLOTS"})), "[[-1]]");
    RawRedis one(cluster.port(1));
    one.send({"CLUSTER", "SLOTS"});
    EXPECT_TRUE(one.ends_within());
}

TEST(ScriptedCluster, counts_commands_questions_and_connections) {
    ScriptedCluster cluster(2);
    cluster.zone(1, "az-2");
    {
        RawRedis one(cluster.port(1));
        RawRedis two(cluster.port(1));
        EXPECT_EQ(one.call({"HELLO", "3"}).at("availability_zone").text, "az-2");
        one.call({"cluster", "slots"});
        two.call({"CLUSTER", "SHARDS"});
        RawRedis(cluster.port(0)).call({"CLUSTER", "NODES"});
    }
    EXPECT_EQ(cluster.commands(1).at("CLUSTER SLOTS"), 1U);
    EXPECT_EQ(cluster.questions(), 3U);
    EXPECT_EQ(cluster.questions_in_any(std::chrono::hours(1)), 3U);
    EXPECT_EQ(cluster.connections(1), 2U);
    EXPECT_EQ(cluster.open_connections_most(1), 2U);
    EXPECT_TRUE(eventually([&] { return cluster.open_connections(1) == 0; }));
}

TEST(ScriptedCluster, a_hundred_nodes_answer) {
    ScriptedCluster cluster(50, 1);
    std::vector<RawRedis> all;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        all.emplace_back(cluster.port(i));
        all.back().send({"CLUSTER", "SLOTS"});
    }
    for (RawRedis& one : all) {
        EXPECT_EQ(one.read().children.size(), 50U);
    }
}

}  // namespace
}  // namespace holdfast::testing
