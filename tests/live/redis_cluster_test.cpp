// Clusters do what live tests rely on.
#include <gtest/gtest.h>
#include <live/redis_cluster.h>

#include <atomic>
#include <thread>

namespace holdfast::testing {
namespace {

RedisClusterOptions quick() {
    return RedisClusterOptions().servers(RedisServerOptions().memory_only());
}

TEST(RedisClusterSlots, are_as_the_specification_says) {
    EXPECT_EQ(slot_of("123456789"), 0x31C3);
    EXPECT_EQ(slot_of("foo{123456789}bar"), slot_of("123456789"));
    EXPECT_EQ(slot_of("{}123456789"), slot_of("{}123456789"));
    EXPECT_NE(slot_of("foo{}{bar}"), slot_of("bar"));
}

// Writes where a client would: to whom it was told last, and on ASK once to the other.
class Writer {
public:
    explicit Writer(const RedisCluster& cluster) : cluster_(cluster) {}
    RawReply call(std::size_t at, std::vector<std::string> words) {
        RawReply reply = cluster_.node(at).raw().call(words);
        for (int hop = 0; hop < 5 && reply.is_error(); ++hop) {
            const std::string port = reply.text.substr(reply.text.rfind(':') + 1);
            if (reply.text.starts_with("ASK")) {
                ++asked;
                RawRedis other(static_cast<std::uint16_t>(std::stoul(port)));
                other.call({"ASKING"});
                reply = other.call(words);
            } else if (reply.text.starts_with("MOVED")) {
                ++moved;
                reply = RawRedis(static_cast<std::uint16_t>(std::stoul(port))).call(words);
            } else {
                break;
            }
        }
        return reply;
    }
    std::size_t asked = 0;
    std::size_t moved = 0;

private:
    const RedisCluster& cluster_;
};

TEST(RedisCluster, of_one_node_has_all_slots) {
    const RedisCluster cluster(RedisClusterOptions().primaries(1).replicas(0).servers(
        RedisServerOptions().password("se cret").option("cluster-require-full-coverage", "no")
    ));
    EXPECT_EQ(cluster.slots_of(0).size(), cluster_slots);
    EXPECT_EQ(in_words(cluster.node(0).raw().call({"SET", "a", "1"})), "OK");
}

TEST(RedisCluster, reaches_its_nodes_by_TLS) {
    const RedisCluster cluster(RedisClusterOptions().primaries(2).replicas(0).servers(
        RedisServerOptions().memory_only().tls()
    ));
    const std::size_t from = cluster.owner_of("a");
    RawRedis redis = cluster.node(from).raw();
    EXPECT_EQ(in_words(redis.call({"SET", "a", "1"})), "OK");
    cluster.migration(from, 1 - from).move({slot_of("a")});
    EXPECT_EQ(
        redis.call({"GET", "a"}).text,
        "MOVED " + std::to_string(slot_of("a")) +
            " 127.0.0.1:" + std::to_string(cluster.node(1 - from).port())
    );
    EXPECT_EQ(cluster.node(1 - from).raw().call({"GET", "a"}).text, "1");
}

class SharedCluster : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        shared = std::make_unique<RedisCluster>(quick().client_host("localhost"));
    }
    static void TearDownTestSuite() { shared.reset(); }
    static std::unique_ptr<RedisCluster> shared;
    RedisCluster& cluster = *shared;
};
std::unique_ptr<RedisCluster> SharedCluster::shared;

TEST_F(SharedCluster, is_whole_as_soon_as_it_is_made) {
    ASSERT_EQ(cluster.size(), 6U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(cluster.is_primary(i));
        EXPECT_EQ(cluster.replicas_of(i), std::vector<std::size_t>{i + 3});
    }
    const std::size_t owner = cluster.owner_of("a");
    RawRedis redis = cluster.node(owner).raw();
    EXPECT_EQ(in_words(redis.call({"SET", "a", "1"})), "OK");
    EXPECT_EQ(redis.call({"WAIT", "1", "20000"}).number, 1);
    EXPECT_EQ(
        cluster.node((owner + 1) % 3).raw().call({"GET", "a"}).text,
        "MOVED " + std::to_string(slot_of("a")) +
            " localhost:" + std::to_string(cluster.node(owner).port())
    );
}

TEST_F(SharedCluster, moves_slots_under_writes_without_losing_one) {
    const std::size_t from = cluster.owner_of("{tag}");
    const std::size_t to = (from + 1) % 3;
    const std::uint16_t slot = slot_of("{tag}");
    Writer writer(cluster);
    for (int i = 0; i < 300; ++i) {
        writer.call(from, {"SET", "{tag}" + std::to_string(i), "1"});
    }
    SlotMigration slow = cluster.migration(from, to);
    slow.begin(slot);
    EXPECT_EQ(slow.move_keys(slot, 10), 10U);
    std::atomic<int> finished = 0;
    std::jthread moves([&] {
        slow.finish(slot);
        cluster.migration(to, from).move({slot}, [&](std::uint16_t) { ++finished; });
        cluster.migration(from, to).move({slot}, [&](std::uint16_t) { ++finished; });
    });
    int count = 0;
    while (finished < 2) {
        const std::string key = "{tag}" + std::to_string(count++ % 300);
        const RawReply reply = writer.call(from, {"INCR", key});
        if (!reply.is_error() || reply.text.starts_with("TRYAGAIN")) {
            continue;
        }
        ADD_FAILURE() << reply.text;
    }
    moves.join();
    EXPECT_GT(writer.asked + writer.moved, 0U);
    EXPECT_EQ(cluster.owner_of("{tag}"), to);
    std::int64_t sum = 0;
    for (int i = 0; i < 300; ++i) {
        sum += writer.call(to, {"INCRBY", "{tag}" + std::to_string(i), "0"}).number;
    }
    EXPECT_EQ(sum, 300 + count);
    cluster.wait_until_ok();
}

TEST_F(SharedCluster, promotes_a_replica_when_told_and_when_its_primary_died) {
    const std::size_t old = cluster.owner_of("b");
    const std::size_t replica = cluster.replicas_of(old).front();
    cluster.promote(replica);
    EXPECT_EQ(cluster.owner_of("b"), replica);
    EXPECT_EQ(cluster.replicas_of(replica), std::vector<std::size_t>{old});

    RawRedis redis = cluster.node(replica).raw();
    ASSERT_EQ(in_words(redis.call({"SET", "b", "kept"})), "OK");
    ASSERT_EQ(redis.call({"WAIT", "1", "20000"}).number, 1);
    cluster.kill(replica);
    cluster.wait_until_ok();
    EXPECT_EQ(cluster.owner_of("b"), old);
    EXPECT_EQ(cluster.node(old).raw().call({"GET", "b"}).text, "kept");
    cluster.restart(replica);
    cluster.wait_until_ok();
    EXPECT_EQ(cluster.replicas_of(old), std::vector<std::size_t>{replica});
}

}  // namespace
}  // namespace holdfast::testing
