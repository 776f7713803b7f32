// Clusters that answer nonsense for ever: what that costs us and them, and what callers hear. What
// it says holds for the scripts, not for servers.
#include "tests/faults_scene.h"

#include <faults/scripted_cluster.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <set>

namespace holdfast::redis {
namespace {

using holdfast::testing::Answer;
using holdfast::testing::Refusal;
using holdfast::testing::ScriptedCluster;

constexpr std::size_t nodes_count = 100;
constexpr int callers_count = 32;
constexpr std::size_t loops = 2;

long resident_kb() {
    std::ifstream file("/proc/self/statm");
    long size = 0;
    long resident = 0;
    file >> size >> resident;
    return resident * (sysconf(_SC_PAGESIZE) / 1'024);
}

// Callers of all slots, for some seconds, and what they heard.
class Crowd {
public:
    explicit Crowd(const ScriptedCluster& cluster)
        : runtime_(std::move(open_runtime(RuntimeOptions().loops(loops))).value()) {
        RedisOptions options;
        std::vector<Endpoint> seeds;
        for (std::size_t i = 0; i < 3; ++i) {
            seeds.emplace_back("127.0.0.1", cluster.port(i));
        }
        options.cluster(std::move(seeds));
        client_ = std::move(open_redis(*runtime_, std::move(options))).value();
    }

    void run(Duration length, Duration call_time) {
        std::atomic<bool> ending = false;
        std::atomic<int> running = callers_count;
        for (int i = 0; i < callers_count; ++i) {
            spawn(
                runtime_->loop(static_cast<std::size_t>(i) % loops),
                calls(i, call_time, &ending),
                [&running](Result<Done>) { --running; }
            );
        }
        const Deadline end = Deadline::in(length, system_clock());
        long most = resident_kb();
        const long before = most;
        (void)eventually(
            [&] {
                most = std::max(most, resident_kb());
                return end.passed(system_clock().steady_now());
            },
            length * 2
        );
        ending = true;
        EXPECT_TRUE(eventually([&] { return running == 0; })) << running << " callers hang";
        std::printf(
            "hundred nodes: %d calls, %d answered, %d none, %d unknown; resident %ld KB before, "
            "most %ld KB\n",
            outcomes.all(),
            outcomes.good(),
            outcomes.none(),
            outcomes.unknown(),
            before,
            most
        );
    }
    Result<std::int64_t> one(std::string_view key, Duration time = patience) {
        return client_->wait(incr(key), Deadline::in(time, system_clock()));
    }

    Outcomes outcomes;

private:
    Task<> calls(int number, Duration call_time, const std::atomic<bool>* ending) {
        Loop& loop = (co_await this_scope()).loop();
        for (int i = 0; !*ending; ++i) {
            const std::string key = std::to_string(number) + ":" + std::to_string(i);
            outcomes.add(co_await client_->run(incr(key), Deadline::in(call_time, loop.now())));
            (void)co_await sleep(loop.now() + Duration(1));
        }
        co_return Done();
    }

    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<Client> client_;
};

// Of the client at one node: a loop's own, one that is about to go, and that of the map.
constexpr std::size_t connections_most = 2 * loops + 1;

void expect_bounded(const ScriptedCluster& cluster) {
    std::size_t ever = 0;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        EXPECT_LE(cluster.open_connections_most(i), connections_most) << "node " << i;
        ever += cluster.connections(i);
    }
    // A refresh asks each node it turns to for SLOTS and NODES; one node answers, usually.
    const std::size_t most = cluster.questions_in_any(std::chrono::seconds(1));
    std::printf(
        "hundred nodes: %zu questions for the map, most in a second %zu; %zu connections ever\n",
        cluster.questions(),
        most,
        ever
    );
    EXPECT_LE(most, 8U);
    EXPECT_LE(ever, cluster.size() * (loops + 1) * 2);
}

TEST(HundredNodes, moved_for_ever_costs_a_bounded_number_of_questions_and_connections) {
    ScriptedCluster cluster(nodes_count);
    for (std::size_t i = 0; i < nodes_count; ++i) {
        cluster.refuse(i, Refusal::moved((i + 1) % nodes_count));
    }
    Crowd crowd(cluster);
    crowd.run(Duration(5'000), Duration(5'000));
    EXPECT_EQ(crowd.outcomes.good(), 0);
    EXPECT_EQ(crowd.outcomes.unknown(), 0);
    EXPECT_GT(crowd.outcomes.of(Code::moved), 0);
    const auto outcome = crowd.one("k");
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::moved);
    ASSERT_NE(outcome.error().context(), nullptr);
    EXPECT_TRUE(outcome.error().context()->server_text.starts_with("MOVED "))
        << outcome.error().context()->server_text;
    expect_bounded(cluster);

