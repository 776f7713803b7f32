// Subscriptions to real clusters and Sentinel groups whose nodes go.
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/pubsub.h>
#include <holdfast/redis/commands/strings.h>

#include <gtest/gtest.h>
#include <live/redis_cluster.h>
#include <live/redis_sentinels.h>
#include <live/wait.h>

#include <mutex>
#include <set>
#include <thread>

namespace holdfast::redis {
namespace {

using holdfast::testing::eventually;
using holdfast::testing::RedisCluster;
using holdfast::testing::RedisSentinels;
using holdfast::testing::RedisSentinelsOptions;
using holdfast::testing::RedisServer;

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

// A client whose one subscription is heard until it goes.
class LiveListener {
public:
    LiveListener(RedisOptions options, Channels channels)
        : runtime_(std::move(open_runtime(RuntimeOptions().loops(1))).value()),
          client(std::move(open_redis(*runtime_, std::move(options))).value()) {
        spawn(
            runtime_->loop(0),
            hearing(this, client.get(), std::move(channels)),
            [this](Result<Done>) { ended_ = true; },
            &stop_
        );
    }
    ~LiveListener() {
        stop_.request();
        EXPECT_TRUE(eventually([&] { return ended_.load(); }));
    }

    std::size_t times_subscribed() {
        const std::lock_guard lock(mutex_);
        return subscribed_;
    }
    bool has(const std::string& payload) {
        const std::lock_guard lock(mutex_);
        return payloads_.contains(payload);
    }
    // What is published while nobody listens is gone: it is said until it is heard.
    bool eventually_hears(const std::string& channel, const std::string& payload, bool sharded) {
        return eventually([&] {
            // Calls to all shards, by which a mute node is noticed.
            for (const char* key : {"a", "b", "c", "d", "e", "f"}) {
                (void)client->start(get(key), in(1'000));
            }
            (void)client->wait(
                sharded ? spublish(channel, payload) : publish(channel, payload), in(500)
            );
            return has(payload);
        });
    }

private:
    static Task<> hearing(LiveListener* self, Client* client, Channels channels) {
        Loop& loop = (co_await this_scope()).loop();
        auto opened = client->subscribe(loop, std::move(channels));
        for (;;) {
            auto next = co_await opened.value().next();
            if (!next.ok()) {
                co_return std::move(next).error();
            }
            const std::lock_guard lock(self->mutex_);
            if (next.value().kind == Message::Kind::subscribed) {
                ++self->subscribed_;
            } else {
                self->payloads_.insert(next.value().payload);
            }
        }
    }

    std::unique_ptr<Runtime> runtime_;
    Stop stop_;
    std::atomic<bool> ended_ = false;
    std::mutex mutex_;
    std::size_t subscribed_ = 0;
    std::set<std::string> payloads_;

public:
    std::unique_ptr<Client> client;
};

RedisOptions of(const RedisCluster& cluster) {
    std::vector<Endpoint> seeds;
    for (const std::uint16_t port : cluster.ports()) {
        seeds.push_back(Endpoint{"127.0.0.1", port});
    }
    return std::move(RedisOptions().cluster(std::move(seeds)));
}

// The node that has a client which listens.
std::size_t listened_at(const RedisCluster& cluster) {
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        if (cluster.node(i).answers()) {
            const auto channels = cluster.node(i).raw().call({"PUBSUB", "CHANNELS", "news"});
            if (!channels.children.empty()) {
                return i;
            }
        }
    }
    return cluster.size();
}

TEST(SubscriptionTopologyLive, one_to_sentinels_survives_the_death_of_the_primary) {
    RedisSentinels set(RedisSentinelsOptions().quick());
    RedisOptions options;
    std::vector<Endpoint> sentinels;
    for (const std::uint16_t port : set.sentinel_ports()) {
        sentinels.push_back(Endpoint{"127.0.0.1", port});
    }
    options.sentinels(std::move(sentinels), RedisSentinels::name());
    LiveListener listener(std::move(options), Channels().channel("news"));
    ASSERT_TRUE(listener.eventually_hears("news", "before", false));
    const std::size_t old = set.kill_primary();
    set.wait_for_another_primary(old);
    EXPECT_TRUE(listener.eventually_hears("news", "after", false));
    EXPECT_GE(listener.times_subscribed(), 2U);
}

TEST(SubscriptionTopologyLive, one_to_a_cluster_survives_the_death_and_the_pause_of_its_node) {
    RedisCluster cluster;
    LiveListener listener(of(cluster), Channels().channel("news"));
    ASSERT_TRUE(listener.eventually_hears("news", "one", false));
    cluster.kill(listened_at(cluster));
    EXPECT_TRUE(listener.eventually_hears("news", "two", false));
    cluster.wait_until_ok();
    const std::size_t next = listened_at(cluster);
    ASSERT_LT(next, cluster.size());
    cluster.pause(next);
    EXPECT_TRUE(listener.eventually_hears("news", "three", false));
    cluster.resume(next);
    EXPECT_GE(listener.times_subscribed(), 3U);
}

TEST(SubscriptionTopologyLive, shard_channels_go_with_their_slot) {
    RedisCluster cluster;
    const std::size_t from = cluster.owner_of("{a}1");
    const std::size_t to = (from + 1) % 3;
    LiveListener listener(of(cluster), Channels().shard_channel("{a}1").shard_channel("{a}2"));
    ASSERT_TRUE(listener.eventually_hears("{a}1", "one", true));
    const std::vector<std::uint16_t> slots{holdfast::testing::slot_of("{a}1")};
    cluster.migration(from, to).move(slots, [](std::uint16_t) {});
    EXPECT_TRUE(eventually([&] { return listener.times_subscribed() >= 2; }));
    EXPECT_TRUE(listener.eventually_hears("{a}2", "two", true));
    cluster.migration(to, from).move(slots, [](std::uint16_t) {});
    EXPECT_TRUE(listener.eventually_hears("{a}1", "three", true));
}

TEST(SubscriptionTopologyLive, shard_channels_work_at_a_single_server) {
    RedisServer server;
    LiveListener listener(RedisOptions().port(server.port()), Channels().shard_channel("a"));
    EXPECT_TRUE(listener.eventually_hears("a", "one", true));
}

TEST(SubscriptionTopologyLive, credentials_that_changed_are_taken_without_a_gap) {
    RedisServer server(
        holdfast::testing::RedisServerOptions().acl("user app on >first >second ~* &* +@all")
    );
    std::atomic<bool> changed = false;
    RedisOptions options;
    options.port(server.port()).credentials([&]() -> Result<Credentials> {
        return Credentials("app", Secret(changed ? "second" : "first"));
    });
    LiveListener listener(std::move(options), Channels().channel("news"));
    ASSERT_TRUE(listener.eventually_hears("news", "one", false));
    changed = true;
    auto said = [](Client* client) -> Task<> {
        co_return co_await client->reauthenticate(in(10'000));
    };
    auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
    const auto done = holdfast::wait(*runtime, said(listener.client.get()));
    EXPECT_TRUE(done.ok());
    EXPECT_TRUE(listener.eventually_hears("news", "two", false));
    EXPECT_EQ(listener.times_subscribed(), 1U);
}

}  // namespace
}  // namespace holdfast::redis
