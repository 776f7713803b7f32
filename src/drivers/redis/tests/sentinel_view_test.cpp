// A newer configuration stands against older answers, whoever gives them.

#include "sentinel_scene.h"
#include "sentinel_view.h"

#include <holdfast/redis/client_limits.h>

namespace holdfast::redis {
namespace {

Endpoint node(std::string_view host, std::uint16_t port = 6379) {
    Endpoint endpoint;
    endpoint.host = host;
    endpoint.port = port;
    return endpoint;
}
const Endpoint s1 = node("10.1.0.1", 26379);
const Endpoint s2 = node("10.1.0.2", 26379);
const Endpoint s3 = node("10.1.0.3", 26379);

SteadyTime ms(std::int64_t count) {
    return SteadyTime(Duration(1'000'000 + count));
}
bool learnt(Result<bool> result) {
    EXPECT_TRUE(result.ok());
    return result.ok() && result.value();
}
Sentinel says(const std::string& host, std::uint64_t epoch) {
    return Sentinel(master_said(host, epoch));
}
std::string primary(const SentinelView& view) {
    return view.topology() == nullptr ? "" : view.topology()->shards().front().primary.host;
}
SentinelView shop() {
    return SentinelView("shop", {s1, s2});
}

TEST(SentinelView, an_answer_tells_the_primary_its_replicas_and_the_other_sentinels) {
    SentinelView view = shop();
    EXPECT_EQ(view.topology(), nullptr);
    Sentinel all = says("10.0.0.1", 3);
    all.replicas({replica_said("10.0.0.2"), replica_said("::1"), replica_said("r.example")});
    all.sentinels({sentinel_said("10.1.0.2"), sentinel_said("10.1.0.3")});
    EXPECT_TRUE(learnt(all.to(view, s1, ms(0))));
    EXPECT_EQ(view.topology()->shape(), Shape::sentinel);
    const ShardNodes& nodes = view.topology()->shards().front();
    EXPECT_EQ(nodes.primary, node("10.0.0.1"));
    EXPECT_EQ(nodes.replicas, (std::vector{node("10.0.0.2"), node("::1"), node("r.example")}));
    EXPECT_EQ(nodes.replicas_known, 3U);
    EXPECT_EQ(view.sentinels(), (std::vector{s1, s2, s3}));
    const auto first = view.topology();
    EXPECT_FALSE(learnt(all.to(view, s2, ms(1))));
    EXPECT_EQ(view.topology(), first);
}

TEST(SentinelView, both_protocols_say_the_same) {
    SentinelView view = shop();
    Sentinel maps(master_said("10.0.0.1", 3, "master", "6379", '%'));
    maps.replicas({replica_said("10.0.0.2", "slave", "ok", "6379", '%')});
    EXPECT_TRUE(learnt(maps.to(view, s1, ms(0))));
    Sentinel flat = says("10.0.0.1", 3);
    flat.replicas({replica_said("10.0.0.2")});
    EXPECT_FALSE(learnt(flat.to(view, s1, ms(1))));
}

TEST(SentinelView, replicas_that_are_down_are_not_read_from_but_counted) {
    SentinelView view = shop();
    Sentinel all = says("10.0.0.1", 3);
    all.replicas(
        {replica_said("a", "slave"),
         replica_said("b", "s_down,slave"),
         replica_said("c", "o_down,slave"),
         replica_said("d", "slave,disconnected"),
         replica_said("e", "slave", "err"),
         replica_said("f", "slave", "ok", "0"),
         replica_said("10.0.0.1")}
    );
    EXPECT_TRUE(learnt(all.to(view, s1, ms(0))));
    EXPECT_EQ(view.topology()->shards().front().replicas, std::vector{node("a")});
    EXPECT_EQ(view.topology()->shards().front().replicas_known, 5U);  // not f, nor the primary
}

TEST(SentinelView, the_most_replicas_that_a_sentinel_lists_are_counted) {
    SentinelView view = shop();
    Sentinel two = says("10.0.0.1", 3);
    two.replicas({replica_said("a"), replica_said("b")});
    EXPECT_TRUE(learnt(two.to(view, s1, ms(0))));
    Sentinel none = says("10.0.0.1", 3);  // it has just been reset
    EXPECT_FALSE(learnt(none.to(view, s2, ms(1))));
    EXPECT_EQ(view.topology()->shards().front().replicas_known, 2U);
    EXPECT_TRUE(learnt(none.to(view, s1, ms(2))));  // now all of them have
    EXPECT_EQ(view.topology()->shards().front().replicas_known, 0U);
}

// Each sentinel keeps its own list.
TEST(SentinelView, replicas_in_another_order_are_no_news) {
    SentinelView view = shop();
    EXPECT_TRUE(
        learnt(says("p", 3).replicas({replica_said("a"), replica_said("b")}).to(view, s1, ms(0)))
    );
    const auto first = view.topology();
    EXPECT_FALSE(
        learnt(says("p", 3).replicas({replica_said("b"), replica_said("a")}).to(view, s2, ms(1)))
    );
    EXPECT_EQ(view.topology(), first);
}

TEST(SentinelView, a_replica_that_one_sentinel_reaches_and_another_does_not_is_read_from_steadily) {
    SentinelView view = shop();
    Sentinel reached = says("p", 3);
    reached.replicas({replica_said("a"), replica_said("b")});
    Sentinel cut_off = says("p", 3);
    cut_off.replicas({replica_said("a"), replica_said("b", "s_down,slave")});
    EXPECT_TRUE(learnt(reached.to(view, s1, ms(0))));
    for (std::int64_t at = 1; at < 10'000; at += 1'000) {
        ASSERT_FALSE(learnt(cut_off.to(view, s2, ms(at))));
        ASSERT_FALSE(learnt(reached.to(view, s1, ms(at))));
    }
    EXPECT_TRUE(learnt(cut_off.to(view, s1, ms(10'000))));  // now it is down
    EXPECT_EQ(view.topology()->shards().front().replicas, std::vector{node("a")});
}

TEST(SentinelView, a_primary_that_is_down_is_published_still) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(Sentinel(master_said("p", 3, "s_down,o_down,master")).to(view, s1, ms(0))));
    EXPECT_EQ(primary(view), "p");
}

TEST(SentinelView, a_newer_epoch_counts_at_once_and_an_older_one_never) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(says("old", 3).to(view, s1, ms(0))));
    EXPECT_TRUE(learnt(says("new", 4).to(view, s2, ms(1))));
    EXPECT_EQ(primary(view), "new");
    for (std::int64_t at = 2; at < 1'000'000; at += 10'000) {
        EXPECT_FALSE(learnt(says("old", 3).to(view, s1, ms(at))));
        EXPECT_TRUE(view.is_disputed());
    }
    EXPECT_EQ(primary(view), "new");
    EXPECT_FALSE(learnt(says("new", 4).to(view, s3, ms(1'000'000))));
    EXPECT_FALSE(view.is_disputed());
}

TEST(SentinelView, an_older_answer_about_our_primary_does_not_change_its_replicas) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(says("p", 4).replicas({replica_said("a")}).to(view, s1, ms(0))));
    EXPECT_FALSE(learnt(says("p", 3).replicas({replica_said("b")}).to(view, s2, ms(1))));
    EXPECT_EQ(view.topology()->shards().front().replicas, std::vector{node("a")});
}

