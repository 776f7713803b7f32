// Scripts and transactions of a client of a cluster, in virtual time.
#include "cluster_bench.h"

#include <holdfast/redis/commands/transactions.h>
#include <holdfast/redis/script.h>
#include <holdfast/redis/transact.h>

namespace holdfast::redis {
namespace {

std::string moved(std::string_view key, const Endpoint& to) {
    return "-MOVED " + std::to_string(key_slot(key)) + " " + to.text() + "\r\n";
}

// Nodes that know what they were told, and no more.
class ScriptBench : public ClusterBench {
public:
    explicit ScriptBench(int primaries, bool replicas = false)
        : ClusterBench(primaries, replicas), knows(cluster.servers.size()) {
        first = [this](int node, const ServerWords& words) {
            return answer(node, words);
        };
    }
    Result<std::int64_t> call(const Script& script, const std::string& key) {
        return wait(run_script(*client, script.call(key).as(read_integer), in(5'000)));
    }
    std::vector<bool> knows;
    std::function<ServerAnswer(int node, const ServerWords& words)> before;

private:
    ServerAnswer answer(int node, const ServerWords& words) {
        if (before) {
            if (ServerAnswer said = before(node, words); !said.bytes.empty()) {
                return said;
            }
        }
        const auto at = static_cast<std::size_t>(node);
        if (words[0] == "SCRIPT") {
            knows[at] = true;
            return {bulk_reply("sha1")};
        }
        if (words[0].starts_with("EVAL")) {
            const bool by_name = words[0].starts_with("EVALSHA");
            if (by_name && !knows[at]) {
                return {"-NOSCRIPT No matching script.\r\n"};
            }
            knows[at] = true;
            EXPECT_EQ(words[2], "1");
            return {":" + std::to_string(node) + "\r\n"};
        }
        return {};
    }
};

TEST(ClusterScript, is_loaded_to_the_node_that_has_its_keys) {
    ScriptBench bench(3);
    bench.open();
    const Script script("return 1");
    for (int node = 0; node < 3; ++node) {
        EXPECT_EQ(bench.call(script, bench.key_of(node)).value(), node);
        EXPECT_EQ(bench.heard(node, "SCRIPT"), 1U);
    }
    EXPECT_EQ(bench.call(script, bench.key_of(1, 3)).value(), 1);
    EXPECT_EQ(bench.heard(1, "SCRIPT"), 1U);
}

TEST(ClusterScript, is_loaded_to_the_new_owner_after_moved) {
    ScriptBench bench(2);
    bench.open();
    const Script script("return 1");
    const std::string key = bench.key_of(0);
    ASSERT_EQ(bench.call(script, key).value(), 0);
    FakeView view = bench.cluster.view(0);
    for (FakeShard& shard : view) {
        shard.primary = 1;
        shard.epoch = 2;
    }
    bench.cluster.show(view);
    bench.before = [&](int node, const ServerWords& words) {
        return node == 0 && words[0] == "EVALSHA" ? ServerAnswer{moved(key, bench.cluster.at(1))}
                                                  : ServerAnswer{};
    };
    EXPECT_EQ(bench.call(script, key).value(), 1);
    EXPECT_EQ(bench.heard(1, "SCRIPT"), 1U);
    EXPECT_EQ(bench.heard(0, "SCRIPT"), 1U) << "once, when it had the key";
}

// ASK sends the call to a node that SCRIPT LOAD, which has no keys, does not reach.
TEST(ClusterScript, goes_with_its_text_where_a_migration_sends_its_call) {
    ScriptBench bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    bench.before = [&](int node, const ServerWords& words) {
        return node == 0 && words[0].starts_with("EVAL")
                   ? ServerAnswer{
                         "-ASK " + std::to_string(key_slot(key)) + " " +
                         bench.cluster.at(1).text() + "\r\n"
                     }
                   : ServerAnswer{};
    };
    const auto outcome = bench.call(Script("return 1"), key);
    ASSERT_TRUE(outcome.ok()) << outcome.error().what();
    EXPECT_EQ(outcome.value(), 1);
    EXPECT_EQ(bench.cluster.server(1).heard.back(), (ServerWords{"EVAL", "return 1", "1", key}));
}

TEST(ClusterScript, that_only_reads_runs_on_replicas_that_were_not_told_of_it) {
    ScriptBench bench(1, true);
    bench.open(RedisOptions().read_from(ReadFrom::prefer_replica));
    const Script script("return 1", Repeat::read);
    EXPECT_EQ(bench.call(script, "k").value(), 1);
    EXPECT_EQ(bench.heard(1, "EVAL_RO"), 1U);
    EXPECT_EQ(bench.call(script, "k").value(), 1);
    EXPECT_EQ(bench.heard(1, "EVAL_RO"), 1U) << "by its name from then on";
}

Task<TransactionEnd> add_one(Lease& lease, std::string key, Deadline deadline) {
    auto watched = co_await lease.run(watch(key), deadline);
    if (!watched.ok()) {
        co_return std::move(watched).error();
    }
    auto value = co_await lease.run(get_of(key), deadline);
    if (!value.ok()) {
        co_return std::move(value).error();
    }
    Transaction transaction;
    transaction.add(set_of(key, value.value().value_or("") + "x"));
    co_return co_await lease.run(transaction, deadline);
}

class TransactBench : public ClusterBench {
public:
    explicit TransactBench(int primaries, bool replicas = false)
        : ClusterBench(primaries, replicas) {
        first = [this](int node, const ServerWords& words) {
            return answer(node, words);
        };
        open();
    }
    Result<TransactionEnd> add(const std::string& key, int ms = 10'000) {
        const Deadline deadline = in(ms);
        return wait(transact(client.get(), key, 3, deadline, [key, deadline](Lease& lease) {
            return add_one(lease, key, deadline);
        }));
    }
    std::function<ServerAnswer(int node, const ServerWords& words)> before;

private:
    ServerAnswer answer(int node, const ServerWords& words) {
        if (before) {
            if (ServerAnswer said = before(node, words); !said.bytes.empty() || said.closes) {
                return said;
            }
        }
        if (words[0] == "WATCH" && owner(node, words[1]) != node) {
            return {moved(words[1], cluster.at(owner(node, words[1])))};
        }
        return words[0] == "EXEC" ? ServerAnswer{"*1\r\n+OK\r\n"} : ServerAnswer{};
    }
};

TEST(ClusterTransact, runs_on_the_node_that_has_the_key) {
    TransactBench bench(3);
    for (int node = 0; node < 3; ++node) {
        EXPECT_EQ(bench.add(bench.key_of(node)).value(), TransactionEnd::committed);
        EXPECT_EQ(bench.heard(node, "EXEC"), 1U);
    }
}

TEST(ClusterTransact, goes_where_the_key_has_gone) {
    TransactBench bench(2);
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.add(key).ok());
    bench.pass(5'000);  // nobody asks for the map now
    FakeView view = bench.cluster.view(0);
    for (FakeShard& shard : view) {
        shard.primary = 1;
        shard.epoch = 2;
    }
    bench.cluster.show(view);
    const auto end = bench.add(key, 1'000);
    ASSERT_TRUE(end.ok()) << end.error().what();
    EXPECT_EQ(bench.heard(0, "EXEC"), 1U);
    EXPECT_EQ(bench.heard(1, "EXEC"), 1U);
}

TEST(ClusterTransact, a_lease_that_is_lost_before_anything_was_done_is_followed_by_another) {
    TransactBench bench(2);
    int losses = 2;
    bench.before = [&](int, const ServerWords& words) {
        return ServerAnswer{"", words[0] == "GET" && losses-- > 0};
    };
    const auto end = bench.add(bench.key_of(0));
    ASSERT_TRUE(end.ok()) << end.error().what();
    EXPECT_EQ(bench.heard(0, "EXEC"), 1U);
    EXPECT_EQ(bench.heard(0, "WATCH"), 3U);
}

TEST(ClusterTransact, what_may_have_been_done_is_not_done_again) {
    TransactBench bench(2);
    bench.before = [&](int, const ServerWords& words) {
        return ServerAnswer{"", words[0] == "EXEC"};
    };
    const auto end = bench.add(bench.key_of(0));
    ASSERT_FALSE(end.ok());
    EXPECT_EQ(end.error().effect(), Effect::unknown);
    EXPECT_EQ(bench.heard(0, "EXEC"), 1U);
}

TEST(ClusterTransact, a_dead_primary_is_waited_for_until_its_replica_is_promoted) {
    TransactBench bench(2, true);
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.add(key).ok());
    bench.cluster.server(0).down();
    bench.pass(10);
    FakeView view = bench.cluster.view(1);
    view[0].primary = 2;
    view[0].replicas.clear();
    view[0].epoch = 5;
    bench.cluster.show(view);
    const auto end = bench.add(key);
    ASSERT_TRUE(end.ok()) << end.error().what();
    EXPECT_EQ(bench.heard(2, "EXEC"), 1U);
}

TEST(ClusterTransact, ends_by_its_deadline_where_no_node_has_the_key) {
    TransactBench bench(2);
    bench.before = [&](int, const ServerWords& words) {
        return words[0] == "WATCH" ? ServerAnswer{"-MOVED 1 127.0.0.1:1\r\n"} : ServerAnswer{};
    };
    const SteadyTime before = bench.runtime->now();
    const auto end = bench.add(bench.key_of(0), 2'000);
    ASSERT_FALSE(end.ok());
    EXPECT_EQ(end.error().effect(), Effect::none);
    EXPECT_LE((bench.runtime->now() - before).count(), 2'100);
    EXPECT_LE(bench.heard(0, "WATCH"), 20U);
}

}  // namespace
}  // namespace holdfast::redis
