// Promises of durable writes to deployments of several nodes, in virtual time.
#include "cluster_bench.h"
#include "fault_from_environment.h"
#include "sentinel_bench.h"

#include <holdfast/redis/copies_by_shard.h>

namespace holdfast::redis {
namespace {

std::string role_with(int replicas) {
    std::string out =
        "*3\r\n" + bulk_reply("master") + ":100\r\n*" + std::to_string(replicas) + "\r\n";
    for (int i = 0; i < replicas; ++i) {
        out += "*3\r\n" + bulk_reply("127.0.0.1") + bulk_reply("1") + bulk_reply("100");
    }
    return out;
}

// Nodes have so many replicas each, which confirm everything.
class DurableCluster : public ClusterBench {
public:
    explicit DurableCluster(int primaries, bool replicas = true)
        : ClusterBench(primaries, replicas), connected(cluster.servers.size(), replicas ? 1 : 0) {
        first = [this](int node, const ServerWords& words) -> ServerAnswer {
            if (before) {
                if (ServerAnswer answer = before(node, words);
                    !answer.bytes.empty() || answer.closes) {
                    return answer;
                }
            }
            const int copies = connected[static_cast<std::size_t>(node)];
            if (words[0] == "ROLE") {
                return {role_with(copies)};
            }
            if (words[0] == "WAIT") {
                return {":" + std::to_string(std::min(copies, std::stoi(words[1]))) + "\r\n"};
            }
            if (words[0] == "CONFIG") {
                return {
                    "%2\r\n" + bulk_reply("appendonly") + bulk_reply("yes") +
                    bulk_reply("appendfsync") + bulk_reply(fsync)
                };
            }
            return {};
        };
    }
    Task<Durable<std::int64_t>> writing(std::string key, Copies copies, int ms) {
        return write(client.get(), std::move(key), copies, in(ms));
    }
    // Watches the shards until the bench goes.
    void watch(CopiesByShard& shards) {
        spawn(runtime->loop(0), watch_copies(*client, shards), [](Result<Done>) {}, &watching_);
    }
    ~DurableCluster() {
        watching_.request();
        pass(100);
    }

