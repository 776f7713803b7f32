// Who keeps a topology true, before real clusters and sentinels.
#include "cluster_watch.h"
#include "sentinel_watch.h"

#include <gtest/gtest.h>
#include <live/redis_cluster.h>
#include <live/redis_sentinels.h>
#include <live/wait.h>

#include <functional>
#include <memory>
#include <mutex>

namespace holdfast::redis {
namespace {

using holdfast::testing::eventually;
using holdfast::testing::RedisCluster;
using holdfast::testing::RedisSentinels;
using holdfast::testing::RedisSentinelsOptions;

Endpoint local(std::uint16_t port) {
    return {"127.0.0.1", port};
}

// A watch on the loop of a runtime, and what it published.
class LiveWatch {
public:
    explicit LiveWatch() : runtime_(std::move(open_runtime(RuntimeOptions().loops(1))).value()) {}
    ~LiveWatch() {
        on_loop([this] { watch_->stop(); });
    }

    void cluster(std::vector<Endpoint> seeds) {
        watch_ = std::make_unique<ClusterWatch>(
            runtime_->loop(0),
            runtime_->random(),
            std::make_shared<const RedisOptions>(),
            std::move(seeds),
            taking(),
            [](const Error&) {}
        );
        on_loop([this] { watch_->start(); });
    }
    void sentinels(const RedisOptions& options, std::vector<Endpoint> given) {
        watch_ = std::make_unique<SentinelWatch>(
            runtime_->loop(0),
            runtime_->random(),
            std::make_shared<const RedisOptions>(options),
            std::move(given),
            RedisSentinels::name(),
            taking(),
            [](const Error&) {}
        );
        on_loop([this] { watch_->start(); });
    }
    void suspect() {
        on_loop([this] { watch_->suspect(Suspicion::unreachable); });
    }
    std::shared_ptr<const Topology> last() {
        const std::lock_guard lock(mutex_);
        return last_;
    }
    bool eventually_shows(const std::function<bool(const Topology&)>& what) {
        return eventually([&] {
            const auto topology = last();
            return topology != nullptr && what(*topology);
        });
    }
    bool eventually_primary(std::uint16_t slot, std::uint16_t port) {
        return eventually_shows([&](const Topology& topology) {
            const std::uint16_t shard = topology.shard_of(slot);
            return shard != Topology::no_shard && topology.shards()[shard].primary == local(port);
        });
    }

private:
    std::function<void(std::shared_ptr<const Topology>)> taking() {
        return [this](std::shared_ptr<const Topology> topology) {
            const std::lock_guard lock(mutex_);
            last_ = std::move(topology);
        };
    }
    static Task<> doing(std::function<void()> what) {
        what();
        co_return Done();
    }
    void on_loop(std::function<void()> what) {
        (void)holdfast::wait(*runtime_, doing(std::move(what)));
    }

    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<TopologyWatch> watch_;
    std::mutex mutex_;
    std::shared_ptr<const Topology> last_;
};

// Servers list a replica for reads once it has copied something: in a new cluster after the first
// ping of its primary, up to 10 s.
bool is_whole(const Topology& topology) {
    return topology.shards().size() == 3 &&
           std::ranges::all_of(topology.shards(), [](const ShardNodes& shard) {
               return shard.replicas_known == 1;
           });
}

TEST(ClusterWatchLive, one_seed_tells_all_and_a_promotion_and_the_death_of_the_seed_are_seen) {
    RedisCluster cluster;
    LiveWatch watch;
    watch.cluster({local(cluster.node(0).port())});
    ASSERT_TRUE(watch.eventually_shows(is_whole));
    const std::uint16_t first = cluster.slots_of(0).front();
    const std::uint16_t second = cluster.slots_of(1).front();
    EXPECT_TRUE(watch.eventually_primary(first, cluster.node(0).port()));

    const std::size_t heir = cluster.replicas_of(1).front();
    cluster.promote(heir);
    watch.suspect();
    EXPECT_TRUE(watch.eventually_primary(second, cluster.node(heir).port()));

    const std::size_t orphan = cluster.replicas_of(0).front();
    cluster.kill(0);
    EXPECT_TRUE(eventually([&] {
        watch.suspect();
        const auto topology = watch.last();
        const std::uint16_t shard = topology->shard_of(first);
        return shard != Topology::no_shard &&
               topology->shards()[shard].primary == local(cluster.node(orphan).port());
    }));
}

TEST(SentinelWatchLive, one_sentinel_tells_all_and_a_failover_is_heard) {
    RedisSentinels set(RedisSentinelsOptions().quick().sentinel_user("watcher", "other"));
    RedisOptions options;
    options.credentials("watcher", Secret("other"));
    LiveWatch watch;
    watch.sentinels(options, {local(set.sentinel_port(0))});
    ASSERT_TRUE(watch.eventually_shows([](const Topology& topology) {
        return topology.shards()[0].replicas.size() == 2;
    }));
    EXPECT_TRUE(watch.eventually_primary(0, set.node(set.primary()).port()));
    const std::size_t next = set.failover();
    EXPECT_TRUE(watch.eventually_primary(0, set.node(next).port()));

    set.kill_sentinel(0);
    const std::size_t old = set.kill_primary();
    const std::size_t third = set.wait_for_another_primary(old);
    EXPECT_TRUE(watch.eventually_primary(0, set.node(third).port()));
}

}  // namespace
}  // namespace holdfast::redis
