// What is seen of a blocking client from outside.
#include "fault_from_environment.h"

#include <holdfast/redis/blocking_client.h>
#include <holdfast/redis/commands/strings.h>

#include <gtest/gtest.h>
#include <live/redis_server.h>

#include <thread>

namespace holdfast::redis {
namespace {

using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

// No lock: the client speaks to it one thread at a time.
struct Seen final : RedisProbe {
    void call_ended(const CallReport& report) override {
        calls.emplace_back(report.command);
        outcomes.push_back(report.outcome);
        effects.push_back(report.effect);
    }
    void queue_changed(const QueueReport& report) override { most = std::max(most, report.calls); }
    void order_lost(std::string_view) override { events.emplace_back("order lost"); }
    void connected(std::string_view node, int protocol) override {
        events.push_back("connected " + std::string(node) + " " + std::to_string(protocol));
    }
    void connection_lost(std::string_view, const Error& why) override {
        events.push_back("lost " + std::string(why.what()));
    }
    void dial_failed(std::string_view, const Error& why) override {
        if (events.back() != "dial failed") {
            events.emplace_back("dial failed");
        }
        EXPECT_EQ(why.effect(), Effect::none);
    }

    std::vector<std::string> calls;
    std::vector<CallReport::Outcome> outcomes;
    std::vector<Effect> effects;
    std::vector<std::string> events;
    std::size_t most = 0;
};

struct Scene {
    explicit Scene(RedisServer& of)
        : seen(std::make_shared<Seen>()),
          client(std::move(open_blocking_redis(RedisOptions().port(of.port()).probe([this] {
                     ++asked;
                     return seen;
                 }))).value()) {}
    int asked = 0;
    std::shared_ptr<Seen> seen;
    std::unique_ptr<BlockingClient> client;
};

TEST(BlockingProbe, hears_how_each_call_ended) {
    RedisServer server(RedisServerOptions().memory_only());
    Scene scene(server);
    EXPECT_TRUE(scene.client->run(set("k", "v"), in(20'000)).ok());
    EXPECT_FALSE(scene.client->run(incr("k"), in(20'000)).ok());
    server.stop();
    EXPECT_FALSE(scene.client->run(append("k", "w"), in(50)).ok());
    server.resume();
    EXPECT_EQ(scene.asked, 1);
    using enum CallReport::Outcome;
    EXPECT_EQ(scene.seen->calls, (std::vector<std::string>{"SET", "INCR", "APPEND"}));
    EXPECT_EQ(scene.seen->outcomes, (std::vector{answered, error_reply, failed}));
    EXPECT_EQ(scene.seen->effects.back(), Effect::unknown);
    EXPECT_EQ(scene.seen->most, 1U);
}

TEST(BlockingProbe, hears_what_happens_to_the_connection) {
    RedisServer server;
    Scene scene(server);
    EXPECT_TRUE(scene.client->run(set("k", "v"), in(20'000)).ok());
    server.kill();
    EXPECT_FALSE(scene.client->run(incr("n"), in(200)).ok());  // the connection is lost
    EXPECT_FALSE(scene.client->run(incr("n"), in(200)).ok());  // and there is no other
    server.start();
    EXPECT_TRUE(scene.client->run(get("k"), in(20'000)).ok());
    const std::string connected = "connected 127.0.0.1:" + std::to_string(server.port()) + " 3";
    EXPECT_EQ(
        scene.seen->events,
        (std::vector<std::string>{connected, "lost the connection broke", "dial failed", connected})
    );
}

TEST(BlockingProbe, hears_one_thread_at_a_time) {
    RedisServer server(RedisServerOptions().memory_only());
    Scene scene(server);
    std::vector<std::thread> threads;
    for (int number = 0; number < 8; ++number) {
        threads.emplace_back([&] {
            for (int round = 0; round < 100; ++round) {
                EXPECT_TRUE(scene.client->run(incr("n"), in(20'000)).ok());
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(scene.seen->calls.size(), 800U);
}

}  // namespace
}  // namespace holdfast::redis
