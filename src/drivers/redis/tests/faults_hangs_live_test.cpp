// Faults by which other clients let callers hang, or threads spin, or peers stay dead. The numbers
// are those of the list in tests/faults/README.md.

#include "faults_scene.h"

#include <holdfast/redis/blocking_client.h>

#include <thread>

namespace holdfast::redis {
namespace {

constexpr Duration soon{200};

// redis-plus-plus: a command of unknown outcome is sent again.
TEST(RedisFaults, F4_a_write_of_unknown_outcome_is_not_sent_again) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port());
    ASSERT_TRUE(scene.run(ping()).ok());
    proxy.lose_reply(1);
    auto lost = scene.run(incr("count"));
    ASSERT_FALSE(lost.ok());
    EXPECT_EQ(lost.error().code(), Code::unreachable);
    EXPECT_EQ(lost.error().effect(), Effect::unknown);
    EXPECT_TRUE(scene.run(ping()).ok());
    EXPECT_EQ(in_words(server.raw().call({"GET", "count"})), "1");

    proxy.stall(Toward::client);
    auto late = scene.run(incr("count"), soon);
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::unknown);
    proxy.heal();
    EXPECT_TRUE(scene.run(ping()).ok());
    EXPECT_EQ(in_words(server.raw().call({"GET", "count"})), "2");
}

// Submits `calls` commands in one turn of the loop; each outcome is counted.
template <class Make>
Task<> submit_all(Client* client, Outcomes* outcomes, int calls, Deadline deadline, Make make) {
    Loop& loop = (co_await this_scope()).loop();
    for (int i = 0; i < calls; ++i) {
        spawn(loop, client->task(make(i), deadline), [outcomes](auto outcome) {
            outcomes->add(outcome);
        });
    }
    co_return Done();
}
Command<std::int64_t> incr_number(int i) {
    return incr("n:" + std::to_string(i));
}
Command<std::optional<std::string>> get_number(int i) {
    return get("n:" + std::to_string(i));
}

// Lettuce: a command that is not replayed after a loss is neither completed nor cancelled.
TEST(RedisFaults, F9_every_call_ends_when_its_connection_is_lost) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port());
    ASSERT_TRUE(scene.run(ping()).ok());
    proxy.black_hole(Toward::client);
    Outcomes outcomes;
    const std::size_t before = proxy.requests();
    auto submitted =
        submit_all(scene.client.get(), &outcomes, 100, scene.in(patience * 10), incr_number);
    EXPECT_TRUE(scene.wait(std::move(submitted)).ok());
    EXPECT_TRUE(eventually([&] { return proxy.requests() == before + 100; }));
    proxy.reset_all();
    proxy.heal();
    EXPECT_TRUE(eventually([&] { return outcomes.all() == 100; }));
    EXPECT_EQ(outcomes.unknown(), 100);
}

// rueidis: dead-locked in Do with a full ring when the server went.
TEST(RedisFaults, fault_13_a_server_that_dies_under_a_full_queue_leaves_no_caller_waiting) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultScene scene(server.port(), RedisOptions().in_flight_max(100).when_full(WhenFull::wait));
    ASSERT_TRUE(scene.run(ping()).ok());
    server.stop();
    Outcomes outcomes;
    const Deadline deadline = scene.in();
    EXPECT_TRUE(
        scene.wait(submit_all(scene.client.get(), &outcomes, 500, deadline, get_number)).ok()
    );
    server.kill();
    server.start();
    EXPECT_TRUE(eventually([&] { return outcomes.all() == 500; }, patience * 2));
    EXPECT_EQ(outcomes.good(), 500);
}

// rueidis: close() hangs when the ring is full.
TEST(RedisFaults, fault_14_close_ends_every_caller_of_a_full_queue) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultScene scene(server.port(), RedisOptions().in_flight_max(100).when_full(WhenFull::wait));
    ASSERT_TRUE(scene.run(ping()).ok());
    server.stop();
    Outcomes outcomes;
    const Deadline deadline = scene.in(patience * 10);
    EXPECT_TRUE(
        scene.wait(submit_all(scene.client.get(), &outcomes, 500, deadline, incr_number)).ok()
    );
    auto drained = scene.wait(scene.client->close(scene.in(soon)));
    EXPECT_TRUE(drained.ok() && !drained.value());
    EXPECT_TRUE(eventually([&] { return outcomes.all() == 500; }));
    EXPECT_EQ(outcomes.of(Code::closed), 500);
    EXPECT_EQ(outcomes.unknown(), 100);
}