    std::vector<int> connected;
    std::string fsync = "everysec";
    std::function<ServerAnswer(int node, const ServerWords& words)> before;

private:
    static Task<Durable<std::int64_t>>
    write(Client* client, std::string key, Copies copies, Deadline deadline) {
        co_return co_await client->run_durable(incr_of(key), copies, deadline);
    }
    Stop watching_;
};

Copies none() {
    return {0, Duration(500)};
}

TEST(DurableTopology, a_write_that_comes_before_a_node_is_known_waits) {
    DurableCluster bench(2);
    bench.open();
    const auto done = bench.wait(bench.writing(bench.key_of(1), none(), 5'000));
    ASSERT_TRUE(done.ok()) << done.error().what();
    EXPECT_EQ(bench.heard(1, "INCR"), 1U);
}

TEST(
    DurableTopology, a_write_that_nobody_could_be_found_for_ends_unreachable_and_nothing_was_sent
) {
    DurableCluster bench(2);
    for (const auto& server : bench.cluster.servers) {
        server->down();
    }
    bench.open();
    const auto late = bench.wait(bench.writing("k", none(), 500));
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::unreachable);
    EXPECT_EQ(late.error().effect(), Effect::none);
    for (const auto& server : bench.cluster.servers) {
        server->up();
    }
}

TEST(DurableTopology, moved_is_followed) {
    DurableCluster bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(get_of(key)).ok());
    FakeView view = bench.cluster.view(0);
    view[0].primary = 1;
    view[0].epoch = 9;
    bench.cluster.show(view);
    const auto done = bench.wait(bench.writing(key, none(), 5'000));
    ASSERT_TRUE(done.ok()) << done.error().what();
    EXPECT_EQ(bench.heard(1, "INCR"), 1U);
    EXPECT_EQ(bench.cluster.server(1).values[key], "1");
}

TEST(DurableTopology, a_write_that_is_moved_for_ever_ends_after_a_few_times) {
    DurableCluster bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    bench.before = [&](int node, const ServerWords& words) {
        return words[0] == "INCR" ? ServerAnswer{"-MOVED " + std::to_string(key_slot(key)) + " " +
                                                 bench.cluster.at(1 - node).text() + "\r\n"}
                                  : ServerAnswer{};
    };
    const auto outcome = bench.wait(bench.writing(key, none(), 5'000));
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::moved);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    EXPECT_EQ(bench.heard(0, "INCR") + bench.heard(1, "INCR"), 1U + redirects_max);
}

TEST(DurableTopology, a_node_that_says_moved_to_itself_is_dialled_again_once) {
    DurableCluster bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.wait(bench.writing(key, none(), 5'000)).ok());
    ScriptedServer& server = bench.cluster.server(0);
    const int connections = server.connections;
    int refusals = 5;  // by the old connection alone
    bench.before = [&](int node, const ServerWords& words) {
        return words[0] == "INCR" && node == 0 && refusals-- > 0
                   ? ServerAnswer{"-MOVED " + std::to_string(key_slot(key)) + " " +
                                  bench.cluster.at(0).text() + "\r\n"}
                   : ServerAnswer{};
    };
    std::vector<Task<Durable<std::int64_t>>> calls;
    for (int i = 0; i < 5; ++i) {
        calls.push_back(bench.writing(key, none(), 5'000));
    }
    const auto all = bench.wait(when_all(std::move(calls)));
    for (const auto& one : all.value()) {
        EXPECT_TRUE(one.ok()) << one.error().what();
    }
    EXPECT_EQ(server.values[key], "6");
    EXPECT_GT(server.connections, connections);
    EXPECT_LE(server.connections, connections + 4);
}

TEST(DurableTopology, asking_goes_before_the_one_write_that_was_asked_for) {
    DurableCluster bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    bool asking = false;
    std::vector<std::string> heard;
    bench.before = [&](int node, const ServerWords& words) -> ServerAnswer {
        if (node == 0 && words[0] == "INCR" && words[1] == key) {
            return {
                "-ASK " + std::to_string(key_slot(key)) + " " + bench.cluster.at(1).text() + "\r\n"
            };
        }
        if (node == 1) {
            const bool was = std::exchange(asking, words[0] == "ASKING");
            if (words[0] == "INCR") {
                heard.push_back(words[1] + (was ? " asked" : ""));
                return {was == (words[1] == key) ? ":1\r\n" : "-ERR not this one\r\n"};
            }
        }
        return {};
    };
    std::vector<Task<Durable<std::int64_t>>> calls;
    const std::string other = bench.key_of(1);
    for (int i = 0; i < 10; ++i) {
        calls.push_back(bench.writing(key, none(), 5'000));
        calls.push_back(bench.writing(other, none(), 5'000));
    }
    const auto all = bench.wait(when_all(std::move(calls)));
    for (const auto& one : all.value()) {
        EXPECT_TRUE(one.ok()) << one.error().what();
    }
    EXPECT_EQ(std::ranges::count(heard, key + " asked"), 10);
    EXPECT_EQ(std::ranges::count(heard, other), 10);
}

TEST(DurableTopology, what_a_node_cannot_take_now_is_sent_again_until_the_deadline) {
    for (const char* word : {"TRYAGAIN keys", "CLUSTERDOWN down", "LOADING data", "READONLY x"}) {
        DurableCluster bench(2);
        bench.open();
        int refusals = 3;
        bench.before = [&](int, const ServerWords& words) {
            return words[0] == "INCR" && refusals-- > 0
                       ? ServerAnswer{"-" + std::string(word) + "\r\n"}
                       : ServerAnswer{};
        };
        const std::string key = bench.key_of(0);
        EXPECT_TRUE(bench.wait(bench.writing(key, none(), 5'000)).ok()) << word;
        refusals = 1'000'000;
        const auto late = bench.wait(bench.writing(key, none(), 300));
        ASSERT_FALSE(late.ok());
        EXPECT_EQ(late.error().code(), Code::unreachable) << word;
        EXPECT_EQ(late.error().effect(), Effect::none) << word;
    }
}

TEST(DurableTopology, a_write_that_waits_for_a_node_that_is_replaced_goes_on_to_its_successor) {
    DurableCluster bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    bench.cluster.server(0).down();
    FakeView view = bench.cluster.view(1);
    view[0].primary = 2;
    view[0].replicas.clear();
    view[0].epoch = 5;
    bench.cluster.show(view);
    const auto done = bench.wait(bench.writing(key, none(), 5'000));
    ASSERT_TRUE(done.ok()) << done.error().what();
    EXPECT_EQ(bench.heard(2, "INCR"), 1U);
    EXPECT_EQ(bench.heard(0, "INCR"), 0U);
}

TEST(DurableTopology, a_write_that_may_have_been_done_is_never_sent_to_another_node) {
    DurableCluster bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    // It is written, and the node is replaced before it answers.
    bench.before = [&](int node, const ServerWords& words) {
        ServerAnswer answer;
        if (node == 0 && words[0] == "INCR") {
            answer = {":2\r\n", true};
            answer.after = Duration(3'000);
            FakeView view = bench.cluster.view(1);
            view[0].primary = 2;
            view[0].replicas.clear();
            view[0].epoch = 5;
            bench.cluster.show(view);
        }
        return answer;
    };
    auto hint = [](DurableCluster* of, std::string other) -> Task<Done> {
        (void)co_await sleep(of->runtime->now() + Duration(100));
        // Another call finds out.
        co_return co_await of->client->run(set_of(other, "1"), of->in(2'000));
    };
    auto both =
        bench.wait(when_all(bench.writing(key, none(), 8'000), hint(&bench, "{" + key + "}x")));
    const auto& outcome = std::get<0>(both.value());
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().effect(), Effect::unknown);
    bench.pass(5'000);
    EXPECT_EQ(bench.heard(0, "INCR"), 1U);
    EXPECT_EQ(bench.heard(2, "INCR"), 0U);
}

TEST(DurableTopology, each_shard_waits_for_its_own_replicas) {
    DurableCluster bench(2);
    bench.connected = {1, 0, 0, 0};
    bench.open();
    CopiesByShard shards(WaitRule::automatic());
    bench.watch(shards);
    bench.pass(2'000);
    const Copies copies(shards, Duration(500));
    const auto kept = bench.wait(bench.writing(bench.key_of(0), copies, 2'000));
    ASSERT_TRUE(kept.ok()) << kept.error().what();
    EXPECT_EQ(kept.value().acknowledged, 1);
    // The other one's replica is known to the cluster, and not connected.
    const auto refused = bench.wait(bench.writing(bench.key_of(1), copies, 2'000));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::unreachable);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_EQ(bench.heard(1, "INCR"), 0U);
}

TEST(DurableTopology, a_primary_without_a_replica_takes_writes_only_if_it_flushes_each) {
    for (const bool always : {false, true}) {
        DurableCluster bench(2, false);
        bench.fsync = always ? "always" : "everysec";
        bench.open();
        CopiesByShard shards(WaitRule::automatic());
        bench.watch(shards);
        const Copies copies(shards, Duration(500));
        const auto outcome = bench.wait(bench.writing(bench.key_of(0), copies, 2'000));
        EXPECT_EQ(outcome.ok(), always);
        if (!outcome.ok()) {
            EXPECT_EQ(outcome.error().code(), Code::unsupported);
            EXPECT_EQ(outcome.error().effect(), Effect::none);
        }
        EXPECT_EQ(bench.heard(0, "INCR"), always ? 1U : 0U);
    }
}

TEST(DurableTopology, a_failover_lowers_nothing) {
    DurableCluster bench(2);
    bench.connected = {1, 1, 0, 0};
    bench.open();
    CopiesByShard shards(WaitRule::automatic());
    bench.watch(shards);
    const Copies copies(shards, Duration(500));
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.wait(bench.writing(key, copies, 2'000)).ok());
    bench.cluster.server(0).down();
    FakeView view = bench.cluster.view(1);
    view[0].primary = 2;
    view[0].replicas.clear();
    view[0].epoch = 5;
    bench.cluster.show(view);
    const auto alone = bench.wait(bench.writing(key, copies, 5'000));
    ASSERT_FALSE(alone.ok());
    EXPECT_EQ(alone.error().code(), Code::unreachable);
    bench.cluster.server(0).up();
    bench.connected[2] = 1;  // it has come back as a replica
    bench.pass(3'000);
    EXPECT_TRUE(bench.wait(bench.writing(key, copies, 5'000)).ok());
}

TEST(DurableTopology, with_sentinels_a_write_goes_on_to_the_new_primary_and_needs_as_many_copies) {
    SentinelBench bench;
    Client& client = bench.open();
    CopiesByShard shards(WaitRule::automatic());
    const auto write = [&](int ms) {
        struct Writes {
            static Task<Durable<std::int64_t>> one(Client* of, Copies copies, Deadline deadline) {
                co_return co_await of->run_durable(incr_of("n"), copies, deadline);
            }
        };
        const Copies copies(shards, Duration(300));
        return holdfast::wait(*bench.runtime, Writes::one(&client, copies, bench.in(ms)));
    };
    const auto kept = write(5'000);
    ASSERT_TRUE(kept.ok()) << kept.error().what();
    EXPECT_EQ(kept.value().acknowledged, 1);
    bench.pass(1'000);
    // The old primary has heard of it first: it says READONLY until the sentinels tell of another.
    bench.primary = 1;
    bench.replicas = 0;
    auto later = [](SentinelBench* of) -> Task<> {
        (void)co_await sleep(of->runtime->now() + Duration(300));
        of->promote(1, 2);
        co_return Done();
    };
    spawn(bench.runtime->loop(0), later(&bench), [](Result<Done>) {});
    const auto alone = write(5'000);
    ASSERT_FALSE(alone.ok());
    EXPECT_GE(bench.servers[0]->count("INCR"), 2U);
    EXPECT_EQ(bench.servers[1]->count("INCR"), 1U);
    EXPECT_EQ(alone.error().effect(), Effect::unknown) << "it was done, and too few have it";
    bench.replicas = 1;
    bench.pass(4'000);
    EXPECT_TRUE(write(5'000).ok());
}

}  // namespace
}  // namespace holdfast::redis
