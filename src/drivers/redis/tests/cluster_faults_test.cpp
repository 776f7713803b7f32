// Faults that clients of clusters have had, in virtual time.
#include "cluster_bench.h"
#include "fault_from_environment.h"

#include <holdfast/redis/commands.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace holdfast::redis {
namespace {

// As a port where nobody listens: dials come, and fail.
ServerAnswer hang_up() {
    return {"", true};
}

// The latest that so many of them came within one span.
std::size_t most_within(std::vector<SteadyTime> all, Duration span) {
    std::ranges::sort(all);
    std::size_t most = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        while (all[i] - all[first] >= span) {
            ++first;
        }
        most = std::max(most, i - first + 1);
    }
    return most;
}

// redis-plus-plus 579: a slot range is dead for minutes after its node was silent.
TEST(ClusterFaults, fault_26_a_silent_node_is_dialled_again_and_serves_its_slots) {
    ClusterBench bench(3);
    bench.open();
    const std::string key = bench.key_of(1);
    ASSERT_TRUE(bench.run(set_of(key, "1")).ok());
    // TCP stays up, and nobody resets it: only a new connection finds somebody.
    const int before = bench.cluster.server(1).connections;
    bench.first = [&, before](int node, const ServerWords&) {
        return node == 1 && bench.cluster.server(1).connections == before
                   ? ServerAnswer{"+late\r\n", false, Duration(15'000)}
                   : ServerAnswer{};
    };
    auto lost = bench.client->start(get_of(key), bench.in(1'000));
    bench.pass(8'000);
    const auto got = bench.run(get_of(key), 2'000);  // before late answers are given up
    ASSERT_TRUE(got.ok()) << got.error().what();
    EXPECT_EQ(got.value(), "1");
    EXPECT_GT(bench.cluster.server(1).connections, before);
}

// valkey-glide 4990: one shard's failover stalls the whole client; a refresh blocks commands.
TEST(ClusterFaults, fault_29_while_a_shard_fails_over_the_others_answer_as_before) {
    ClusterBench bench(3, true);
    bench.open();
    for (int node = 0; node < 3; ++node) {
        ASSERT_TRUE(bench.run(set_of(bench.key_of(node), "1")).ok());
    }
    bench.cluster.server(0).down();
    int lost_ended = 0;
    for (int i = 0; i < 50; ++i) {
        bench.client->spawn(incr_of(bench.key_of(0)), bench.in(2'000), [&](auto) { ++lost_ended; });
        const SteadyTime before = bench.runtime->now();
        const auto got = bench.run(get_of(bench.key_of(1 + i % 2)));
        ASSERT_TRUE(got.ok()) << got.error().what();
        EXPECT_LE((bench.runtime->now() - before).count(), 20);
        bench.pass(100);
    }
    EXPECT_GT(lost_ended, 20);
    bench.pass(3'000);
    EXPECT_EQ(lost_ended, 50);
}

// StackExchange.Redis 2853: a node that vanished is dialled without a pause.
TEST(ClusterFaults, fault_31_fifty_clients_dial_a_dead_node_seldom_and_not_together) {
    constexpr std::size_t count = 50;
    ClusterBench bench(2);
    std::vector<SteadyTime> dials;
    bool dead = false;
    bench.first = [&](int node, const ServerWords& words) -> ServerAnswer {
        if (dead && node == 0 && words[0] == "HELLO") {
            dials.push_back(bench.runtime->now());
            return hang_up();
        }
        return {};
    };
    std::vector<std::unique_ptr<Client>> clients;
    for (std::size_t i = 0; i < count; ++i) {
        RedisOptions options;
        options.cluster({bench.cluster.at(0), bench.cluster.at(1)});
        clients.push_back(std::move(open_redis(*bench.runtime, std::move(options))).value());
        ASSERT_TRUE(clients.back()->wait(set_of(bench.key_of(0), "1"), bench.in(1'000)).ok());
    }
    dead = true;
    bench.cluster.server(0).break_connections();
    // Somebody always wants something of it.
    for (int i = 0; i < 120; ++i) {
        for (const auto& client : clients) {
            client->spawn(get_of(bench.key_of(0)), bench.in(1'000), [](auto) {});
        }
        bench.pass(500);
    }
    // Half a minute after the first doubled pauses: one each 2.5 s on average, and the map's.
    const SteadyTime later = bench.runtime->now() - Duration(30'000);
    std::erase_if(dials, [&](SteadyTime at) { return at < later; });
    EXPECT_GT(dials.size(), count);
    EXPECT_LE(dials.size(), 30 * count);
    EXPECT_LE(most_within(dials, Duration(1'000)), count + count / 2);
    EXPECT_LE(most_within(dials, Duration(20)), count / 2) << "they come together";
    std::printf("dials of 50 clients in 30 s: %zu\n", dials.size());
    clients.clear();
}

// StackExchange.Redis: one huge reply makes all behind it late, on one node of many.
TEST(ClusterFaults, fault_49_a_large_reply_of_a_node_keeps_no_small_one_waiting) {
    ClusterBench bench(2);
    bench.open();
    const std::string large = bench.key_of(0, 0);
    const std::string small = bench.key_of(0, 1);
    ASSERT_TRUE(bench.run(set_of(small, "s")).ok());
    bench.first = [&](int, const ServerWords& words) -> ServerAnswer {
        if (words[0] == "GET" && words[1] == large) {
            return {bulk_reply(std::string(10'000, 'l')), false, Duration(1'000)};
        }
        return {};
    };
    bool ended = false;
    bench.client->spawn(get(large).bulky(), bench.in(60'000), [&](auto value) {
        ended = value.ok() && value.value()->size() == 10'000;
    });
    bench.pass(100);
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(bench.run(get_of(small), 400).ok());
    }
    EXPECT_FALSE(ended);
    bench.pass(50'000);
    EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace holdfast::redis
