// Calls to each node of a cluster and walks over all its keys, in virtual time.
#include "cluster_bench.h"
#include "fake_sentinels.h"

#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/commands/server.h>
#include <holdfast/redis/nodes.h>
#include <holdfast/redis/scan.h>

#include <set>

namespace holdfast::redis {
namespace {

using Sizes = std::vector<NodeOutcome<std::int64_t>>;

TEST(Nodes, a_command_for_each_runs_once_on_each_primary_and_says_where) {
    ClusterBench bench(3, true);
    bench.first = [&](int node, const ServerWords& words) {
        return words[0] == "DBSIZE" ? ServerAnswer{":" + std::to_string(10 + node) + "\r\n"}
                                    : ServerAnswer{};
    };
    Client& client = bench.open();
    const auto sizes = bench.wait(run_on_each(&client, dbsize(), bench.in(5'000)));
    ASSERT_TRUE(sizes.ok()) << sizes.error().what();
    ASSERT_EQ(sizes.value().size(), 3U);
    for (const auto& one : sizes.value()) {
        ASSERT_TRUE(one.outcome.ok());
        EXPECT_EQ(one.node, bench.cluster.at(static_cast<int>(one.outcome.value()) - 10));
    }
    for (int node = 0; node < 6; ++node) {
        EXPECT_EQ(bench.heard(node, "DBSIZE"), node < 3 ? 1U : 0U);
    }
}

TEST(Nodes, what_goes_wrong_on_one_is_its_outcome_alone) {
    ClusterBench bench(3);
    bench.first = [&](int node, const ServerWords& words) {
        return node == 1 && words[0] == "DBSIZE" ? ServerAnswer{"-NOPERM no\r\n"}
               : words[0] == "DBSIZE"            ? ServerAnswer{":1\r\n"}
                                                 : ServerAnswer{};
    };
    Client& client = bench.open();
    const auto sizes = bench.wait(run_on_each(&client, dbsize(), bench.in(5'000)));
    ASSERT_TRUE(sizes.ok());
    for (const auto& one : sizes.value()) {
        EXPECT_EQ(one.outcome.ok(), one.node != bench.cluster.at(1));
    }
}

TEST(Nodes, a_command_for_one_node_is_not_sent_to_another) {
    ClusterBench bench(2);
    Client& client = bench.open();
    const std::string key = bench.key_of(1);
    struct Asks {
        static Task<std::int64_t> wrong_one(ClusterBench* bench, Client* client, std::string key) {
            auto nodes = co_await primaries_of(client, bench->in(5'000));
            for (const OneNode& node : nodes.value()) {
                if (node.endpoint() == bench->cluster.at(0)) {
                    co_return co_await node.run(incr_of(key), bench->in(5'000));
                }
            }
            co_return -1;
        }
    };
    const auto outcome = bench.wait(Asks::wrong_one(&bench, &client, key));
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::moved);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    EXPECT_EQ(bench.heard(1, "INCR"), 0U);
}

TEST(Nodes, replicas_are_listed_behind_their_primaries) {
    ClusterBench bench(2, true);
    Client& client = bench.open();
    const auto nodes = bench.wait(nodes_of(&client, bench.in(5'000)));
    ASSERT_TRUE(nodes.ok());
    ASSERT_EQ(nodes.value().size(), 4U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(nodes.value()[i].is_replica(), i % 2 == 1);
        EXPECT_EQ(nodes.value()[i].slots(), 8'192U);
    }
}

TEST(Nodes, one_server_is_its_own_deployment) {
    Bench bench;
    bench.server.script = [&](const ServerWords& words) {
        return words[0] == "DBSIZE" ? ServerAnswer{":3\r\n"} : bench.server.usual(words);
    };
    Client& client = bench.open();
    const auto sizes = bench.wait(run_on_each(&client, dbsize(), bench.in(5'000)));
    ASSERT_EQ(sizes.value().size(), 1U);
    EXPECT_EQ(sizes.value()[0].outcome.value(), 3);
}

// Nodes with keys of their slots; a page has two, and a cursor is good for one process alone: it is
// the number of the key to go on with.
class WalkBench : public ClusterBench {
public:
    explicit WalkBench(int primaries, int keys) : ClusterBench(primaries) {
        processes.resize(static_cast<std::size_t>(primaries), 1);
        for (int i = 0; i < keys; ++i) {
            const std::string key = "key" + std::to_string(i);
            all.insert(key);
            cluster.server(owner(0, key)).values[key] = "v";
        }
        first = [this](int node, const ServerWords& words) {
            return answer(node, words);
        };
    }
    // All of a node's slots, or what is in them, or both at once.
    void move(int from, int to) {
        move_slots(from, to);
        move_keys(from, to);
    }
    void move_slots(int from, int to) {
        FakeView view = cluster.view(0);
        for (FakeShard& shard : view) {
            if (shard.primary == from) {
                shard.primary = to;
                shard.epoch = 9;
            }
        }
        cluster.show(view);
    }
    void move_keys(int from, int to) {
        auto& values = cluster.server(from).values;
        cluster.server(to).values.merge(values);
        values.clear();
    }
    std::size_t walk(const std::function<void(std::size_t page)>& between = {}) {
        Scan<std::string> scan = scan_keys();
        std::size_t pages = 0;
        for (; !scan.done() && pages < 1'000; ++pages) {
            auto page = wait(next_page(*client, scan, in(5'000)));
            if (!page.ok()) {
                ++errors;
                continue;
            }
            for (std::string& key : page.value()) {
                ++seen[key];
            }
            if (between) {
                between(pages);
            }
        }
        return pages;
    }
    bool saw_all() const {
        return std::ranges::all_of(all, [&](const auto& key) { return seen.contains(key); });
    }

    std::set<std::string> all;
    std::map<std::string, int> seen;
    std::vector<int> processes;  // of each node: how often it was started
    int errors = 0;
    int ended = -1;  // the node that gave its last page last

private:
    ServerAnswer answer(int node, const ServerWords& words) {
        const int process = processes[static_cast<std::size_t>(node)];
        if (words[0] == "INFO") {
            return {bulk_reply("run_id:" + std::to_string(node * 1'000 + process) + "\r\n")};
        }
        if (words[0] != "SCAN") {
            return {};
        }
        std::vector<std::size_t> numbers;
        for (const auto& [key, value] : cluster.server(node).values) {
            numbers.push_back(std::stoul(key.substr(3)));
        }
        std::ranges::sort(numbers);
        // A cursor of another process leads somewhere: here to the end.
        const std::size_t cursor = std::stoul(words[1]);
        const auto tag = static_cast<std::size_t>(node * 10 + process + 1) * 1'000;
        const bool own = cursor == 0 || cursor / 1'000 * 1'000 == tag;
        auto at = own ? std::ranges::lower_bound(numbers, cursor % 1'000) : numbers.end();
        std::vector<std::string> page;
        for (; at != numbers.end() && page.size() < 2; ++at) {
            page.push_back("key" + std::to_string(*at));
        }
        ended = at == numbers.end() ? node : ended;
        const std::size_t next = at == numbers.end() ? 0 : tag + *at;
        std::string out = "*2\r\n" + bulk_reply(std::to_string(next)) + "*" +
                          std::to_string(page.size()) + "\r\n";
        for (const std::string& key : page) {
            out += bulk_reply(key);
        }
        return {out};
    }
};

TEST(KeyWalk, sees_each_key_of_each_node_once_when_nothing_moves) {
    WalkBench bench(3, 60);
    bench.open();
    bench.walk();
    EXPECT_TRUE(bench.saw_all());
    for (const auto& [key, times] : bench.seen) {
        EXPECT_EQ(times, 1) << key;
    }
}

TEST(KeyWalk, a_walk_that_is_done_begins_again) {
    WalkBench bench(2, 10);
    bench.open();
    Scan<std::string> scan = scan_keys();
    for (int round = 1; round <= 2; ++round) {
        do {
            const auto page = bench.wait(next_page(*bench.client, scan, bench.in(1'000)));
            ASSERT_TRUE(page.ok()) << page.error().what();
            for (const std::string& key : page.value()) {
                ++bench.seen[key];
            }
        } while (!scan.done());
        for (const std::string& key : bench.all) {
            EXPECT_EQ(bench.seen[key], round) << key;
        }
    }
}

// Whatever page is the last before it.
TEST(KeyWalk, slots_that_move_to_a_node_that_was_walked_already_are_not_lost) {
    for (std::size_t when = 0; when < 20; ++when) {
        for (const int from : {0, 1}) {
            WalkBench bench(2, 30);
            bench.open();
            bench.walk([&](std::size_t page) {
                if (page == when) {
                    bench.move(from, 1 - from);
                }
            });
            EXPECT_TRUE(bench.saw_all()) << when << " from " << from;
        }
    }
}

// The keys have gone before the slot: who has it does not say where they are.
TEST(KeyWalk, keys_that_were_on_their_way_are_seen_where_they_have_arrived) {
    for (std::size_t when = 0; when < 20; ++when) {
        for (const int from : {0, 1}) {
            WalkBench bench(2, 30);
            bench.open();
            bool moving = false;
            bool moved = false;
            bench.walk([&](std::size_t page) {
                if (page == when) {
                    bench.ended = -1;
                    bench.move_keys(from, 1 - from);
                    moving = true;
                } else if (moving && !moved && bench.ended == from) {
                    bench.move_slots(from, 1 - from);
                    moved = true;
                }
            });
            EXPECT_TRUE(bench.saw_all()) << when << " from " << from;
        }
    }
}

TEST(KeyWalk, slots_that_have_come_back_when_it_ends_are_walked_again) {
    // The one that is walked first loses its slots in the middle, and has them again when it has
    // been walked.
    WalkBench bench(2, 30);
    bench.open();
    FakeView whole = bench.cluster.view(0);
    const auto mine = bench.cluster.server(1).values;
    bench.walk([&](std::size_t page) {
        if (page == 1) {
            bench.move(1, 0);
        } else if (bench.ended == 1) {
            bench.ended = -1;
            for (const auto& [key, value] : mine) {
                bench.cluster.server(0).values.erase(key);
                bench.cluster.server(1).values[key] = value;
            }
            for (FakeShard& shard : whole) {
                shard.epoch = 20;
            }
            bench.cluster.show(whole);
        }
    });
    EXPECT_TRUE(bench.saw_all());
}

TEST(KeyWalk, a_node_that_was_started_again_is_walked_again) {
    for (std::size_t when = 0; when < 12; ++when) {
        WalkBench bench(2, 30);
        bench.open();
        bench.walk([&](std::size_t page) {
            if (page == when) {
                ++bench.processes[0];
            }
        });
        EXPECT_TRUE(bench.saw_all()) << when;
    }
}

TEST(KeyWalk, a_page_that_failed_can_be_asked_for_again) {
    WalkBench bench(2, 30);
    const auto usual = bench.first;
    int fails = 0;
    bench.first = [&](int node, const ServerWords& words) {
        return words[0] == "SCAN" && ++fails % 3 == 0 ? ServerAnswer{"-NOPERM now\r\n"}
                                                      : usual(node, words);
    };
    bench.open();
    bench.walk();
    EXPECT_GT(bench.errors, 3);
    EXPECT_TRUE(bench.saw_all());
}

TEST(KeyWalk, goes_on_when_a_promoted_replica_takes_the_place_of_its_primary) {
    ClusterBench bench(2, true);
    std::set<std::string> seen;
    const auto page_of = [&](int node, const ServerWords& words) {
        if (words[0] == "INFO") {
            return ServerAnswer{bulk_reply("run_id:" + std::to_string(node) + "\r\n")};
        }
        const bool mine = node % 2 == 0;  // nodes 0 and 2 have the first half
        if (words[0] == "SCAN" && words[1] == "0") {
            return ServerAnswer{
                "*2\r\n" + bulk_reply(std::to_string(node + 1)) + "*1\r\n" +
                bulk_reply(mine ? "a" : "c")
            };
        }
        if (words[0] == "SCAN") {
            const bool own = words[1] == std::to_string(node + 1);
            return ServerAnswer{
                "*2\r\n" + bulk_reply("0") +
                (own ? "*1\r\n" + bulk_reply(mine ? "b" : "d") : "*0\r\n")
            };
        }
        return ServerAnswer{};
    };
    bench.first = page_of;
    Client& client = bench.open();
    Scan<std::string> scan = scan_keys();
    bool promoted = false;
    for (int i = 0; i < 100 && !scan.done(); ++i) {
        auto page = bench.wait(next_page(client, scan, bench.in(3'000)));
        if (page.ok()) {
            seen.insert(page.value().begin(), page.value().end());
        }
        if (!promoted && seen.contains("a")) {
            promoted = true;
            bench.cluster.server(0).down();
            FakeView view = bench.cluster.view(1);
            view[0].primary = 2;
            view[0].replicas.clear();
            view[0].epoch = 5;
            bench.cluster.show(view);
        }
    }
    EXPECT_TRUE(scan.done());
    EXPECT_EQ(seen, (std::set<std::string>{"a", "b", "c", "d"}));
    EXPECT_GE(bench.heard(2, "SCAN"), 2U);
}

}  // namespace
}  // namespace holdfast::redis
