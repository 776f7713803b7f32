// Promises of a client of a cluster, in virtual time.
#include "cluster_bench.h"
#include "fault_from_environment.h"

#include <holdfast/redis/commands.h>
#include <holdfast/redis/transaction.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

std::string moved(std::string_view key, const Endpoint& to) {
    return "-MOVED " + std::to_string(key_slot(key)) + " " + to.text() + "\r\n";
}

TEST(ClusterClient, a_call_goes_to_the_node_that_serves_its_slot) {
    ClusterBench bench(3);
    bench.open();
    for (int node = 0; node < 3; ++node) {
        const std::string key = bench.key_of(node);
        ASSERT_TRUE(bench.run(set_of(key, "v" + key)).ok());
        EXPECT_EQ(bench.cluster.server(node).values[key], "v" + key);
        EXPECT_EQ(bench.run(get_of(key)).value(), "v" + key);
        EXPECT_EQ(bench.heard(node, "SET"), 1U);
    }
}

TEST(ClusterClient, moved_is_followed_and_remembered_at_once) {
    ClusterBench bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    // The nodes now agree on another owner, with a newer epoch.
    FakeView view = bench.cluster.view(0);
    view[0].primary = 1;
    view[0].epoch = 2;
    view[1].primary = 1;
    view[1].epoch = 2;
    bench.cluster.show(view);
    ASSERT_TRUE(bench.run(set_of(key, "2")).ok());
    EXPECT_EQ(bench.cluster.server(1).values[key], "2");
    const std::size_t asked = bench.heard(0, "SET");
    ASSERT_TRUE(bench.run(set_of(key, "3")).ok());
    EXPECT_EQ(bench.heard(0, "SET"), asked) << "it is not asked again";
}

TEST(ClusterClient, a_node_that_answers_moved_for_ever_is_asked_a_few_times) {
    ClusterBench bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    bench.first = [&](int node, const ServerWords& words) {
        return words[0] == "INCR" ? ServerAnswer{moved(key, bench.cluster.at(1 - node))}
                                  : ServerAnswer{};
    };
    const auto outcome = bench.run(incr_of(key));
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::moved);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    EXPECT_EQ(bench.heard(0, "INCR") + bench.heard(1, "INCR"), 1U + redirects_max);
}

TEST(ClusterClient, fault_33_a_node_that_says_moved_to_itself_is_dialled_again) {
    ClusterBench bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    const int before = bench.cluster.server(0).connections;
    // What answers on this connection is another server than what the name leads to by now.
    bench.first = [&, before](int node, const ServerWords& words) {
        return words[0] == "GET" && node == 0 && bench.cluster.server(0).connections == before
                   ? ServerAnswer{moved(key, bench.cluster.at(0))}
                   : ServerAnswer{};
    };
    const auto got = bench.run(get_of(key));
    ASSERT_TRUE(got.ok()) << got.error().what();
    EXPECT_EQ(got.value(), "1");
    EXPECT_GT(bench.cluster.server(0).connections, before);
}

