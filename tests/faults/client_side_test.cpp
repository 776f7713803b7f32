#include <faults/client_side.h>
#include <gtest/gtest.h>
#include <live/redis_cluster.h>
#include <live/redis_sentinels.h>

namespace holdfast::testing {
namespace {

constexpr Duration silence = std::chrono::milliseconds(50);

RedisServerOptions quick() {
    return RedisServerOptions().memory_only();
}

TEST(ClientSide, a_node_of_a_cluster_is_cut_off_from_clients_alone) {
    const RedisCluster cluster(RedisClusterOptions().primaries(3).replicas(0).servers(quick()));
    const ClientSide side(cluster.ports());
    const std::size_t owner = cluster.owner_of("a");
    const std::size_t other = (owner + 1) % cluster.size();
    RawRedis redis(ClientSide::host(), cluster.node(other).port());
    EXPECT_EQ(
        redis.call({"GET", "a"}).text,
        "MOVED " + std::to_string(slot_of("a")) +
            " 127.0.0.2:" + std::to_string(cluster.node(owner).port())
    );
    EXPECT_EQ(redis.call({"CLUSTER", "SLOTS"})[0][2][0].text, "127.0.0.2");

    RawRedis before(ClientSide::host(), cluster.node(owner).port());
    EXPECT_EQ(in_words(before.call({"SET", "a", "1"})), "OK");
    side.cut(owner);
    before.send({"SET", "a", "2"});
    EXPECT_THROW(before.read(silence), RawFailure);
    RawRedis during(ClientSide::host(), cluster.node(owner).port());
    during.send({"PING"});
    EXPECT_THROW(during.read(silence), RawFailure);
    cluster.wait_until_ok();
    EXPECT_EQ(cluster.owner_of("a"), owner);
    side.heal(owner);
    EXPECT_TRUE(before.ends_within());
    RawRedis after(ClientSide::host(), cluster.node(owner).port());
    EXPECT_EQ(after.call({"GET", "a"}).text, "1");
}

TEST(ClientSide, sentinels_name_the_proxies) {
    RedisSentinels set(RedisSentinelsOptions().quick().replicas(1).servers(quick()));
    const ClientSide servers(set.server_ports());
    const ClientSide sentinels(set.sentinel_ports());
    RawRedis redis(ClientSide::host(), set.sentinel_port(0));
    EXPECT_EQ(
        in_words(redis.call({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", RedisSentinels::name()})),
        "[127.0.0.2 " + std::to_string(set.node(0).port()) + "]"
    );
    redis.call({"SUBSCRIBE", "+switch-master"});
    servers.cut(0);  // sentinels go on to see it
    EXPECT_EQ(set.primary(), 0U);
    EXPECT_EQ(set.failover(), 1U);
    EXPECT_NE(redis.read()[2].text.find("mymaster 127.0.0.2 "), std::string::npos);
}

}  // namespace
}  // namespace holdfast::testing
