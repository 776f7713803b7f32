// Newer knowledge stands against older, and an answer that is no map changes nothing.

#include "cluster_map.h"
#include "cluster_scene.h"

#include <holdfast/redis/client_limits.h>

namespace holdfast::redis {
namespace {

const Endpoint a = at("10.0.0.1", 7000);
const Endpoint b = at("10.0.0.2", 7000);
const Endpoint c = at("10.0.0.3", 7000);
const Endpoint d = at("10.0.0.4", 7000);
const Endpoint stranger = at("10.9.9.9", 7000);

std::string said_a() {
    return node_said(a.host, a.port, 'a');
}
std::string said_b() {
    return node_said(b.host, b.port, 'b');
}
std::string said_c() {
    return node_said(c.host, c.port, 'c');
}
std::string said_d() {
    return node_said(d.host, d.port, 'd');
}

// a has the lower half, b the upper; c is a's replica and d b's.
Told halves(std::uint64_t epoch_a = 5, std::uint64_t epoch_b = 6) {
    Told told;
    told.slots(0, 8191, {said_a(), said_c()}).slots(8192, 16383, {said_b(), said_d()});
    told.primary('a', epoch_a, "0-8191").replica('c', 'a', epoch_a);
    told.primary('b', epoch_b, "8192-16383").replica('d', 'b', epoch_b);
    return told;
}
// The same of a user who may not ask CLUSTER NODES.
Told halves_alone() {
    Told told;
    told.slots(0, 8191, {said_a(), said_c()}).slots(8192, 16383, {said_b(), said_d()});
    return told;
}
// c has replaced a.
Told c_promoted(std::uint64_t epoch_c = 7) {
    Told told;
    told.slots(0, 8191, {said_c()}).slots(8192, 16383, {said_b(), said_d()});
    told.line('a', "master,fail", "-", 5, "").primary('c', epoch_c, "0-8191");
    told.primary('b', 6, "8192-16383").replica('d', 'b', 6);
    return told;
}

bool learnt(Result<bool> result) {
    EXPECT_TRUE(result.ok());
    return result.ok() && result.value();
}

TEST(ClusterMap, knows_nothing_before_the_first_answer) {
    const ClusterMap map({a});
    EXPECT_EQ(map.topology(), nullptr);
    EXPECT_FALSE(map.knows(a));
    EXPECT_EQ(map.nodes(), std::vector{a});
}

TEST(ClusterMap, an_answer_gives_each_slot_its_primary_and_replicas) {
    ClusterMap map({stranger});
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    const auto topology = map.topology();
    ASSERT_EQ(topology->shards().size(), 2U);
    EXPECT_EQ(topology->shape(), Shape::cluster);
    EXPECT_EQ(topology->shards()[0].primary, a);
    EXPECT_EQ(topology->shards()[0].replicas, std::vector{c});
    EXPECT_EQ(topology->shards()[0].replicas_known, 1U);
    EXPECT_EQ(owner(map, 8191), "10.0.0.1:7000");
    EXPECT_EQ(owner(map, 8192), "10.0.0.2:7000");
    EXPECT_TRUE(map.knows(d));
    EXPECT_FALSE(map.knows(stranger));
    EXPECT_EQ(map.nodes(), (std::vector{a, b, c, d, stranger}));
}

TEST(ClusterMap, the_topology_is_the_same_object_until_something_changes) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    const auto first = map.topology();
    EXPECT_FALSE(learnt(halves().to(map, b, after(1'000))));
    EXPECT_FALSE(map.moved(1, a, after(2'000)));
    EXPECT_EQ(map.topology(), first);
    EXPECT_TRUE(map.moved(1, b, after(3'000)));
    EXPECT_NE(map.topology(), first);
    EXPECT_EQ(first->shard_of(1), 0);  // what was published does not change
}

// Each node lists them as it met them.
TEST(ClusterMap, replicas_in_another_order_are_no_news) {
    ClusterMap map;
    const auto told = [](const std::string& one, const std::string& other) {
        return Told().slots(0, 16383, {said_a(), one, other});
    };
    EXPECT_TRUE(learnt(told(said_c(), said_d()).to(map, a, after(0))));
    const auto first = map.topology();
    EXPECT_FALSE(learnt(told(said_d(), said_c()).to(map, c, after(1))));
    EXPECT_EQ(map.topology(), first);
}

TEST(ClusterMap, slots_without_an_owner_are_nobodys) {
    ClusterMap map;
    Told told;
    told.slots(10, 20, {said_a()});
    EXPECT_TRUE(learnt(told.to(map, a, after(0))));
    EXPECT_EQ(owner(map, 9), "");
    EXPECT_EQ(owner(map, 20), "10.0.0.1:7000");
}

TEST(ClusterMap, an_older_epoch_never_takes_a_slot_back) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, b, after(0))));
    EXPECT_TRUE(learnt(c_promoted().to(map, b, after(1'000))));
    EXPECT_EQ(owner(map, 0), "10.0.0.3:7000");
    for (const Endpoint& asked : {a, b, d}) {
        EXPECT_FALSE(learnt(halves().to(map, asked, after(3'600'000)))) << asked.text();
    }
    EXPECT_EQ(owner(map, 0), "10.0.0.3:7000");
    EXPECT_EQ(map.topology()->shards()[0].replicas_known, 1U);
}

TEST(ClusterMap, where_no_epoch_is_known_the_last_answer_counts) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves_alone().to(map, a, after(0))));
    Told swapped;
    swapped.slots(0, 8191, {said_b()}).slots(8192, 16383, {said_a()});
    EXPECT_TRUE(learnt(swapped.to(map, b, after(1'000))));
    EXPECT_EQ(owner(map, 0), "10.0.0.2:7000");
    EXPECT_EQ(owner(map, 16383), "10.0.0.1:7000");
}

TEST(ClusterMap, fault_34_a_stale_seed_does_not_take_back_what_moved_said) {
    for (const bool epochs : {true, false}) {
        ClusterMap map;
        const Told stale = epochs ? halves() : halves_alone();
        EXPECT_TRUE(learnt(stale.to(map, a, after(0))));
        EXPECT_TRUE(map.moved(42, b, after(1'000)));
        for (std::int64_t ms = 1'000; ms < 1'000 + moved_trusted.count(); ms += 1'000) {
            EXPECT_FALSE(learnt(stale.to(map, d, after(ms)))) << ms;
        }
        EXPECT_EQ(owner(map, 42), "10.0.0.2:7000");
        EXPECT_EQ(owner(map, 41), "10.0.0.1:7000");
    }
}

TEST(ClusterMap, what_moved_said_gives_way_to_a_newer_epoch_at_once) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    EXPECT_TRUE(map.moved(42, b, after(1'000)));
    EXPECT_TRUE(learnt(halves(8, 6).to(map, d, after(1'001))));
    EXPECT_EQ(owner(map, 42), "10.0.0.1:7000");
}

TEST(ClusterMap, what_moved_said_gives_way_to_the_owner_that_it_named) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    EXPECT_TRUE(map.moved(42, b, after(1'000)));
    EXPECT_TRUE(learnt(halves().to(map, b, after(1'001))));
    EXPECT_EQ(owner(map, 42), "10.0.0.1:7000");
}

TEST(ClusterMap, what_moved_said_gives_way_to_the_same_epoch_in_the_end) {
    for (const bool epochs : {true, false}) {
        ClusterMap map;
        const Told told = epochs ? halves(6, 6) : halves_alone();
        EXPECT_TRUE(learnt(told.to(map, a, after(0))));
        EXPECT_TRUE(map.moved(42, b, after(0)));
        EXPECT_FALSE(learnt(told.to(map, d, after(moved_trusted.count() - 1))));
        EXPECT_TRUE(learnt(told.to(map, d, after(moved_trusted.count()))));
        EXPECT_EQ(owner(map, 42), "10.0.0.1:7000");
    }
}

// The cluster raises the epoch of who takes a slot, unless it has the highest already.
TEST(ClusterMap, the_end_of_a_migration_is_learnt_by_moved_and_confirmed) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    EXPECT_TRUE(map.moved(42, b, after(0)));
    Told done;
    done.slots(0, 41, {said_a(), said_c()}).slots(42, 42, {said_b(), said_d()});
    done.slots(43, 8191, {said_a(), said_c()}).slots(8192, 16383, {said_b(), said_d()});
    done.primary('a', 5, "0-41 43-8191").replica('c', 'a', 5);
    done.line('b', "master", "-", 7, "42 8192-16383 [77->-" + id_of('a') + "]");
    done.replica('d', 'b', 7);
    EXPECT_FALSE(learnt(done.to(map, a, after(1))));  // nothing new but the epoch
    EXPECT_FALSE(learnt(halves().to(map, c, after(3'600'000))));
    EXPECT_EQ(owner(map, 42), "10.0.0.2:7000");
}

// After moved_trusted: another failover must not wait for an epoch that was only assumed.
TEST(ClusterMap, a_successor_of_an_owner_with_a_low_epoch_is_taken_in_the_end) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves(10, 6).to(map, a, after(0))));
    EXPECT_TRUE(map.moved(42, b, after(0)));  // 6, in place of 10
    Told told;
    told.slots(0, 41, {said_a()}).slots(42, 42, {said_d()});
    told.primary('a', 10, "0-41").primary('d', 7, "42");
    EXPECT_FALSE(learnt(told.to(map, c, after(1'000))) && owner(map, 42) == d.text());
    EXPECT_TRUE(learnt(told.to(map, c, after(moved_trusted.count()))));
    EXPECT_EQ(owner(map, 42), d.text());
}

TEST(ClusterMap, moved_may_name_a_node_that_nobody_knew) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    EXPECT_TRUE(map.moved(16383, stranger, after(1)));
    EXPECT_EQ(owner(map, 16383), stranger.text());
    EXPECT_TRUE(map.knows(stranger));
    EXPECT_EQ(map.topology()->shards().size(), 3U);
    EXPECT_FALSE(map.moved(16384, a, after(1)));
    EXPECT_FALSE(map.moved(0, Endpoint(), after(1)));
}

TEST(ClusterMap, a_node_that_moved_named_gets_its_id_and_replicas_from_the_next_answer) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    EXPECT_TRUE(map.moved(16383, stranger, after(1)));
    Told told;
    told.slots(0, 8191, {said_a()}).slots(8192, 16382, {said_b()});
    told.slots(16383, 16383, {node_said(stranger.host, stranger.port, 'e'), said_d()});
    told.primary('a', 5).primary('b', 6).primary('e', 7).replica('d', 'e', 7);
    EXPECT_TRUE(learnt(told.to(map, a, after(2))));
    EXPECT_EQ(map.topology()->shards()[2].primary, stranger);
    EXPECT_EQ(map.topology()->shards()[2].replicas, std::vector{d});
}

TEST(ClusterMap, a_node_is_the_same_at_another_address) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves(5, 5).to(map, a, after(0))));
    EXPECT_TRUE(map.moved(1, stranger, after(1)));
    Told told;  // b stands there now
    told.slots(0, 0, {said_a()}).slots(1, 1, {node_said(stranger.host, 7000, 'b')});
    told.slots(2, 8191, {said_a()}).slots(8192, 16383, {node_said(stranger.host, 7000, 'b')});
    told.primary('a', 5).primary('b', 5);
    EXPECT_TRUE(learnt(told.to(map, a, after(2))));
    EXPECT_EQ(owner(map, 1), stranger.text());
    EXPECT_EQ(owner(map, 16383), stranger.text());
    EXPECT_EQ(map.topology()->shards().size(), 2U);
    EXPECT_FALSE(map.knows(b));
}

TEST(ClusterMap, fault_35_an_empty_host_means_the_one_that_was_asked) {
    for (const std::string& host :
         {bulk(""), bulk("?"), std::string("$-1\r\n"), std::string("_\r\n")}) {
        ClusterMap map;
        Told told;
        told.slots(0, 100, {list({host, number(7001), bulk(id_of('a')), list({})})});
        EXPECT_TRUE(learnt(told.to(map, at("seed.example", 7000), after(0))));
        EXPECT_EQ(owner(map, 7), "seed.example:7001") << host;
    }
}

TEST(ClusterMap, replicas_that_are_down_are_not_asked_but_counted) {
    ClusterMap map;
    Told told;
    told.slots(0, 16383, {said_a(), said_b(), said_c()});
    told.primary('a', 1).replica('b', 'a', 1).replica('c', 'a', 1, "slave,fail?");
    told.replica('d', 'a', 1, "slave,fail").replica('e', 'a', 1, "slave,noaddr");
    told.line('f', "handshake", "-", 0, "");
    EXPECT_TRUE(learnt(told.to(map, a, after(0))));
    EXPECT_EQ(map.topology()->shards()[0].replicas, std::vector{b});
    EXPECT_EQ(map.topology()->shards()[0].replicas_known, 4U);
}

TEST(ClusterMap, who_may_not_ask_for_nodes_counts_the_most_replicas_that_were_listed) {
    ClusterMap map;
    Told two;
    two.slots(0, 16383, {said_a(), said_b(), said_c()});
    EXPECT_TRUE(learnt(two.to(map, a, after(0))));
    Told one;
    one.slots(0, 16383, {said_a(), said_b()});
    EXPECT_TRUE(learnt(one.to(map, a, after(1))));
    EXPECT_EQ(map.topology()->shards()[0].replicas, std::vector{b});
    EXPECT_EQ(map.topology()->shards()[0].replicas_known, 2U);
}

TEST(ClusterMap, a_failed_primary_counts_as_a_replica_of_its_successor_until_it_is_forgotten) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    EXPECT_TRUE(learnt(c_promoted().to(map, b, after(1))));
    EXPECT_EQ(map.topology()->shards()[0].primary, c);
    EXPECT_EQ(map.topology()->shards()[0].replicas_known, 1U);

    Told back;
    back.slots(0, 8191, {said_c(), said_a()}).slots(8192, 16383, {said_b(), said_d()});
    back.primary('c', 7).replica('a', 'c', 7).primary('b', 6).replica('d', 'b', 6);
    EXPECT_TRUE(learnt(back.to(map, b, after(2))));
    EXPECT_EQ(map.topology()->shards()[0].replicas, std::vector{a});
    EXPECT_EQ(map.topology()->shards()[0].replicas_known, 1U);

    Told forgotten;
    forgotten.slots(0, 8191, {said_c()}).slots(8192, 16383, {said_b(), said_d()});
    forgotten.primary('c', 7).primary('b', 6).replica('d', 'b', 6);
    EXPECT_TRUE(learnt(forgotten.to(map, b, after(3))));
    EXPECT_EQ(map.topology()->shards()[0].replicas_known, 0U);
}

TEST(ClusterMap, a_replica_that_moved_promotes_keeps_the_count_of_its_shard) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    EXPECT_TRUE(map.moved(5, c, after(1)));
    const auto topology = map.topology();
    const ShardNodes& heir = topology->shards()[topology->shard_of(5)];
    EXPECT_EQ(heir.primary, c);
    EXPECT_TRUE(heir.replicas.empty());
    EXPECT_EQ(heir.replicas_known, 1U);
}

TEST(ClusterMap, a_node_without_slots_does_not_wipe_the_map) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    const auto before = map.topology();
    auto result = Told().primary('a', 9, "").to(map, a, after(1));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code(), Code::unreachable);
    EXPECT_EQ(result.error().effect(), Effect::none);
    Told part;
    part.slots(0, 8191, {said_a(), said_c()}).primary('a', 5).replica('c', 'a', 5);
    EXPECT_FALSE(learnt(part.to(map, a, after(2))));
    EXPECT_EQ(map.topology(), before);
}

TEST(ClusterMap, a_node_of_another_cluster_is_believed_only_when_ours_is_gone) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    Told other;
    other.slots(0, 16383, {node_said(stranger.host, 7000, 'x')}).primary('x', 2);
    const std::int64_t gone = foreign_cluster_after.count();
    auto early = other.to(map, a, after(gone - 1));
    ASSERT_FALSE(early.ok());
    EXPECT_EQ(early.error().code(), Code::unreachable);
    EXPECT_EQ(owner(map, 0), a.text());
    EXPECT_TRUE(learnt(other.to(map, a, after(gone))));
    EXPECT_EQ(owner(map, 0), stranger.text());
    EXPECT_EQ(map.topology()->shards().size(), 1U);
}

TEST(ClusterMap, a_refusal_is_an_error_of_its_code) {
    ClusterMap map;
    const auto code = [&](const std::string& text) {
        const ReplyOf reply("-" + text + "\r\n");
        auto result = map.learn(reply.view(), "", a, after(0));
        EXPECT_EQ(result.error().effect(), Effect::none);
        EXPECT_EQ(result.error().context()->node, a.text());
        return result.error().code();
    };
    EXPECT_EQ(code("ERR This instance has cluster support disabled"), Code::unsupported);
    EXPECT_EQ(code("NOPERM this user has no permissions"), Code::denied);
    EXPECT_EQ(code("LOADING Redis is loading the dataset in memory"), Code::unreachable);
}

class Malformed : public testing::Test {
protected:
    void SetUp() override {
        EXPECT_TRUE(learnt(halves().to(map_, a, after(0))));
        before_ = map_.topology();
    }
    void is_corrupt(const std::string& slots, const std::string& text) {
        const ReplyOf reply(slots);
        auto result = map_.learn(reply.view(), text, b, after(1));
        ASSERT_FALSE(result.ok()) << slots << text;
        EXPECT_EQ(result.error().code(), Code::corrupt) << slots << text;
        EXPECT_EQ(result.error().effect(), Effect::none);
        EXPECT_EQ(map_.topology(), before_) << slots << text;
    }
    static std::string
    row(const std::string& first, const std::string& last, const std::string& n) {
        return list({list({first, last, n})});
    }

    ClusterMap map_;
    std::shared_ptr<const Topology> before_;
};

using ClusterMapMalformed = Malformed;

TEST_F(ClusterMapMalformed, fault_38_malformed_answers_change_nothing) {
    const std::string good = node_said("h", 1, 'b');
    for (const std::string& slots : {
             number(1),
             bulk("slots"),
             std::string("*-1\r\n"),
             list({number(1)}),
             list({list({})}),
             list({list({number(0), number(1)})}),
             row(bulk("0"), number(1), good),
             row(number(0), bulk("1"), good),
             row(number(-1), number(1), good),
             row(number(0), number(16'384), good),
             row(number(2), number(1), good),
             row(number(INT64_MIN), number(INT64_MAX), good),
             row(number(0), number(1), bulk("h:1")),
             row(number(0), number(1), list({})),
             row(number(0), number(1), list({bulk("h")})),
             row(number(0), number(1), list({number(1), number(1)})),
             row(number(0), number(1), list({bulk("h"), bulk("1")})),
             row(number(0), number(1), list({bulk("h"), number(1), number(2)})),
             row(number(0), number(1), list({bulk("h"), number(1), bulk(std::string(65, 'x'))})),
             row(number(0), number(1), node_said("h", 0, 'b')),
             row(number(0), number(1), node_said("h", -1, 'b')),
             row(number(0), number(1), node_said("h", 65'536, 'b')),
             row(number(0), number(1), node_said("h", 65'537, 'b')),
             row(number(0), number(1), node_said("a b", 1, 'b')),
             row(number(0), number(1), node_said("a\n", 1, 'b')),
             row(number(0), number(1), node_said("/run/redis.sock", 1, 'b')),
             row(number(0), number(1), node_said(std::string(256, 'h'), 1, 'b')),
             list({list({number(0), number(1), good, node_said("h", 65'536, 'c')})}),
             list({list({number(0), number(5), good}), list({number(5), number(6), good})}),
             list({list({number(0), number(5), good}), list({number(2), number(3), good})}),
             list(
                 {list({number(0), number(5), good}),
                  list({number(6), number(7), node_said("i", 1, 'b')})}
             ),
         }) {
        is_corrupt(slots, "");
    }
}

TEST_F(ClusterMapMalformed, fault_38_malformed_texts_of_nodes_change_nothing) {
    const std::string slots = halves().bytes();
    const std::string id = id_of('a');
    for (const std::string& text : {
             std::string("\0", 1),
             std::string("x"),
             id + "\n",
             id + " 10.0.0.1:7000@17000 master - 0 0 x connected\n",
             id + " 10.0.0.1:7000@17000 master - 0 0 -1 connected\n",
             id + " 10.0.0.1:7000@17000 master - 0 0 18446744073709551616 connected\n",
             id + " 10.0.0.1:7000@17000 master - 0 0 1\n",
             id + " 10.0.0.1:7000@17000 master,slave - 0 0 1 connected\n",
             std::string(65, 'a') + " 10.0.0.1:7000@17000 master - 0 0 1 connected\n",
             id + " h:1@2 slave " + std::string(65, 'a') + " 0 0 1 connected\n",
             id + " h:1@2 master - 0 0 1 connected\n" + id + " h:1@2 master - 0 0 2 connected\n",
             std::string(cluster_nodes_text_max + 1, '\n'),
         }) {
        is_corrupt(slots, text);
    }
}

TEST_F(ClusterMapMalformed, fault_38_a_million_entries_are_refused) {
    std::string rows = "*1000000\r\n";
    for (int i = 0; i < 1'000'000; ++i) {
        rows += "*0\r\n";
    }
    is_corrupt(rows, "");
    std::string replicas = "*1\r\n*1000002\r\n:0\r\n:1\r\n";
    for (int i = 0; i < 1'000'000; ++i) {
        replicas += "*2\r\n$1\r\nh\r\n:1\r\n";
    }
    is_corrupt(replicas, "");
}

TEST(ClusterMap, rows_may_be_longer_than_those_of_today) {
    ClusterMap map;
    Told told;
    const std::string named =
        list({bulk("hostname"), bulk("n.example"), bulk("zone"), bulk("z1")}, '%');
    told.slots(
        0, 1, {list({bulk("n.example"), number(7000), bulk(id_of('a')), named, bulk("new")})}
    );
    told.line('a', "myself,master,nofailover,newflag", "-", 3, "0-1 [2-<-" + id_of('b') + "]");
    EXPECT_TRUE(learnt(told.to(map, a, after(0))));
    EXPECT_EQ(owner(map, 1), "n.example:7000");
}

TEST(ClusterMap, moved_for_ever_to_new_nodes_takes_bounded_memory) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    for (std::uint16_t i = 0; i < 3'000; ++i) {
        map.moved(i, at("h" + std::to_string(i), 1), after(i));
    }
    EXPECT_LE(map.nodes().size(), cluster_shards_max + 2);
    EXPECT_LE(map.topology()->shards().size(), cluster_shards_max);
}

TEST(ClusterMap, fault_44_a_thousand_refreshes_add_nothing) {
    ClusterMap map;
    EXPECT_TRUE(learnt(halves().to(map, a, after(0))));
    const auto first = map.topology();
    const ReplyOf reply(halves().bytes());
    const std::string text = halves().text();
    for (int i = 0; i < 1'000; ++i) {
        auto result = map.learn(reply.view(), text, i % 2 == 0 ? a : b, after(i * 1'000));
        ASSERT_TRUE(result.ok());
        ASSERT_FALSE(result.value());
    }
    EXPECT_EQ(map.topology(), first);
    EXPECT_EQ(map.nodes().size(), 4U);
}

TEST(ClusterMap, takes_a_cluster_of_a_thousand_nodes_with_every_slot_alone) {
    std::string rows = "*16384\r\n";
    for (int slot = 0; slot < 16'384; ++slot) {
        const std::string id = std::to_string(1'000 + slot % 1'000);
        rows +=
            list({number(slot), number(slot), list({bulk("node-" + id), number(7000), bulk(id)})});
    }
    ClusterMap map;
    const ReplyOf reply(rows);
    EXPECT_TRUE(learnt(map.learn(reply.view(), "", a, after(0))));
    EXPECT_FALSE(learnt(map.learn(reply.view(), "", a, after(1))));
    EXPECT_EQ(map.topology()->shards().size(), 1'000U);
    EXPECT_EQ(owner(map, 16'383), "node-1383:7000");
}

}  // namespace
}  // namespace holdfast::redis