TEST(ClusterClient, fault_36_asking_and_its_command_go_in_one_piece) {
    ClusterBench bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    std::vector<std::string> heard;  // by node 1
    bool asking = false;
    bench.first = [&](int node, const ServerWords& words) {
        if (node == 0 && words[0] == "INCR" && words[1] == key) {
            return ServerAnswer{
                "-ASK " + std::to_string(key_slot(key)) + " " + bench.cluster.at(1).text() + "\r\n"
            };
        }
        if (node == 1) {
            const bool was = std::exchange(asking, words[0] == "ASKING");
            if (words[0] == "INCR" && words[1] == key) {
                heard.push_back(was ? "asked" : "not asked");
                return ServerAnswer{was ? ":1\r\n" : moved(key, bench.cluster.at(0))};
            }
        }
        return ServerAnswer{};
    };
    // Others write on the same connection at the same time.
    struct Run {
        static Task<> many(ClusterBench* bench, std::string key, std::string other) {
            std::vector<Task<std::int64_t>> tasks;
            for (int i = 0; i < 20; ++i) {
                tasks.push_back(bench->client->task(incr_of(key), bench->in(5'000)));
                tasks.push_back(bench->client->task(incr_of(other), bench->in(5'000)));
            }
            auto all = co_await when_all(std::move(tasks));
            for (auto& one : all.value()) {
                EXPECT_TRUE(one.ok()) << one.error().what();
            }
            co_return Done();
        }
    };
    ASSERT_TRUE(bench.wait(Run::many(&bench, key, bench.key_of(1))).ok());
    EXPECT_EQ(heard, std::vector<std::string>(20, "asked"));
}

TEST(ClusterClient, what_a_node_cannot_serve_now_is_asked_again_until_the_deadline) {
    for (const char* word : {"TRYAGAIN keys", "CLUSTERDOWN down", "LOADING data", "MASTERDOWN x"}) {
        ClusterBench bench(2);
        bench.open();
        int refusals = 3;
        bench.first = [&](int, const ServerWords& words) {
            return words[0] == "INCR" && refusals-- > 0
                       ? ServerAnswer{"-" + std::string(word) + "\r\n"}
                       : ServerAnswer{};
        };
        const auto outcome = bench.run(incr_of(bench.key_of(0)));
        EXPECT_TRUE(outcome.ok()) << word << outcome.error().what();

        refusals = 1'000'000;
        const auto late = bench.run(incr_of(bench.key_of(0)), 300);
        ASSERT_FALSE(late.ok());
        EXPECT_EQ(late.error().code(), Code::unreachable) << word;
        EXPECT_EQ(late.error().effect(), Effect::none) << word;
    }
}

TEST(ClusterClient, a_call_whose_keys_are_on_both_sides_goes_to_and_fro_until_they_are_not) {
    ClusterBench bench(2);
    bench.open();
    const std::string key = bench.key_of(0);
    int refusals = 12;
    bool asking = false;
    bench.first = [&](int node, const ServerWords& words) {
        const bool asked = std::exchange(asking, node == 1 && words[0] == "ASKING");
        if (words[0] != "DEL") {
            return ServerAnswer{};
        }
        if (node == 0) {
            return ServerAnswer{
                "-ASK " + std::to_string(key_slot(key)) + " " + bench.cluster.at(1).text() + "\r\n"
            };
        }
        EXPECT_TRUE(asked);
        return ServerAnswer{refusals-- > 0 ? "-TRYAGAIN both\r\n" : ":2\r\n"};
    };
    AnyCommand any("DEL");
    any.add_key("{" + key + "}a").add_key("{" + key + "}b");
    ASSERT_EQ(key_slot("{" + key + "}a"), key_slot(key));
    const auto outcome = bench.run(Command<std::int64_t>(std::move(any), read_integer), 30'000);
    ASSERT_TRUE(outcome.ok()) << outcome.error().what();
    EXPECT_EQ(outcome.value(), 2);
}

TEST(ClusterClient, a_call_that_is_sent_on_to_a_full_node_says_that_it_is_full) {
    ClusterBench bench(2);
    bench.open(RedisOptions().in_flight_max(2));
    const std::string here = bench.key_of(1);
    const std::string moves = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(here, "1")).ok());
    bench.first = [&](int node, const ServerWords& words) {
        return node == 0 && words[0] == "INCR" ? ServerAnswer{moved(moves, bench.cluster.at(1))}
                                               : ServerAnswer{};
    };
    bench.cluster.server(1).mute = true;
    auto one = bench.client->start(incr_of(here), bench.in(3'000));
    auto two = bench.client->start(incr_of(here), bench.in(3'000));
    bench.pass(10);
    const auto outcome = bench.run(incr_of(moves), 1'000);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::overloaded);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    bench.pass(4'000);
}

TEST(ClusterClient, a_transaction_that_ran_without_its_multi_is_not_sent_again) {
    ClusterBench bench(1);
    bench.open();
    bench.first = [&](int, const ServerWords& words) {
        return words[0] == "MULTI"  ? ServerAnswer{"-LOADING its data\r\n"}
               : words[0] == "EXEC" ? ServerAnswer{"-ERR EXEC without MULTI\r\n"}
                                    : ServerAnswer{};
    };
    Transaction transaction;
    (void)transaction.add(incr_of("n"));
    struct Runs {
        static Task<TransactionEnd> one(ClusterBench* bench, Transaction* transaction) {
            co_return co_await bench->client->run(*transaction, bench->in(2'000));
        }
    };
    const auto ended = bench.wait(Runs::one(&bench, &transaction));
    ASSERT_FALSE(ended.ok());
    EXPECT_EQ(ended.error().effect(), Effect::unknown);
    EXPECT_EQ(bench.heard(0, "INCR"), 1U);
}

TEST(ClusterClient, keys_of_different_slots_are_refused_before_anything_is_sent) {
    ClusterBench bench(2);
    bench.open();
    ASSERT_TRUE(bench.run(get_of("k")).ok());
    AnyCommand any("RENAME");
    any.add_key(bench.key_of(0)).add_key(bench.key_of(1));
    const auto outcome = bench.run(Command<Done>(std::move(any), read_ok));
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::invalid_argument);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    EXPECT_EQ(bench.heard(0, "RENAME") + bench.heard(1, "RENAME"), 0U);

    Transaction transaction;
    (void)transaction.add(set_of(bench.key_of(0), "1"));
    (void)transaction.add(set_of(bench.key_of(1), "1"));
    struct Runs {
        static Task<TransactionEnd> one(ClusterBench* bench, Transaction* transaction) {
            co_return co_await bench->client->run(*transaction, bench->in(1'000));
        }
    };
    const auto ended = bench.wait(Runs::one(&bench, &transaction));
    ASSERT_FALSE(ended.ok());
    EXPECT_EQ(ended.error().code(), Code::invalid_argument);
    EXPECT_EQ(bench.heard(0, "MULTI") + bench.heard(1, "MULTI"), 0U);
}

TEST(ClusterClient, a_batch_is_one_write_for_each_node_and_its_answers_are_in_order) {
    ClusterBench bench(3);
    bench.open();
    ASSERT_TRUE(bench.run(get_of("k")).ok());
    Batch batch;
    std::vector<Slot<Done>> sets;
    std::vector<Slot<std::optional<std::string>>> gets;
    std::vector<std::string> keys;
    for (int i = 0; i < 30; ++i) {
        keys.push_back(bench.key_of(i % 3, i));
        sets.push_back(batch.add(set_of(keys.back(), "v" + std::to_string(i))));
        gets.push_back(batch.add(get_of(keys.back())));
    }
    struct Runs {
        static Task<> one(ClusterBench* bench, Batch* batch) {
            co_return co_await bench->client->run(*batch, bench->in(5'000));
        }
    };
    const auto done = bench.wait(Runs::one(&bench, &batch));
    ASSERT_TRUE(done.ok()) << done.error().what();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_TRUE(batch.get(sets[i]).ok());
        EXPECT_EQ(batch.get(gets[i]).value(), "v" + std::to_string(i));
    }
}

TEST(ClusterClient, one_command_of_a_batch_that_has_moved_goes_on_by_itself) {
    ClusterBench bench(2);
    bench.open();
    ASSERT_TRUE(bench.run(get_of("k")).ok());
    const std::string gone = bench.key_of(0, 1);
    bench.first = [&](int node, const ServerWords& words) {
        if (words.size() > 1 && words[1] == gone) {
            return node == 0 ? ServerAnswer{moved(gone, bench.cluster.at(1))}
                             : bench.cluster.server(1).usual(words);
        }
        return ServerAnswer{};
    };
    Batch batch;
    const auto one = batch.add(set_of(bench.key_of(0, 0), "1"));
    const auto two = batch.add(set_of(gone, "2"));
    const auto three = batch.add(set_of(bench.key_of(0, 2), "3"));
    struct Runs {
        static Task<> run(ClusterBench* bench, Batch* batch) {
            co_return co_await bench->client->run(*batch, bench->in(5'000));
        }
    };
    const auto done = bench.wait(Runs::run(&bench, &batch));
    ASSERT_TRUE(done.ok()) << done.error().what();
    EXPECT_TRUE(batch.get(one).ok() && batch.get(two).ok() && batch.get(three).ok());
    EXPECT_EQ(bench.cluster.server(1).values[gone], "2");
}

TEST(ClusterClient, what_is_known_of_a_batch_is_known_of_each_of_its_commands) {
    ClusterBench bench(2);
    bench.open();
    ASSERT_TRUE(bench.run(set_of(bench.key_of(0), "0")).ok());
    ASSERT_TRUE(bench.run(set_of(bench.key_of(1), "0")).ok());
    bench.first = [&](int node, const ServerWords& words) {  // node 1 dies with the command
        return ServerAnswer{"", node == 1 && words[0] == "INCR"};
    };
    Batch batch;
    const auto good = batch.add(set_of(bench.key_of(0), "1"));
    const auto bad = batch.add(incr_of(bench.key_of(1)));
    struct Runs {
        static Task<> run(ClusterBench* bench, Batch* batch) {
            co_return co_await bench->client->run(*batch, bench->in(2'000));
        }
    };
    const auto done = bench.wait(Runs::run(&bench, &batch));
    ASSERT_FALSE(done.ok());
    EXPECT_EQ(done.error().effect(), Effect::unknown);
    EXPECT_TRUE(batch.get(good).ok());
    ASSERT_FALSE(batch.get(bad).ok());
    EXPECT_EQ(batch.get(bad).error().effect(), Effect::unknown);
}

TEST(ClusterClient, many_keys_are_asked_slot_by_slot_and_answered_as_one) {
    ClusterBench bench(3);
    bench.open();
    std::vector<std::string> keys;
    std::vector<std::pair<std::string, std::string>> pairs;
    AnyCommand set("MSET");
    AnyCommand get("MGET", Repeat::read);
    AnyCommand exists("EXISTS", Repeat::read);
    AnyCommand del("DEL");
    for (int i = 0; i < 9; ++i) {
        keys.push_back(bench.key_of(i % 3, i));
        set.add_key(keys.back()).add("v" + std::to_string(i));
        get.add_key(keys.back());
        exists.add_key(keys.back());
        del.add_key(keys.back());
    }
    get.add_key("nobody-has-it");
    ASSERT_TRUE(bench.run(Command<Done>(std::move(set), read_ok)).ok());
    const auto got = bench.run(Command<OwnedReply>(std::move(get), read_reply));
    ASSERT_TRUE(got.ok()) << got.error().what();
    const RespView values = got.value().view();
    ASSERT_EQ(values.size(), 10U);
    auto at = values.begin();
    for (int i = 0; i < 9; ++i, ++at) {
        EXPECT_EQ((*at).text(), "v" + std::to_string(i));
    }
    EXPECT_TRUE((*at).is_null());
    EXPECT_EQ(bench.run(Command<std::int64_t>(std::move(exists), read_integer)).value(), 9);
    EXPECT_EQ(bench.run(Command<std::int64_t>(std::move(del), read_integer)).value(), 9);
}

TEST(ClusterClient, a_part_that_failed_makes_the_whole_unknown_if_another_was_done) {
    ClusterBench bench(2);
    bench.open();
    ASSERT_TRUE(bench.run(set_of(bench.key_of(0), "0")).ok());
    bench.first = [&](int node, const ServerWords& words) {
        return node == 1 && words[0] == "DEL" ? ServerAnswer{"-NOPERM no\r\n"} : ServerAnswer{};
    };
    AnyCommand both("DEL");
    both.add_key(bench.key_of(0)).add_key(bench.key_of(1));
    const auto outcome = bench.run(Command<std::int64_t>(std::move(both), read_integer));
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::denied);
    EXPECT_EQ(outcome.error().effect(), Effect::unknown);
    EXPECT_NE(outcome.error().context()->situation.find(": done"), std::string::npos);

    AnyCommand refused("DEL");
    refused.add_key(bench.key_of(1, 0)).add_key(bench.key_of(1, 1));
    const auto none = bench.run(Command<std::int64_t>(std::move(refused), read_integer));
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().effect(), Effect::none);
}

TEST(ClusterClient, fault_37_a_promoted_replica_gets_what_waited_for_the_dead_primary) {
    ClusterBench bench(2, true);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    bench.cluster.server(0).down();
    bench.pass(10);
    FakeView view = bench.cluster.view(1);
    view[0].primary = 2;
    view[0].replicas.clear();
    view[0].epoch = 5;
    bench.cluster.show(view);
    const SteadyTime before = bench.runtime->now();
    const auto outcome = bench.run(incr_of(key));
    ASSERT_TRUE(outcome.ok()) << outcome.error().what();
    EXPECT_LT((bench.runtime->now() - before).count(), 3'000);
    EXPECT_EQ(bench.heard(2, "INCR"), 1U);
}

TEST(ClusterClient, fault_25_a_primary_that_is_paused_and_replaced_is_left_at_once) {
    ClusterBench bench(2, true);
    bench.open();
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    bench.cluster.server(0).mute = true;
    FakeView view = bench.cluster.view(1);
    view[0].primary = 2;
    view[0].replicas = {0};
    view[0].epoch = 5;
    bench.cluster.show(view);
    const SteadyTime before = bench.runtime->now();
    const auto got = bench.run(get_of(key));
    ASSERT_TRUE(got.ok()) << got.error().what();
    EXPECT_LT((bench.runtime->now() - before).count(), 3'000);
    // A command that may have been done is not sent again: the caller hears so.
    EXPECT_EQ(bench.heard(2, "GET"), 1U);
}

TEST(ClusterClient, fault_28_a_mute_node_keeps_nobody_else_waiting) {
    ClusterBench bench(3);
    bench.open();
    for (int node = 0; node < 3; ++node) {
        ASSERT_TRUE(bench.run(set_of(bench.key_of(node), "1")).ok());
    }
    bench.cluster.server(0).mute = true;
    const auto lost = bench.client->start(get_of(bench.key_of(0)), bench.in(4'000));
    for (int i = 0; i < 20; ++i) {
        const SteadyTime before = bench.runtime->now();
        ASSERT_TRUE(bench.run(get_of(bench.key_of(1 + i % 2))).ok());
        EXPECT_LE((bench.runtime->now() - before).count(), 20);
        bench.pass(150);
    }
}

TEST(ClusterClient, reads_go_to_replicas_where_the_caller_says_so_and_to_the_primary_without_one) {
    ClusterBench bench(2, true);
    bench.open(RedisOptions().read_from(ReadFrom::prefer_replica));
    const std::string key = bench.key_of(0);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    bench.cluster.server(2).values[key] = "old";
    EXPECT_EQ(bench.run(get_of(key)).value(), "old");
    EXPECT_EQ(bench.heard(2, "READONLY"), 1U);
    EXPECT_EQ(bench.heard(0, "GET"), 0U);
    bench.cluster.server(2).down();
    bench.pass(10);
    const auto got = bench.run(get_of(key));
    ASSERT_TRUE(got.ok()) << got.error().what();
    EXPECT_EQ(got.value(), "1");
}

TEST(ClusterClient, a_server_that_is_no_cluster_ends_calls_at_once_and_says_why) {
    ClusterBench bench(1);
    bench.first = [&](int, const ServerWords& words) {
        return words[0] == "CLUSTER"
                   ? ServerAnswer{"-ERR This instance has cluster support disabled\r\n"}
                   : ServerAnswer{};
    };
    bench.open();
    const SteadyTime before = bench.runtime->now();
    const auto outcome = bench.run(get_of("k"), 60'000);
    ASSERT_FALSE(outcome.ok());
    EXPECT_EQ(outcome.error().code(), Code::unsupported);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    EXPECT_LT((bench.runtime->now() - before).count(), 10'000);
}

TEST(ClusterClient, seeds_that_are_down_are_waited_for_until_the_deadline_which_says_why) {
    ClusterBench bench(2);
    for (const auto& server : bench.cluster.servers) {
        server->down();
    }
    bench.open();
    const auto late = bench.run(get_of("k"), 3'000);
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::unreachable);
    EXPECT_EQ(late.error().effect(), Effect::none);
    EXPECT_EQ(late.error().what().find("no node is known"), std::string_view::npos)
        << late.error().what();
    for (const auto& server : bench.cluster.servers) {
        server->up();
    }
    EXPECT_TRUE(bench.run(get_of("k"), 15'000).ok());
}

TEST(ClusterClient, a_client_that_goes_ends_what_waits_for_a_node) {
    ClusterBench bench(1);
    bench.cluster.show({});
    bench.open();
    auto waiting = bench.client->start(get_of("k"), bench.in(60'000));
    bench.pass(500);
    bench.client.reset();
    bench.pass(100);
    ASSERT_EQ(waiting.wait_for(std::chrono::seconds(0)), std::future_status::ready);
    EXPECT_EQ(waiting.get().error().code(), Code::closed);
}

TEST(ClusterClient, closing_ends_every_connection_also_those_of_the_watch) {
    ClusterBench bench(3);
    bench.open();
    for (int node = 0; node < 3; ++node) {
        ASSERT_TRUE(bench.run(set_of(bench.key_of(node), "1")).ok());
    }
    EXPECT_GE(bench.cluster.open_connections(), 4);
    EXPECT_TRUE(bench.wait(bench.client->close(bench.in(1'000))).value());
    bench.pass(10);
    EXPECT_EQ(bench.cluster.open_connections(), 0);
    const std::size_t asked = bench.cluster.asked();
    bench.pass(60'000);
    EXPECT_EQ(bench.cluster.asked(), asked);
}

TEST(ClusterClient, calls_that_wait_for_a_node_are_bounded) {
    ClusterBench bench(1);
    bench.cluster.show({});
    bench.open(RedisOptions().in_flight_max(10));
    std::vector<std::future<Result<std::optional<std::string>>>> all;
    for (int i = 0; i < 15; ++i) {
        all.push_back(bench.client->start(get_of("k"), bench.in(1'000)));
    }
    bench.pass(2'000);
    int full = 0;
    for (auto& one : all) {
        const auto outcome = one.get();
        ASSERT_FALSE(outcome.ok());
        EXPECT_EQ(outcome.error().effect(), Effect::none);
        full += outcome.error().code() == Code::overloaded ? 1 : 0;
    }
    EXPECT_EQ(full, 5);
}

}  // namespace
}  // namespace holdfast::redis
