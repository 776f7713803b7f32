// Durable writes to a real cluster whose primaries have one replica each.
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/copies_by_shard.h>

#include <gtest/gtest.h>
#include <live/redis_cluster.h>
#include <live/wait.h>

namespace holdfast::redis {
namespace {

using holdfast::testing::eventually;
using holdfast::testing::RedisCluster;

// A replica that has to copy all anew waits 5 s for others that might, on a loaded machine longer.
constexpr Duration recovery = std::chrono::seconds(60);

// Of one cluster; its shards are watched.
class LiveWrites {
public:
    explicit LiveWrites(const RedisCluster& cluster)
        : shards(WaitRule::automatic()),
          runtime_(std::move(open_runtime(RuntimeOptions().loops(1))).value()) {
        std::vector<Endpoint> seeds;
        for (const std::uint16_t port : cluster.ports()) {
            seeds.push_back(Endpoint{"127.0.0.1", port});
        }
        client_ =
            std::move(open_redis(*runtime_, RedisOptions().cluster(std::move(seeds)))).value();
        spawn(
            runtime_->loop(0),
            watch_copies(*client_, shards),
            [this](Result<Done>) { ended_ = true; },
            &stop_
        );
    }
    ~LiveWrites() {
        stop_.request();
        EXPECT_TRUE(eventually([&] { return ended_.load(); }));
    }
    Result<Durable<std::int64_t>> incr_of(const std::string& key, int ms) {
        const Copies copies(shards, Duration(500));
        const Deadline deadline = Deadline::in(Duration(ms), system_clock());
        return holdfast::wait(*runtime_, one(client_.get(), key, copies, deadline));
    }

    CopiesByShard shards;

private:
    static Task<Durable<std::int64_t>>
    one(Client* client, std::string key, Copies copies, Deadline deadline) {
        co_return co_await client->run_durable(incr(key), copies, deadline);
    }

    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<Client> client_;
    Stop stop_;
    std::atomic<bool> ended_ = false;
};

TEST(DurableTopologyLive, each_shard_keeps_what_its_replica_has_and_a_failover_lowers_nothing) {
    RedisCluster cluster;
    LiveWrites writes(cluster);
    const std::string key = "n";
    const std::size_t owner = cluster.owner_of(key);
    const std::size_t replica = cluster.replicas_of(owner).front();
    const auto kept = writes.incr_of(key, 10'000);
    ASSERT_TRUE(kept.ok()) << kept.error().what();
    EXPECT_EQ(kept.value().acknowledged, 1);

    cluster.pause(replica);  // it is connected and confirms nothing
    const auto few = writes.incr_of(key, 5'000);
    ASSERT_FALSE(few.ok());
    EXPECT_EQ(few.error().code(), Code::unreachable);
    EXPECT_EQ(few.error().effect(), Effect::unknown);
    cluster.resume(replica);
    ASSERT_TRUE(eventually([&] { return writes.incr_of(key, 5'000).ok(); }, recovery));

    cluster.wait_until_ok();
    cluster.kill(owner);
    cluster.wait_until_ok();
    ASSERT_EQ(cluster.owner_of(key), replica);
    // Alone it takes no write, however long it is alone.
    EXPECT_TRUE(eventually([&] {
        const auto alone = writes.incr_of(key, 5'000);
        EXPECT_FALSE(alone.ok());
        return !alone.ok() && alone.error().effect() == Effect::none;
    }));
    const std::string before = cluster.node(replica).raw().call({"GET", key}).text;
    EXPECT_FALSE(writes.incr_of(key, 1'000).ok());
    EXPECT_EQ(cluster.node(replica).raw().call({"GET", key}).text, before);
    // Other shards go on.
    const std::string other = cluster.owner_of("m") == replica ? "o" : "m";
    EXPECT_TRUE(writes.incr_of(other, 5'000).ok());

    cluster.restart(owner);  // as a replica of its successor
    EXPECT_TRUE(eventually([&] { return writes.incr_of(key, 5'000).ok(); }, recovery));
}

}  // namespace
}  // namespace holdfast::redis
