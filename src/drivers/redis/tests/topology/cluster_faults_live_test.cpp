// Faults that clients of clusters have had, before real clusters.
#include "tests/faults_scene.h"

#include <faults/client_side.h>
#include <live/redis_cluster.h>

#include <cstdio>

namespace holdfast::redis {
namespace {

using holdfast::testing::ClientSide;
using holdfast::testing::RedisCluster;
using holdfast::testing::RedisClusterOptions;

class ClusterClient {
public:
    explicit ClusterClient(Endpoint seed, RedisOptions options = RedisOptions())
        : runtime_(std::move(open_runtime(RuntimeOptions().loops(1))).value()) {
        options.cluster({std::move(seed)});
        client_ = std::move(open_redis(*runtime_, std::move(options))).value();
    }
    Client& operator*() { return *client_; }
    Client* operator->() { return client_.get(); }
    Deadline in(Duration time = patience) const { return Deadline::in(time, runtime_->clock()); }
    template <class Reply>
    Result<Reply> run(Command<Reply> command, Duration time = patience) {
        return client_->wait(std::move(command), in(time));
    }

private:
    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<Client> client_;
};

std::string key_at(const RedisCluster& cluster, std::size_t node) {
    const auto slots = cluster.slots_of(node);
    for (int i = 0;; ++i) {
        std::string key = "k" + std::to_string(i);
        if (std::ranges::find(slots, holdfast::testing::slot_of(key)) != slots.end()) {
            return key;
        }
    }
}

// A node that nobody has met yet does not know its own address.
TEST(ClusterLive, fault_35_a_node_that_does_not_know_its_address_is_found_where_it_was_asked) {
    RedisServer server(RedisServerOptions().cluster().memory_only());
    RawRedis redis = server.raw();
    EXPECT_FALSE(redis.call({"CLUSTER", "ADDSLOTSRANGE", "0", "16383"}).is_error());
    ASSERT_TRUE(eventually([&] {
        return in_words(redis.call({"CLUSTER", "INFO"})).find("cluster_state:ok") !=
               std::string::npos;
    }));
    const auto slots = redis.call({"CLUSTER", "SLOTS"});
    ASSERT_EQ(slots[0][2][0].text, "") << in_words(slots);
    ClusterClient client({"127.0.0.1", server.port()});
    const auto got = client.run(incr("k"));
    ASSERT_TRUE(got.ok()) << got.error().what();
    EXPECT_EQ(got.value(), 1);
}

TEST(ClusterLive, fault_37_a_killed_primary_s_replica_gets_what_waited) {
    RedisCluster cluster(RedisClusterOptions().servers(RedisServerOptions().memory_only()));
    ClusterClient client({"127.0.0.1", cluster.node(1).port()});
    const std::string key = key_at(cluster, 0);
    ASSERT_TRUE(client.run(set(key, "0")).ok());
    ASSERT_TRUE(client.run(get(key)).ok());
    const std::size_t heir = cluster.replicas_of(0).front();
    cluster.kill(0);
    const SteadyTime killed = system_clock().steady_now();
    const auto count = [&] {
        return client.run(incr("{" + key + "}counter"), std::chrono::seconds(60));
    };
    auto got = count();
    if (!got.ok()) {  // it was on its way when the primary died: it is not sent again
        EXPECT_EQ(got.error().effect(), Effect::unknown);
        got = count();
    }
    const Duration took = system_clock().steady_now() - killed;
    ASSERT_TRUE(got.ok()) << got.error().what();
    std::printf(
        "cluster: from kill -9 to the first success %lld ms\n", static_cast<long long>(took.count())
    );
    RawRedis redis = cluster.node(heir).raw();
    EXPECT_EQ(redis.call({"GET", "{" + key + "}counter"}).text, std::to_string(got.value()));
}

// The node is cut off from us alone: no failover will come.
TEST(ClusterLive, fault_26_a_node_that_was_silent_serves_its_slots_when_it_is_back) {
    RedisCluster cluster(RedisClusterOptions().replicas(0).servers(RedisServerOptions().memory_only(
    )));
    const ClientSide side(cluster.ports());
    ClusterClient client(
        {ClientSide::host(), cluster.node(1).port()},
        RedisOptions().silent_max(Duration(1'000)).dial_time(Duration(1'000))
    );
    std::vector<std::string> keys;
    for (std::size_t node = 0; node < 3; ++node) {
        keys.push_back(key_at(cluster, node));
        ASSERT_TRUE(client.run(set(keys.back(), "v")).ok());
    }
    side.cut(0);
    auto lost = client->start(incr("{" + keys[0] + "}counter"), client.in(Duration(3'000)));
    int good = 0;
    while (lost.wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
        for (const std::string& key : {keys[1], keys[2]}) {
            const auto got = client.run(get(key));
            ASSERT_TRUE(got.ok()) << got.error().what();
            ++good;
        }
    }
    EXPECT_GT(good, 0);
    EXPECT_FALSE(lost.get().ok());
    side.heal(0);
    const auto back = client.run(get(keys[0]));
    ASSERT_TRUE(back.ok()) << back.error().what();
    EXPECT_EQ(back.value(), "v");
}

}  // namespace
}  // namespace holdfast::redis