// valkey-glide: memory grows for as long as the network is parted.
TEST(RedisFaults, fault_21_a_parted_network_costs_bounded_memory_and_each_call_its_deadline) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port(), RedisOptions().in_flight_max(100).silent_max(Duration(1'000)));
    ASSERT_TRUE(scene.run(ping()).ok());
    proxy.black_hole(Toward::server);
    Outcomes outcomes;
    const Deadline deadline = scene.in(Duration(500));
    EXPECT_TRUE(
        scene.wait(submit_all(scene.client.get(), &outcomes, 5'000, deadline, get_number)).ok()
    );
    EXPECT_TRUE(eventually([&] { return outcomes.all() == 5'000; }));
    EXPECT_EQ(outcomes.of(Code::overloaded), 4'900);
    proxy.heal();
    // What was given up keeps its place until the connection is given up too.
    EXPECT_TRUE(eventually([&] { return scene.run(ping()).ok(); }));
}

// Lettuce: no reset comes from a dead peer, and commands time out until the kernel gives up.
TEST(RedisFaults, fault_24_a_peer_that_is_dead_without_a_word_is_left_for_a_new_connection) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultProxy proxy(server.port());
    FaultScene scene(proxy.port(), RedisOptions().silent_max(soon));
    ASSERT_TRUE(scene.run(set("key", "value")).ok());
    server.stop();
    auto value = scene.client->start(get("key"), scene.in(patience * 10));
    EXPECT_TRUE(eventually([&] { return proxy.connections() >= 2; }));
    server.resume();
    ASSERT_EQ(value.wait_for(patience), std::future_status::ready);
    auto got = value.get();
    EXPECT_TRUE(got.ok() && got.value() == "value");
}

// StackExchange.Redis: callers that block hold the threads that would complete them.
TEST(RedisFaults, fault_50_more_blocked_threads_than_loops_all_end) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultScene scene(server.port());
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 32; ++i) {
            threads.emplace_back([&scene, &right, i] {
                for (int round = 1; round <= 20; ++round) {
                    auto count = scene.run(incr_number(i));
                    right += count.ok() && count.value() == round ? 1 : 0;
                }
            });
        }
    }
    EXPECT_EQ(right, 32 * 20);
}

TEST(RedisFaults, fault_50_a_blocking_client_hands_its_socket_on_to_who_still_waits) {
    RedisServer server(RedisServerOptions().memory_only());
    FaultProxy proxy(server.port());
    auto client = std::move(open_blocking_redis(RedisOptions().port(proxy.port())).value());
    ASSERT_TRUE(client->run(ping(), Deadline::in(patience, system_clock())).ok());
    proxy.latency(Duration(300));
    const std::size_t before = proxy.requests();
    std::atomic<bool> led = false;
    {
        const std::jthread leader([&] {
            led = client->run(incr("n"), Deadline::in(patience, system_clock())).ok();
        });
        ASSERT_TRUE(eventually([&] { return proxy.requests() > before; }));
        // The leader has its answer and goes while the server is at this one.
        auto slow = client->run(
            raw("DEBUG", words("SLEEP", "0.5"), no_keys()),
            Deadline::in(Duration(5'000), system_clock())
        );
        EXPECT_TRUE(slow.ok());
    }
    EXPECT_TRUE(led);
}

TEST(RedisFaults, fault_50_many_threads_of_a_blocking_client_are_all_answered) {
    RedisServer server(RedisServerOptions().memory_only());
    auto client = std::move(open_blocking_redis(RedisOptions().port(server.port())).value());
    std::atomic<int> right = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 16; ++i) {
            threads.emplace_back([&client, &right, i] {
                for (int round = 1; round <= 20; ++round) {
                    auto count =
                        client->run(incr_number(i), Deadline::in(patience, system_clock()));
                    right += count.ok() && count.value() == round ? 1 : 0;
                }
            });
        }
    }
    EXPECT_EQ(right, 16 * 20);
}

}  // namespace
}  // namespace holdfast::redis
