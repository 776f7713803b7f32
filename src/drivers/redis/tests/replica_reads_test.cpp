// Reads from replicas of a cluster, in virtual time.
#include "cluster_bench.h"

#include <holdfast/redis/client_limits.h>

namespace holdfast::redis {
namespace {

// One primary, node 0, and its replicas.
class ReplicaBench : public ClusterBench {
public:
    explicit ReplicaBench(int replicas) : ClusterBench(1 + replicas) {
        FakeShard shard;
        shard.last = 16'383;
        for (int i = 1; i <= replicas; ++i) {
            shard.replicas.push_back(i);
        }
        cluster.show({shard});
    }
    // Reads until each node was found; who answered the next ones.
    std::vector<std::size_t> answers(int reads) {
        std::vector<std::size_t> before;
        for (std::size_t i = 0; i < cluster.servers.size(); ++i) {
            before.push_back(heard(static_cast<int>(i), "GET"));
        }
        for (int i = 0; i < reads; ++i) {
            const auto got = run(get_of("k"));
            EXPECT_TRUE(got.ok()) << got.error().what();
        }
        std::vector<std::size_t> now;
        for (std::size_t i = 0; i < cluster.servers.size(); ++i) {
            now.push_back(heard(static_cast<int>(i), "GET") - before[i]);
        }
        return now;
    }
};

using Counts = std::vector<std::size_t>;

TEST(ReplicaReads, replicas_take_turns) {
    ReplicaBench bench(3);
    bench.open(RedisOptions().read_from(ReadFrom::prefer_replica));
    EXPECT_EQ(bench.answers(9), (Counts{0, 3, 3, 3}));
}

TEST(ReplicaReads, writes_and_what_is_no_read_go_to_the_primary_alone) {
    ReplicaBench bench(2);
    bench.open(RedisOptions().read_from(ReadFrom::prefer_replica));
    ASSERT_TRUE(bench.run(set_of("k", "1")).ok());
    ASSERT_TRUE(bench.run(incr_of("k")).ok());
    EXPECT_EQ(bench.heard(0, "SET") + bench.heard(0, "INCR"), 2U);
}

TEST(ReplicaReads, a_replica_that_loads_or_lost_its_primary_is_left_out_for_a_while) {
    for (const std::string said : {"-LOADING data\r\n", "-MASTERDOWN no link\r\n"}) {
        ReplicaBench bench(2);
        bool cannot = true;
        bench.first = [&](int node, const ServerWords& words) {
            return cannot && node == 1 && words[0] == "GET" ? ServerAnswer{said} : ServerAnswer{};
        };
        bench.open(RedisOptions().read_from(ReadFrom::prefer_replica));
        EXPECT_EQ(bench.answers(2)[1], 1U) << said;
        EXPECT_EQ(bench.answers(6), (Counts{0, 0, 6})) << said;
        cannot = false;
        bench.pass(static_cast<int>(replica_left_out.count()) + 100);
        EXPECT_EQ(bench.answers(6), (Counts{0, 3, 3})) << said;
    }
}

TEST(ReplicaReads, a_replica_that_is_lost_costs_no_read_and_comes_back_when_it_is_there) {
    ReplicaBench bench(2);
    bench.open(RedisOptions().read_from(ReadFrom::prefer_replica));
    EXPECT_EQ(bench.answers(4), (Counts{0, 2, 2}));
    bench.cluster.server(1).down();
    bench.pass(10);
    EXPECT_EQ(bench.answers(4), (Counts{0, 0, 4}));
    bench.cluster.server(2).down();
    bench.pass(10);
    EXPECT_EQ(bench.answers(4), (Counts{4, 0, 0})) << "the primary answers where nobody else does";
    bench.cluster.server(1).up();
    bench.cluster.server(2).up();
    bench.pass(10'000);
    EXPECT_EQ(bench.answers(4), (Counts{0, 2, 2}));
}

TEST(ReplicaReads, a_silent_replica_is_not_asked_by_those_who_come_later) {
    ReplicaBench bench(2);
    bench.open(RedisOptions().read_from(ReadFrom::prefer_replica));
    EXPECT_EQ(bench.answers(2), (Counts{0, 1, 1}));
    bench.cluster.server(1).mute = true;
    auto one = bench.client->start(get_of("k"), bench.in(20'000));
    auto two = bench.client->start(get_of("k"), bench.in(20'000));
    bench.pass(static_cast<int>(suspect_after.count()) + 100);
    EXPECT_EQ(bench.answers(6)[2], 6U);
    bench.pass(15'000);
    for (auto* call : {&one, &two}) {
        const auto got = call->get();
        EXPECT_TRUE(got.ok()) << name_of(got.error().code()) << ": " << got.error().what();
    }
}

TEST(ReplicaReads, the_nearest_answers_and_another_one_when_it_is_far) {
    ReplicaBench bench(2);
    int slow = 1;
    bench.first = [&](int node, const ServerWords& words) {
        ServerAnswer answer;
        if (words[0] == "PING") {
            answer.bytes = "+PONG\r\n";
            answer.after = Duration(node == 2 ? 300 : node == slow ? 900 : 600);
        }
        return answer;
    };
    bench.open(RedisOptions().read_from(ReadFrom::nearest));
    EXPECT_EQ(bench.answers(1), (Counts{1, 0, 0})) << "nothing is measured yet";
    bench.pass(2'000);
    EXPECT_EQ(bench.answers(3), (Counts{0, 0, 3}));
    bench.first = [&](int node, const ServerWords& words) {
        ServerAnswer answer;
        if (words[0] == "PING") {
            answer.bytes = "+PONG\r\n";
            answer.after = Duration(node == 0 ? 300 : 900);
        }
        return answer;
    };
    for (int i = 0; i < 15; ++i) {
        (void)bench.answers(1);
        bench.pass(static_cast<int>(read_ping_pause.count()));
    }
    EXPECT_EQ(bench.answers(3), (Counts{3, 0, 0}));
}

TEST(ReplicaReads, who_does_not_read_asks_nobody_how_far_he_is) {
    ReplicaBench bench(1);
    bench.open(RedisOptions().read_from(ReadFrom::nearest));
    ASSERT_TRUE(bench.run(set_of("k", "1")).ok());
    bench.pass(30'000);
    EXPECT_EQ(bench.heard(0, "PING") + bench.heard(1, "PING"), 0U);
    (void)bench.answers(1);
    bench.pass(60'000);
    const std::size_t asked = bench.heard(1, "PING");
    EXPECT_GE(asked, 1U);
    EXPECT_LE(asked, 3U) << "the questions end when nobody reads any more";
}

// Zones by a scripted server: HELLO of Valkey 8.1 names its own, no Redis does.
TEST(ReplicaReads, scripted_a_replica_of_our_zone_answers_then_the_primary_there) {
    ReplicaBench bench(2);
    const auto greets = [&](std::string primary, std::string one, std::string two) {
        return [=](int node, const ServerWords& words) {
            if (words[0] != "HELLO") {
                return ServerAnswer{};
            }
            const std::string& zone = node == 0 ? primary : node == 1 ? one : two;
            return ServerAnswer{
                "%3\r\n+version\r\n+8.1.0\r\n+proto\r\n:3\r\n" + bulk_reply("availability_zone") +
                bulk_reply(zone)
            };
        };
    };
    bench.first = greets("z1", "z2", "z1");
    bench.open(RedisOptions().read_from(ReadFrom::zone).zone("z1"));
    (void)bench.answers(1);
    bench.pass(100);
    EXPECT_EQ(bench.answers(4), (Counts{0, 0, 4}));
    bench.cluster.server(2).down();
    bench.pass(10);
    EXPECT_EQ(bench.answers(4), (Counts{4, 0, 0}));
}

}  // namespace
}  // namespace holdfast::redis