TEST(SentinelView, the_same_epoch_with_another_primary_counts_when_most_say_so) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(says("one", 0).to(view, s1, ms(0))));
    EXPECT_FALSE(learnt(says("two", 0).to(view, s2, ms(1))));
    EXPECT_TRUE(view.is_disputed());
    EXPECT_EQ(primary(view), "one");
    EXPECT_TRUE(learnt(says("two", 0).to(view, s3, ms(2))));
    EXPECT_FALSE(view.is_disputed());
    EXPECT_EQ(primary(view), "two");
    EXPECT_FALSE(learnt(says("one", 0).to(view, s1, ms(3))));
}

// SENTINEL REMOVE and MONITOR begin at epoch 0 again.
TEST(SentinelView, a_master_that_was_entered_anew_is_taken_when_nobody_names_the_old_one) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(says("old", 7).to(view, s1, ms(0))));
    EXPECT_FALSE(learnt(says("old", 7).to(view, s2, ms(0))));
    EXPECT_FALSE(learnt(says("old", 7).to(view, s3, ms(0))));
    EXPECT_FALSE(learnt(says("anew", 0).to(view, s1, ms(10'000))));
    EXPECT_FALSE(learnt(says("anew", 0).to(view, s2, ms(10'001))));
    EXPECT_EQ(primary(view), "old");  // s3 still says so
    EXPECT_TRUE(learnt(says("anew", 0).to(view, s3, ms(10'002))));
    EXPECT_EQ(primary(view), "anew");
}

TEST(SentinelView, a_sentinel_by_two_names_has_one_vote) {
    SentinelView view = shop();
    const Endpoint s1_by_name = node("sentinel-1.example", 26379);
    Sentinel first = says("one", 0);
    EXPECT_TRUE(learnt(first.id("i2").to(view, s2, ms(0))));
    Sentinel other = says("two", 0);
    other.id("i1");
    EXPECT_FALSE(learnt(other.to(view, s1, ms(1))));
    EXPECT_FALSE(learnt(other.to(view, s1_by_name, ms(2))));
    EXPECT_EQ(primary(view), "one");
    EXPECT_TRUE(learnt(other.id("i3").to(view, s3, ms(3))));
    EXPECT_EQ(primary(view), "two");
}

// On the same side of a cut as the primary that was replaced.
TEST(SentinelView, an_old_sentinel_that_alone_is_left_is_not_believed_by_two_names) {
    SentinelView view = shop();
    Sentinel newer = says("new", 4);
    EXPECT_TRUE(learnt(newer.id("i2").to(view, s2, ms(0))));
    Sentinel old = says("old", 3);
    old.id("i1").sentinels({sentinel_said("10.1.0.2"), sentinel_said("10.1.0.3")});
    for (std::int64_t at = 1; at < 3 * sentinel_said_kept.count(); at += 10'000) {
        ASSERT_FALSE(learnt(old.to(view, s1, ms(at))));
        ASSERT_FALSE(learnt(old.to(view, node("sentinel-1.example", 26379), ms(at))));
    }
    EXPECT_EQ(primary(view), "new");
}

TEST(SentinelView, an_announced_switch_stands_against_sentinels_that_have_not_heard_of_it) {
    SentinelView view = shop();
    Sentinel before = says("10.0.0.1", 3);
    before.replicas({replica_said("10.0.0.2"), replica_said("10.0.0.3")});
    EXPECT_TRUE(learnt(before.to(view, s1, ms(0))));
    EXPECT_TRUE(learnt(view.switched("shop 10.0.0.1 6379 10.0.0.2 6379")));
    const ShardNodes& nodes = view.topology()->shards().front();
    EXPECT_EQ(nodes.primary, node("10.0.0.2"));
    EXPECT_EQ(nodes.replicas, std::vector{node("10.0.0.3")});
    EXPECT_EQ(nodes.replicas_known, 2U);
    EXPECT_FALSE(learnt(before.to(view, s2, ms(100'000))));
    EXPECT_FALSE(learnt(before.to(view, s3, ms(100'001))));
    EXPECT_EQ(primary(view), "10.0.0.2");
    EXPECT_FALSE(learnt(says("10.0.0.2", 4)
                            .replicas({replica_said("10.0.0.3"), replica_said("10.0.0.1", "s_down")}
                            )
                            .to(view, s1, ms(100'002))));
    EXPECT_FALSE(learnt(before.to(view, s2, ms(500'000))));
    EXPECT_EQ(primary(view), "10.0.0.2");
}

TEST(SentinelView, an_announcement_that_came_late_is_corrected) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(says("a", 5).to(view, s1, ms(0))));  // a became b, which became a again
    EXPECT_TRUE(learnt(view.switched("shop a 6379 b 6379")));
    EXPECT_FALSE(learnt(says("a", 5).to(view, s1, ms(1'000))));
    EXPECT_FALSE(learnt(says("a", 5).to(view, s2, ms(1'001))));
    EXPECT_TRUE(learnt(says("a", 5).to(view, s1, ms(1'000 + switch_trusted.count()))));
    EXPECT_EQ(primary(view), "a");
}

TEST(SentinelView, announcements_of_others_and_old_ones_are_none_of_ours) {
    SentinelView view = shop();
    EXPECT_FALSE(learnt(view.switched("shop a 1 b 2")));  // nothing is known yet
    EXPECT_TRUE(learnt(says("a", 5).to(view, s1, ms(0))));
    const auto before = view.topology();
    EXPECT_FALSE(learnt(view.switched("cart a 6379 b 6379")));
    EXPECT_FALSE(learnt(view.switched("shop x 6379 a 6379")));
    EXPECT_FALSE(learnt(view.switched("shop x 6379 y 6379")));
    EXPECT_FALSE(learnt(view.switched("shop a 6379 a 6379")));
    EXPECT_EQ(view.topology(), before);
    for (const std::string_view bad :
         {"",
          "shop",
          "shop a 6379",
          "shop a 6379 b",
          "shop a 6379 b 0",
          "shop a 6379 b 65536",
          "shop a 6379 b 6379 more",
          "shop a x b 6379",
          " a 6379 b 6379",
          "shop a 6379  6379"}) {
        auto result = view.switched(bad);
        ASSERT_FALSE(result.ok()) << bad;
        EXPECT_EQ(result.error().code(), Code::corrupt);
    }
    EXPECT_EQ(view.topology(), before);
}

TEST(SentinelView, an_unknown_master_names_the_setting) {
    SentinelView view = shop();
    for (const char* reply : {"-ERR No such master with that name\r\n", "*-1\r\n"}) {
        auto result = Sentinel(reply).to(view, s1, ms(0));
        ASSERT_FALSE(result.ok());
        EXPECT_EQ(result.error().code(), Code::invalid_argument);
        EXPECT_EQ(result.error().effect(), Effect::none);
        EXPECT_EQ(result.error().context()->server_text, "sentinelMasterId");
        EXPECT_EQ(result.error().context()->node, "10.1.0.1:26379");
    }
    auto denied = Sentinel("-NOAUTH Authentication required.\r\n").to(view, s1, ms(0));
    EXPECT_EQ(denied.error().code(), Code::denied);
}

TEST(SentinelView, what_a_user_may_not_ask_stays_as_it_was) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(says("p", 3).replicas({replica_said("a")}).to(view, s1, ms(0))));
    EXPECT_FALSE(learnt(says("p", 3).refuses_the_rest().to(view, s2, ms(1))));
    EXPECT_EQ(view.topology()->shards().front().replicas_known, 1U);
}

TEST(SentinelView, fault_38_malformed_answers_change_nothing) {
    SentinelView view = shop();
    EXPECT_TRUE(learnt(says("p", 3).replicas({replica_said("a")}).to(view, s1, ms(0))));
    const auto before = view.topology();
    const std::string good = master_said("q", 9);
    std::string many = "*1000000\r\n";
    for (int i = 0; i < 1'000'000; ++i) {
        many += "*0\r\n";
    }
    const auto is_corrupt = [&](const std::string& master,
                                const std::string& replicas,
                                const std::string& sentinels) {
        const ReplyOf first(master);
        const ReplyOf second(replicas);
        const ReplyOf third(sentinels);
        auto result = view.learn(
            s2, ReplyOf("_\r\n").view(), first.view(), second.view(), third.view(), ms(1)
        );
        ASSERT_FALSE(result.ok()) << master << replicas.substr(0, 100) << sentinels.substr(0, 100);
        EXPECT_EQ(result.error().code(), Code::corrupt);
        EXPECT_EQ(result.error().effect(), Effect::none);
        EXPECT_EQ(view.topology(), before);
    };
    for (const std::string& bad :
         {number(1),
          bulk("q"),
          list({}),
          list({bulk("ip")}),
          list({number(1), number(2)}),
          list({list({}), list({})}),
          instance({{"ip", "q"}, {"port", "1"}}),
          instance({{"ip", "q"}, {"config-epoch", "1"}}),
          instance({{"port", "1"}, {"config-epoch", "1"}}),
          instance({{"ip", ""}, {"port", "1"}, {"config-epoch", "1"}}),
          instance({{"ip", "?"}, {"port", "1"}, {"config-epoch", "1"}}),
          instance({{"ip", "q"}, {"port", "1"}, {"config-epoch", "x"}}),
          instance({{"ip", "q"}, {"port", "1"}, {"config-epoch", "-1"}}),
          instance({{"ip", "q"}, {"port", "1"}, {"config-epoch", "18446744073709551616"}}),
          master_said("q", 9, "master", "0"),
          master_said("q", 9, "master", "65536"),
          master_said(std::string(256, 'q'), 9),
          master_said("q r", 9),
          many}) {
        is_corrupt(bad, "*0\r\n", "*0\r\n");
    }
    for (const std::string& bad :
         {number(1),
          list({number(1)}),
          list({replica_said("a"), replica_said("b", "slave", "ok", "65536")}),
          list({replica_said("")}),
          list({instance({{"ip", "a"}})}),
          many}) {
        is_corrupt(good, bad, "*0\r\n");
        is_corrupt(good, "*0\r\n", bad);
    }
}

TEST(SentinelView, many_sentinels_are_known_up_to_a_bound) {
    SentinelView view = shop();
    std::vector<std::string> others;
    for (int i = 0; i < 200; ++i) {
        others.push_back(sentinel_said("s" + std::to_string(i)));
    }
    for (std::uint16_t i = 1; i < 100; ++i) {
        learnt(says("p", 3).sentinels(others).to(view, node("s", i), ms(i)));
    }
    EXPECT_EQ(view.sentinels().size(), sentinels_max);
    EXPECT_EQ(view.sentinels().front(), s1);
}

}  // namespace
}  // namespace holdfast::redis
