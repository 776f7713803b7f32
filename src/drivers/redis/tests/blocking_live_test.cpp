// Threads that drive one socket themselves, against a server of their own.
#include <holdfast/redis/blocking_client.h>
#include <holdfast/redis/commands/connection.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/owned_reply.h>

#include <gtest/gtest.h>
#include <live/redis_server.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace holdfast::redis {
namespace {

using holdfast::testing::eventually;
using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

std::unique_ptr<BlockingClient> client_of(const RedisServer& server) {
    return std::move(open_blocking_redis(RedisOptions().port(server.port()))).value();
}

TEST(BlockingClient, a_value_that_was_set_is_read_back) {
    const RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(5'000)).ok());
    EXPECT_EQ(client->run(get("k"), in(5'000)).value(), "v");
    auto unix = open_blocking_redis(RedisOptions().unix_socket(server.socket_path()));
    EXPECT_EQ(unix.value()->run(get("k"), in(5'000)).value(), "v");
}

TEST(BlockingClient, many_threads_on_one_socket_get_their_own_values) {
    const RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int number = 0; number < 16; ++number) {
        threads.emplace_back([&, number] {
            for (int round = 0; round < 200; ++round) {
                const std::string key =
                    "key-" + std::to_string(number) + "-" + std::to_string(round);
                const bool kept = client->run(set(key, "of " + key), in(20'000)).ok();
                const auto got = client->run(get(key), in(20'000));
                wrong += kept && got.ok() && got.value() == "of " + key ? 0 : 1;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(server.raw().info("connected_clients"), "2");  // ours and the one that asks
}

TEST(BlockingClient, a_batch_has_an_answer_for_each_command) {
    const RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    Batch batch;
    const auto n = batch.add(incr("n"));
    const auto wrong = batch.add(append("n", "x"));
    const auto again = batch.add(incr("n"));
    EXPECT_TRUE(client->run(batch, in(5'000)).ok());
    EXPECT_EQ(batch.get(n).value(), 1);
    EXPECT_TRUE(batch.get(wrong).ok());
    EXPECT_EQ(batch.get(again).error().code(), Code::invalid_argument);
    EXPECT_EQ(batch.get(again).error().effect(), Effect::none);
}

TEST(BlockingClient, a_server_that_stands_still_costs_each_caller_its_own_deadline) {
    RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(5'000)).ok());
    server.stop();
    std::atomic<int> late = 0;
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number) {
        threads.emplace_back([&, number] {
            const auto got = client->run(incr("n"), in(100 + 50 * number));
            late += !got.ok() && got.error().code() == Code::timed_out ? 1 : 0;
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(late, 4);
    server.resume();
    EXPECT_EQ(client->run(get("k"), in(20'000)).value(), "v");
}

TEST(BlockingClient, a_server_that_was_killed_is_dialled_again) {
    RedisServer server;
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(5'000)).ok());
    server.kill();
    const auto down = client->run(incr("n"), in(200));
    EXPECT_EQ(down.error().code(), Code::unreachable);
    server.start();
    EXPECT_EQ(client->run(get("k"), in(20'000)).value(), "v");
}

TEST(BlockingClient, a_server_that_closed_an_idle_connection_costs_no_call) {
    RedisServer server;
    auto client = client_of(server);
    EXPECT_EQ(client->run(incr("n"), in(5'000)).value(), 1);
    server.restart();
    const Deadline idle = in(static_cast<int>(idle_trusted_max.count()) + 50);
    EXPECT_TRUE(eventually([&] { return idle.passed(system_clock().steady_now()); }));
    const auto again = client->run(incr("n"), in(20'000));
    ASSERT_TRUE(again.ok()) << again.error().what();
    EXPECT_EQ(again.value(), 2);
}

TEST(BlockingClient, a_wrong_password_is_told_at_once) {
    const RedisServer server(RedisServerOptions().memory_only().password("right"));
    RedisOptions options;
    options.port(server.port()).credentials("", Secret("wrong"));
    auto client = std::move(open_blocking_redis(options)).value();
    const auto refused = client->run(get("k"), in(20'000));
    EXPECT_EQ(refused.error().code(), Code::denied);
    EXPECT_EQ(refused.error().effect(), Effect::none);
}

TEST(BlockingClient, commands_that_would_hold_up_the_others_are_refused) {
    const RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    for (const Lane lane : {Lane::blocking, Lane::lease, Lane::push}) {
        Command<OwnedReply> command(std::move(AnyCommand("X").set_lane(lane)), read_reply);
        EXPECT_EQ(client->run(command, in(5'000)).error().code(), Code::invalid_argument);
    }
}

// Rule L10 of the store contract: two processes on one socket would read each other's replies.
TEST(BlockingClient, a_forked_child_hears_closed_and_its_parents_connection_goes_on) {
    const RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    ASSERT_TRUE(client->run(set("k", "v"), in(5'000)).ok());
    const std::string connections = server.raw().info("total_connections_received");
    for (int i = 0; i < 10; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            const auto got = client->run(get("k"), in(2'000));
            const bool refused = !got.ok() && got.error().code() == Code::closed &&
                                 got.error().effect() == Effect::none;
            client.reset();
            ::_exit(refused ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        EXPECT_EQ(client->run(get("k"), in(5'000)).value(), "v");
    }
    // Ours is the first one still: those since are of the raw clients that ask.
    EXPECT_EQ(
        std::stoi(server.raw().info("total_connections_received")), std::stoi(connections) + 1
    );
}

TEST(BlockingClient, closing_ends_those_that_wait) {
    RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(5'000)).ok());
    server.stop();
    std::atomic<int> ended = 0;
    std::atomic<int> began = 0;
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number) {
        threads.emplace_back([&] {
            ++began;
            const auto got = client->run(incr("n"), in(60'000));
            ended += !got.ok() && got.error().code() == Code::closed ? 1 : 0;
        });
    }
    EXPECT_TRUE(eventually([&] { return began == 4; }));
    client->close();
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(ended, 4);
    EXPECT_EQ(client->run(get("k"), in(5'000)).error().code(), Code::closed);
    server.resume();
}

TEST(BlockingClient, a_pipeline_larger_than_the_buffers_of_sockets_is_read_while_it_is_written) {
    const RedisServer server(RedisServerOptions().memory_only());
    auto client = client_of(server);
    const std::string value(100'000, 'x');
    Batch batch;
    for (int i = 0; i < 300; ++i) {
        AnyCommand echo("ECHO");
        echo.add(value);
        batch.add_any(echo);
    }
    EXPECT_TRUE(client->run(batch, in(60'000)).ok());
    ASSERT_EQ(batch.replies().size(), 300U);
    EXPECT_EQ(batch.replies()[299].text(), value);
}

}  // namespace
}  // namespace holdfast::redis
