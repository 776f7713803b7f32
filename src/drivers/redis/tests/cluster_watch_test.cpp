// Promises of who keeps the map of a cluster, in virtual time.
#include "cluster_watch.h"
#include "fake_cluster.h"
#include "fault_from_environment.h"

#include <holdfast/redis/client_limits.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

constexpr Duration calm_time{60'000};

class WatchScene {
public:
    explicit WatchScene(int nodes, std::uint64_t seed = 1)
        : runtime(open_virtual_runtime(VirtualOptions().seed(seed))), cluster(*runtime, nodes) {}
    ~WatchScene() {
        stop();
        watch.reset();
        for (const auto& server : cluster.servers) {
            server->down();
        }
        pass(Duration(20'000));
    }

    ClusterWatch& open(std::vector<Endpoint> seeds, const RedisOptions& options = RedisOptions()) {
        watch = std::make_unique<ClusterWatch>(
            runtime->loop(0),
            runtime->random(),
            std::make_shared<const RedisOptions>(options),
            std::move(seeds),
            [this](std::shared_ptr<const Topology> topology) {
                published.push_back(std::move(topology));
                published_at = runtime->now();
            },
            [this](const Error& why) { failures.push_back(why.code()); }
        );
        on_loop([this] { watch->start(); });
        return *watch;
    }
    // As what runs on the loop does.
    void on_loop(const std::function<void()>& what) { (void)holdfast::wait(*runtime, doing(what)); }
    void suspect() {
        on_loop([this] { watch->suspect(Suspicion::unreachable); });
    }
    void stop() {
        on_loop([this] { watch->stop(); });
    }
    void pass(Duration time) { runtime->run(runtime->now() + time); }
    // Until there is one that fits, or this time has passed.
    bool published_within(Duration time, const std::function<bool(const Topology&)>& fits) {
        const SteadyTime until = runtime->now() + time;
        while (published.empty() || !fits(*published.back())) {
            if (!runtime->step(until)) {
                return false;
            }
        }
        return true;
    }
    bool published_within(Duration time) {
        return published_within(time, [](const Topology&) { return true; });
    }
    Endpoint primary_of(std::uint16_t slot) const {
        const Topology& topology = *published.back();
        const std::uint16_t shard = topology.shard_of(slot);
        return shard == Topology::no_shard ? Endpoint() : topology.shards()[shard].primary;
    }

    std::unique_ptr<VirtualRuntime> runtime;
    FakeCluster cluster;
    std::vector<std::shared_ptr<const Topology>> published;
    SteadyTime published_at{};
    std::vector<Code> failures;
    std::unique_ptr<ClusterWatch> watch;

private:
    static Task<> doing(std::function<void()> what) {
        what();
        co_return Done();
    }
};

const FakeView three_primaries = {
    {0, 5'000, 0, {}, 1},
    {5'001, 10'000, 1, {}, 2},
    {10'001, 16'383, 2, {}, 3},
};

TEST(ClusterWatch, the_map_is_learnt_from_one_seed) {
    WatchScene scene(3);
    scene.cluster.show({{0, 8'000, 0, {2}, 1}, {8'001, 16'383, 1, {}, 2}});
    scene.open({scene.cluster.at(1)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    const Topology& topology = *scene.published.back();
    EXPECT_EQ(topology.shape(), Shape::cluster);
    EXPECT_EQ(topology.shards().size(), 2U);
    EXPECT_EQ(scene.primary_of(0), scene.cluster.at(0));
    EXPECT_EQ(scene.primary_of(16'383), scene.cluster.at(1));
    const ShardNodes& first = topology.shards()[topology.shard_of(0)];
    EXPECT_EQ(first.replicas, std::vector<Endpoint>{scene.cluster.at(2)});
    scene.pass(calm_time);
    EXPECT_EQ(scene.published.size(), 1U);
    EXPECT_TRUE(scene.failures.empty());
    EXPECT_FALSE(scene.watch->last_failure().has_value());
}

TEST(ClusterWatch, seeds_that_are_mute_or_down_cost_the_first_map_a_moment) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        WatchScene scene(3, seed);
        scene.cluster.show(three_primaries);
        scene.cluster.server(0).mute = true;
        scene.cluster.server(1).down();
        scene.open({scene.cluster.at(0), scene.cluster.at(1), scene.cluster.at(2)});
        ASSERT_TRUE(scene.published_within(2 * ask_patience)) << seed;
    }
}

// fred: a node that is mute blocks the task that routes, and so the healthy ones.
TEST(ClusterWatch, fault_28_a_mute_node_does_not_keep_the_map_from_being_learnt) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        WatchScene scene(3, seed);
        scene.cluster.show(three_primaries);
        scene.open({scene.cluster.at(0), scene.cluster.at(1), scene.cluster.at(2)});
        ASSERT_TRUE(scene.published_within(Duration(200)));
        scene.pass(calm_time);
        scene.cluster.server(0).mute = true;
        scene.cluster.show(
            {{0, 5'000, 1, {}, 9}, {5'001, 10'000, 1, {}, 9}, {10'001, 16'383, 2, {}, 3}}
        );
        scene.suspect();
        // The pace of refreshes, and one that is asked in vain.
        ASSERT_TRUE(scene.published_within(Duration(1'000) + 2 * ask_patience, [&](const auto&) {
            return scene.primary_of(0) == scene.cluster.at(1);
        })) << seed;
    }
}

// ioredis: a storm of refreshes while a primary is down.
TEST(ClusterWatch, fault_30_a_storm_of_suspicions_is_one_refresh_a_second) {
    WatchScene scene(3);
    scene.cluster.show(three_primaries);
    scene.open({scene.cluster.at(0)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    scene.pass(calm_time);
    const std::size_t before = scene.cluster.asked();
    for (int i = 0; i < 3'000; ++i) {
        scene.suspect();
        scene.pass(Duration(10));
    }
    EXPECT_LE(scene.cluster.asked() - before, 31U);
    EXPECT_GE(scene.cluster.asked() - before, 10U);
}

TEST(ClusterWatch, a_suspicion_that_nothing_confirms_ends) {
    WatchScene scene(3);
    scene.cluster.show(three_primaries);
    scene.open({scene.cluster.at(0)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    scene.pass(calm_time);
    scene.suspect();
    scene.pass(Duration(10'000));
    const std::size_t before = scene.cluster.asked();
    scene.pass(Duration(300'000));
    EXPECT_LE(scene.cluster.asked() - before, 30U);
    EXPECT_GE(scene.cluster.asked() - before, 10U);
}

TEST(ClusterWatch, a_first_answer_that_is_half_a_map_is_completed_soon) {
    WatchScene scene(2);
    scene.cluster.show({{0, 16'383, 0, {}, 1}});
    scene.open({scene.cluster.at(0)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    scene.cluster.show({{0, 16'383, 0, {1}, 1}});
    EXPECT_TRUE(scene.published_within(Duration(1'500), [](const Topology& topology) {
        return topology.shards()[0].replicas.size() == 1;
    }));
}

// Lettuce: connections and memory grow with the refreshes.
TEST(ClusterWatch, fault_44_ten_thousand_refreshes_use_the_connections_of_the_first) {
#ifdef HOLDFAST_SANITIZED
    constexpr std::size_t refreshes = 1'000;
#else
    constexpr std::size_t refreshes = 10'000;
#endif
    WatchScene scene(3);
    scene.cluster.show(three_primaries);
    scene.open({scene.cluster.at(0)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    while (scene.cluster.asked() < refreshes) {
        scene.suspect();
        scene.pass(Duration(1'000));
        ASSERT_LE(scene.cluster.connections(), 3);
    }
    EXPECT_LE(scene.cluster.open_connections(), 3);
    EXPECT_LE(scene.watch->connections(), 3U);
}

TEST(ClusterWatch, a_large_cluster_costs_few_connections) {
    constexpr int count = 40;
    WatchScene scene(count);
    FakeView view;
    for (int i = 0; i < count; ++i) {
        const auto first = static_cast<std::uint16_t>(i * 400);
        view.push_back(
            {first,
             static_cast<std::uint16_t>(i + 1 == count ? 16'383 : first + 399),
             i,
             {},
             static_cast<std::uint64_t>(i + 1)}
        );
    }
    scene.cluster.show(view);
    scene.open({scene.cluster.at(0)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    for (int i = 0; i < 200; ++i) {
        scene.suspect();
        scene.pass(Duration(1'000));
        ASSERT_LE(scene.watch->connections(), asked_kept_max);
        ASSERT_LE(scene.cluster.open_connections(), static_cast<int>(asked_kept_max) + 1);
    }
}

TEST(ClusterWatch, the_connection_to_a_node_that_left_is_closed) {
    WatchScene scene(3);
    scene.cluster.show(three_primaries);
    scene.open({scene.cluster.at(0)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    for (int i = 0; i < 30; ++i) {
        scene.suspect();
        scene.pass(Duration(1'000));
    }
    ASSERT_EQ(scene.cluster.server(1).open_connections, 1);
    scene.cluster.show({{0, 10'000, 0, {}, 9}, {10'001, 16'383, 2, {}, 9}});
    scene.suspect();
    scene.pass(calm_time);
    EXPECT_EQ(scene.cluster.server(1).open_connections, 0);
    EXPECT_EQ(scene.cluster.server(0).open_connections, 1);
}

TEST(ClusterWatch, what_a_node_said_of_a_slot_is_published_at_once_and_asked_about_soon) {
    WatchScene scene(3);
    scene.cluster.show(three_primaries);
    scene.open({scene.cluster.at(0)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    scene.pass(calm_time);
    const std::size_t asked = scene.cluster.asked();
    scene.on_loop([&] { scene.watch->moved(7, scene.cluster.at(2)); });
    scene.pass(Duration(1));
    ASSERT_EQ(scene.published.size(), 2U);
    EXPECT_EQ(scene.primary_of(7), scene.cluster.at(2));
    EXPECT_EQ(scene.primary_of(8), scene.cluster.at(0));
    scene.pass(Duration(1'500));
    EXPECT_GT(scene.cluster.asked(), asked);
}

// valkey-glide: what was learnt is undone by a seed that has an old map.
TEST(ClusterWatch, a_node_that_was_left_behind_does_not_undo_the_map) {
    WatchScene scene(3);
    scene.cluster.show(three_primaries);
    scene.open({scene.cluster.at(0), scene.cluster.at(1), scene.cluster.at(2)});
    ASSERT_TRUE(scene.published_within(Duration(200)));
    const FakeView newer = {{0, 10'000, 1, {0}, 9}, {10'001, 16'383, 2, {}, 3}};
    scene.cluster.view(1) = scene.cluster.view(2) = newer;  // 0 still thinks it is one
    for (int i = 0; i < 60; ++i) {
        scene.suspect();
        scene.pass(Duration(1'000));
    }
    EXPECT_GT(FakeCluster::asked_at(scene.cluster.server(0)), 2U);
    EXPECT_EQ(scene.published.size(), 2U);
    EXPECT_EQ(scene.primary_of(0), scene.cluster.at(1));
}

TEST(ClusterWatch, an_answer_that_comes_late_is_learnt_all_the_same) {
    WatchScene scene(2);
    scene.cluster.show({{0, 16'383, 0, {1}, 1}});
    scene.cluster.view(1) = {{0, 16'383, 1, {0}, 2}};
    scene.cluster.server(1).script = [&](const ServerWords& words) {
        ServerAnswer answer = scene.cluster.answer(1, words);
        answer.after = words[0] == "CLUSTER" ? ask_patience : Duration(0);
        return answer;
    };
    scene.open({scene.cluster.at(0), scene.cluster.at(1)});
    EXPECT_TRUE(scene.published_within(Duration(3'000), [&](const auto&) {
        return scene.primary_of(0) == scene.cluster.at(1);
    }));
    scene.pass(calm_time);
    EXPECT_EQ(scene.primary_of(0), scene.cluster.at(1));
}

TEST(ClusterWatch, a_server_that_is_no_cluster_is_told_at_once) {
    WatchScene scene(1);
    scene.cluster.server(0).script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "CLUSTER") {
            return {"-ERR This instance has cluster support disabled\r\n"};
        }
        return scene.cluster.server(0).usual(words);
    };
    scene.open({scene.cluster.at(0)});
    scene.pass(Duration(200));
    EXPECT_EQ(scene.failures, std::vector<Code>{Code::unsupported});
    ASSERT_TRUE(scene.watch->last_failure().has_value());
    EXPECT_EQ(scene.watch->last_failure()->code(), Code::unsupported);
    EXPECT_EQ(scene.watch->last_failure()->context()->node, scene.cluster.at(0).text());
    EXPECT_TRUE(scene.published.empty());
}

TEST(ClusterWatch, a_wrong_password_is_told_at_once_also_beside_a_seed_that_is_down) {
    WatchScene scene(2);
    scene.cluster.server(0).script = [&](const ServerWords&) {
        return ServerAnswer{"-WRONGPASS invalid username-password pair\r\n"};
    };
    scene.cluster.server(1).down();
    RedisOptions options;
    options.credentials("app", Secret("wrong"));
    scene.open({scene.cluster.at(0), scene.cluster.at(1)}, options);
    scene.pass(Duration(200));
    EXPECT_EQ(scene.failures, std::vector<Code>{Code::denied});
}

TEST(ClusterWatch, seeds_that_are_down_are_asked_again_until_one_is_up) {
    WatchScene scene(2);
    scene.cluster.show({{0, 16'383, 0, {1}, 1}});
    scene.cluster.server(0).down();
    scene.cluster.server(1).down();
    scene.open({scene.cluster.at(0), scene.cluster.at(1)});
    scene.pass(calm_time);
    // Told each time, for those that wait.
    EXPECT_GT(scene.failures.size(), 1U);
    EXPECT_EQ(std::ranges::count(scene.failures, Code::unreachable), std::ssize(scene.failures));
    ASSERT_TRUE(scene.watch->last_failure().has_value());
    EXPECT_EQ(scene.watch->last_failure()->code(), Code::unreachable);
    scene.cluster.server(1).up();
    EXPECT_TRUE(scene.published_within(2 * backoff_max));
    EXPECT_FALSE(scene.watch->last_failure().has_value());
}

TEST(ClusterWatch, nothing_is_published_after_the_stop_and_no_connection_stays) {
    for (int ms = 0; ms < 60; ++ms) {
        WatchScene scene(3, static_cast<std::uint64_t>(ms) + 1);
        scene.cluster.show(three_primaries);
        scene.open({scene.cluster.at(0), scene.cluster.at(1)});
        scene.pass(Duration(ms));
        scene.stop();
        const std::size_t published = scene.published.size();
        const std::uint64_t steps_before = scene.runtime->steps();
        scene.pass(calm_time);
        EXPECT_EQ(scene.published.size(), published);
        EXPECT_EQ(scene.cluster.open_connections(), 0);
        EXPECT_LT(scene.runtime->steps() - steps_before, 200U);
    }
}

TEST(ClusterWatch, a_loop_that_closes_ends_what_is_asked) {
    WatchScene scene(3);
    scene.cluster.show(three_primaries);
    scene.cluster.server(0).mute = true;
    scene.open({scene.cluster.at(0)});
    scene.pass(Duration(50));
    EXPECT_EQ(scene.runtime->close(Deadline::at(scene.runtime->now() + Duration(100))), 0U);
}

}  // namespace
}  // namespace holdfast::redis
