// Promises of subscriptions to deployments of several nodes, in virtual time.
#include "cluster_bench.h"
#include "fault_from_environment.h"
#include "message_listener.h"
#include "sentinel_bench.h"

#include <holdfast/redis/commands/pubsub.h>

namespace holdfast::redis {
namespace {

using Heard = std::vector<std::string>;

// Nodes that confirm what is asked; shard channels only where the node has the slot.
void confirms(ClusterBench& bench) {
    bench.first = [&bench](int node, const ServerWords& words) -> ServerAnswer {
        if (words[0] == "SUBSCRIBE") {
            return {confirmed("subscribe", words[1])};
        }
        if (words[0] != "SSUBSCRIBE") {
            return {};
        }
        if (const int right = bench.owner(node, words[1]); right != node) {
            return {
                "-MOVED " + std::to_string(key_slot(words[1])) + " " +
                bench.cluster.at(right).text() + "\r\n"
            };
        }
        return {confirmed("ssubscribe", words[1])};
    };
}

std::vector<int> listened_at(ClusterBench& bench, std::string_view name) {
    std::vector<int> nodes;
    for (int i = 0; i < static_cast<int>(bench.cluster.servers.size()); ++i) {
        if (bench.heard(i, name) != 0) {
            nodes.push_back(i);
        }
    }
    return nodes;
}

// All slots of one node are another's from now on.
void replace(ClusterBench& bench, int old, int by) {
    FakeView view = bench.cluster.view(by);
    for (FakeShard& shard : view) {
        if (shard.primary == old) {
            shard.primary = by;
            shard.replicas = {old};
            shard.epoch = 5;
        }
    }
    bench.cluster.show(view);
}

TEST(SubscriptionTopology, before_a_node_is_known_a_subscription_waits) {
    ClusterBench bench(2);
    confirms(bench);
    bench.open();
    bench.cluster.server(0).down();
    MessageListener listener(*bench.runtime, *bench.client, Channels().channel("a"));
    EXPECT_FALSE(listener.hears(1, 3'000));
    EXPECT_FALSE(listener.failure.has_value());
    bench.cluster.server(0).up();
    EXPECT_TRUE(listener.hears(1, 10'000));
    EXPECT_EQ(listened_at(bench, "SUBSCRIBE").size(), 1U);
}

TEST(SubscriptionTopology, one_that_waits_ends_with_the_client) {
    ClusterBench bench(1);
    bench.open();
    bench.cluster.server(0).down();
    MessageListener listener(*bench.runtime, *bench.client, Channels().channel("a"));
    bench.pass(1'000);
    bench.client.reset();
    bench.pass(1'000);
    EXPECT_EQ(listener.failure, Code::closed);
}

TEST(SubscriptionTopology, in_a_cluster_another_primary_is_listened_to_when_one_dies) {
    ClusterBench bench(3);
    confirms(bench);
    bench.open();
    MessageListener listener(*bench.runtime, *bench.client, Channels().channel("a"));
    ASSERT_TRUE(listener.hears(1, 5'000));
    const int first = listened_at(bench, "SUBSCRIBE").front();
    bench.cluster.server(first).down();
    ASSERT_TRUE(listener.hears(2, 3'000));
    const auto nodes = listened_at(bench, "SUBSCRIBE");
    ASSERT_EQ(nodes.size(), 2U);
    bench.cluster.server(nodes[0] == first ? nodes[1] : nodes[0])
        .say(push_of({"message", "a", "m"}));
    ASSERT_TRUE(listener.hears(3, 1'000));
    EXPECT_EQ(listener.heard, (Heard{"subscribed", "subscribed", "a/m"}));
}

TEST(SubscriptionTopology, a_node_that_lost_its_part_is_left_though_its_connection_stands) {
    ClusterBench bench(2, true);
    confirms(bench);
    bench.open();
    MessageListener listener(*bench.runtime, *bench.client, Channels().channel("a"));
    ASSERT_TRUE(listener.hears(1, 5'000));
    const int first = listened_at(bench, "SUBSCRIBE").front();
    replace(bench, first, first + 2);
    EXPECT_TRUE(listener.hears(2, 20'000));
    EXPECT_EQ(listened_at(bench, "SUBSCRIBE").size(), 2U);
}

TEST(SubscriptionTopology, with_sentinels_the_primary_of_the_moment_is_listened_to) {
    SentinelBench bench;
    Client& client = bench.open();
    MessageListener listener(*bench.runtime, client, Channels().channel("a"));
    ASSERT_TRUE(listener.hears(1, 5'000));
    EXPECT_EQ(bench.servers[0]->count("SUBSCRIBE"), 1U);
    EXPECT_EQ(bench.servers[1]->count("SUBSCRIBE"), 0U);
    bench.pass(1'000);
    bench.promote(1, 2);  // the old connection stands, and nothing is said there any more
    ASSERT_TRUE(listener.hears(2, 3'000));
    EXPECT_EQ(bench.servers[1]->count("SUBSCRIBE"), 1U);
    bench.servers[0]->say(push_of({"message", "a", "old"}));
    bench.servers[1]->say(push_of({"message", "a", "new"}));
    ASSERT_TRUE(listener.hears(3, 1'000));
    EXPECT_EQ(listener.heard, (Heard{"subscribed", "subscribed", "a/new"}));
}

TEST(SubscriptionTopology, shard_channels_are_listened_to_where_their_slot_is) {
    ClusterBench bench(3);
    confirms(bench);
    bench.open();
    for (int node = 0; node < 3; ++node) {
        const std::string name = bench.key_of(node);
        MessageListener listener(*bench.runtime, *bench.client, Channels().shard_channel(name));
        ASSERT_TRUE(listener.hears(1, 5'000));
        EXPECT_EQ(bench.heard(node, "SSUBSCRIBE"), 1U);
        bench.cluster.server(node).say(push_of({"smessage", name, "m"}));
        ASSERT_TRUE(listener.hears(2, 1'000));
        EXPECT_EQ(listener.heard.back(), name + "/m");
        ASSERT_TRUE(
            bench.run(spublish(name, "m").as(+[](RespView) { return Result<std::int64_t>(0); })
            ).ok()
        );
        EXPECT_EQ(bench.heard(node, "SPUBLISH"), 1U);
    }
}

TEST(SubscriptionTopology, shard_channels_of_several_slots_or_beside_others_are_refused_unsent) {
    ClusterBench bench(2);
    bench.open();
    const auto refused = [&](Channels channels) {
        auto opened = bench.client->subscribe(bench.runtime->loop(0), std::move(channels));
        return !opened.ok() && opened.error().code() == Code::invalid_argument &&
               opened.error().effect() == Effect::none;
    };
    EXPECT_TRUE(refused(Channels().shard_channel("a").shard_channel("b")));
    EXPECT_TRUE(refused(Channels().shard_channel("a").channel("a")));
    EXPECT_TRUE(refused(Channels().shard_channel("a").pattern("a")));
    EXPECT_TRUE(refused(Channels()));
    bench.pass(2'000);
    EXPECT_EQ(bench.cluster.connections(), 0);
    EXPECT_FALSE(refused(Channels().shard_channel("{a}1").shard_channel("{a}2")));
}

TEST(SubscriptionTopology, moved_is_followed_by_shard_channels) {
    ClusterBench bench(2);
    confirms(bench);
    bench.open();
    const std::string name = bench.key_of(0);
    ASSERT_TRUE(bench.run(get_of(name)).ok());
    FakeView view = bench.cluster.view(0);
    view[0].primary = 1;
    view[0].epoch = 9;
    bench.cluster.view(0) = view;
    bench.cluster.view(1) = view;
    const SteadyTime before = bench.runtime->now();
    MessageListener listener(*bench.runtime, *bench.client, Channels().shard_channel(name));
    ASSERT_TRUE(listener.hears(1, 5'000));
    EXPECT_LT((bench.runtime->now() - before).count(), 500);
    EXPECT_EQ(bench.heard(0, "SSUBSCRIBE"), 1U);
    EXPECT_EQ(bench.heard(1, "SSUBSCRIBE"), 1U);
}

TEST(SubscriptionTopology, a_slot_that_leaves_takes_its_channels_with_it_to_the_new_owner) {
    ClusterBench bench(2);
    confirms(bench);
    bench.open();
    const std::string name = bench.key_of(0);
    MessageListener listener(*bench.runtime, *bench.client, Channels().shard_channel(name));
    ASSERT_TRUE(listener.hears(1, 5'000));
    FakeView view = bench.cluster.view(0);
    view[0].primary = 1;
    view[0].epoch = 9;
    bench.cluster.show(view);
    bench.cluster.server(0).say(confirmed("sunsubscribe", name));
    ASSERT_TRUE(listener.hears(2, 1'000));
    EXPECT_EQ(bench.heard(1, "SSUBSCRIBE"), 1U);
    bench.cluster.server(1).say(push_of({"smessage", name, "m"}));
    ASSERT_TRUE(listener.hears(3, 1'000));
    EXPECT_EQ(listener.heard, (Heard{"subscribed", "subscribed", name + "/m"}));
}

TEST(SubscriptionTopology, shard_channels_work_at_a_single_server) {
    Bench bench;
    bench.server.script = [&](const ServerWords& words) {
        return words[0] == "SSUBSCRIBE" ? ServerAnswer{confirmed("ssubscribe", words[1])}
                                        : bench.server.usual(words);
    };
    MessageListener listener(*bench.runtime, bench.open(), Channels().shard_channel("a"));
    ASSERT_TRUE(listener.hears(1, 5'000));
    bench.server.say(push_of({"smessage", "a", "m"}));
    ASSERT_TRUE(listener.hears(2, 1'000));
    EXPECT_EQ(listener.heard, (Heard{"subscribed", "a/m"}));
}

RedisOptions with_password(std::string* password, int protocol = 0) {
    RedisOptions options;
    options.protocol(protocol).credentials([password]() -> Result<Credentials> {
        return Credentials("app", Secret(*password));
    });
    return options;
}

TEST(SubscriptionTopology, credentials_that_changed_are_said_on_a_subscription_without_a_gap) {
    Bench bench;
    std::string password = "first";
    std::string answer = "+OK\r\n";
    bench.server.script = [&](const ServerWords& words) {
        return words[0] == "SUBSCRIBE" ? ServerAnswer{confirmed("subscribe", words[1])}
               : words[0] == "AUTH"    ? ServerAnswer{answer}
                                       : bench.server.usual(words);
    };
    Client& client = bench.open(with_password(&password));
    MessageListener listener(*bench.runtime, client, Channels().channel("a"));
    ASSERT_TRUE(listener.hears(1, 5'000));
    password = "second";
    ASSERT_TRUE(bench.wait(client.reauthenticate(bench.in(1'000))).ok());
    EXPECT_EQ(bench.server.heard.back(), (ServerWords{"AUTH", "app", "second"}));
    answer = "-WRONGPASS invalid username-password pair\r\n";
    const auto refused = bench.wait(client.reauthenticate(bench.in(1'000)));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::denied);
    bench.server.say(push_of({"message", "a", "m"}));
    ASSERT_TRUE(listener.hears(2, 1'000));
    EXPECT_EQ(listener.heard, (Heard{"subscribed", "a/m"}));
    EXPECT_EQ(bench.server.connections, 1);
}

TEST(SubscriptionTopology, credentials_that_changed_in_a_dial_are_said_by_another) {
    Bench bench;
    std::string password = "first";
    bench.server.script = [&](const ServerWords& words) {
        ServerAnswer answer = words[0] == "SUBSCRIBE" ? ServerAnswer{confirmed("subscribe", "a")}
                                                      : bench.server.usual(words);
        answer.after = Duration(words[0] == "HELLO" ? 300 : 0);
        return answer;
    };
    Client& client = bench.open(with_password(&password));
    MessageListener listener(*bench.runtime, client, Channels().channel("a"));
    bench.pass(100);
    password = "second";
    ASSERT_TRUE(bench.wait(client.reauthenticate(bench.in(1'000))).ok());
    ASSERT_TRUE(listener.hears(1, 5'000));
    std::string last;
    for (const ServerWords& words : bench.server.heard) {
        last = words[0] == "HELLO" ? words.at(4) : last;
    }
    EXPECT_EQ(last, "second");
    EXPECT_EQ(bench.server.count("SUBSCRIBE"), 1U);
}

TEST(SubscriptionTopology, with_resp2_credentials_wait_for_the_next_dial) {
    Bench bench;
    std::string password = "first";
    bench.server.script = [&](const ServerWords& words) {
        return words[0] == "SUBSCRIBE" ? ServerAnswer{"*3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:1\r\n"}
                                       : bench.server.usual(words);
    };
    Client& client = bench.open(with_password(&password, 2));
    MessageListener listener(*bench.runtime, client, Channels().channel("a"));
    ASSERT_TRUE(listener.hears(1, 5'000));
    password = "second";
    ASSERT_TRUE(bench.wait(client.reauthenticate(bench.in(1'000))).ok());
    EXPECT_EQ(bench.server.heard.back(), (ServerWords{"SUBSCRIBE", "a"}));
    bench.server.break_connections();
    ASSERT_TRUE(listener.hears(2, 5'000));
    const auto& heard = bench.server.heard;
    EXPECT_TRUE(std::ranges::any_of(heard, [](const ServerWords& words) {
        return words == ServerWords{"AUTH", "app", "second"};
    }));
}

}  // namespace
}  // namespace holdfast::redis