    for (std::size_t i = 0; i < nodes_count; ++i) {
        cluster.heal(i);
    }
    EXPECT_TRUE(eventually([&] { return crowd.one("k", Duration(1'000)).ok(); }));
}

TEST(HundredNodes, fault_38_malformed_maps_end_calls_with_an_error_and_are_asked_about_slowly) {
    for (const char* nonsense :
         {"*1\r\n*3\r\n:5\r\n:1\r\n*2\r\n$1\r\nx\r\n:1\r\n",
          "*1\r\n*0\r\n",
          "$2\r\nhi\r\n",
          "*1\r\n*3\r\n:0\r\n:99999999\r\n*2\r\n_\r\n:0\r\n",
          ":7\r\n",
          "*0\r\n"}) {
        ScriptedCluster cluster(10);
        cluster.on({"CLUSTER", "SLOTS"}, Answer(nonsense));
        Crowd crowd(cluster);
        crowd.run(Duration(1'500), Duration(300));
        EXPECT_EQ(crowd.outcomes.good(), 0) << nonsense;
        EXPECT_EQ(crowd.outcomes.unknown(), 0) << nonsense;
        const auto outcome = crowd.one("k", Duration(500));
        ASSERT_FALSE(outcome.ok()) << nonsense;
        EXPECT_EQ(outcome.error().effect(), Effect::none) << nonsense;
        std::printf("hundred nodes: malformed: %s\n", std::string(outcome.error().what()).c_str());
        for (std::size_t i = 0; i < cluster.size(); ++i) {
            EXPECT_EQ(cluster.heard(i, {"INCR"}), 0U) << nonsense;
            EXPECT_LE(cluster.open_connections_most(i), connections_most) << nonsense;
        }
    }
}

TEST(HundredNodes, fault_28_half_of_the_nodes_are_mute_and_the_others_serve) {
    ScriptedCluster cluster(nodes_count);
    for (std::size_t i = 0; i < nodes_count; i += 2) {
        cluster.mute(i);
    }
    Crowd crowd(cluster);
    crowd.run(Duration(5'000), Duration(400));
    EXPECT_GT(crowd.outcomes.good(), 0);
    EXPECT_GT(crowd.outcomes.none() + crowd.outcomes.unknown(), 0);
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        EXPECT_LE(cluster.open_connections_most(i), connections_most) << "node " << i;
    }
    std::printf(
        "hundred nodes: half mute: most questions in a second %zu\n",
        cluster.questions_in_any(std::chrono::seconds(1))
    );
    for (std::size_t i = 0; i < nodes_count; i += 2) {
        cluster.heal(i);
    }
    EXPECT_TRUE(eventually([&] {
        for (int i = 0; i < 50; ++i) {
            if (!crowd.one(std::to_string(i), Duration(1'000)).ok()) {
                return false;
            }
        }
        return true;
    }));
}

TEST(HundredNodes, fault_27_mute_everywhere_is_a_bounded_wait_with_an_error) {
    ScriptedCluster cluster(nodes_count);
    for (std::size_t i = 0; i < nodes_count; ++i) {
        cluster.mute(i);
    }
    Crowd crowd(cluster);
    crowd.run(Duration(4'000), Duration(400));
    EXPECT_EQ(crowd.outcomes.good(), 0);
    EXPECT_EQ(crowd.outcomes.unknown(), 0) << "nothing can have run";
    std::size_t ever = 0;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        ever += cluster.connections(i);
        EXPECT_LE(cluster.open_connections_most(i), connections_most);
    }
    std::printf("hundred nodes: all mute: %zu connections ever\n", ever);
    EXPECT_LE(ever, 30U);
}

}  // namespace
}  // namespace holdfast::redis
