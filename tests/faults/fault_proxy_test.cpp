#include <faults/fault_proxy.h>
#include <gtest/gtest.h>
#include <live/redis_server.h>
#include <sys/socket.h>

#include <cerrno>

namespace holdfast::testing {
namespace {

constexpr Duration silence = std::chrono::milliseconds(50);

class Proxied : public ::testing::Test {
protected:
    RedisServer server{RedisServerOptions().memory_only()};
    FaultProxy proxy{server.port()};

    std::int64_t counter() { return server.raw().call({"INCRBY", "n", "0"}).number; }
    // The server has seen all that the proxy passed on: its side of each cut connection is closed.
    void settle() {
        EXPECT_TRUE(eventually([&] { return proxy.open_connections() == 0; }));
    }
};

// How the connection of `redis` ends.
std::string end_of(RawRedis& redis) {
    std::string bytes(65536, '\0');
    for (;;) {
        const ssize_t got = recv(redis.descriptor(), bytes.data(), bytes.size(), 0);
        if (got == 0) {
            return "end";
        }
        if (got < 0) {
            return errno == ECONNRESET ? "reset" : "another error";
        }
    }
}

TEST_F(Proxied, passes_all_on_without_faults) {
    RawRedis redis(proxy.port());
    const std::string big(3'000'000, 'x');
    EXPECT_EQ(in_words(redis.call({"SET", "a", big})), "OK");
    EXPECT_EQ(redis.call({"GET", "a"}).text, big);
    EXPECT_EQ(proxy.requests(), 2U);
    EXPECT_EQ(proxy.replies(), 2U);
    EXPECT_EQ(proxy.connections(), 1U);
}

TEST_F(Proxied, an_ended_client_ends_at_the_server_too) {
    {
        RawRedis redis(proxy.port());
        redis.call({"PING"});
    }
    settle();
    EXPECT_TRUE(eventually([&] { return server.raw().info("connected_clients") == "1"; }));
}

TEST_F(Proxied, a_killed_server_ends_its_clients) {
    RawRedis redis(proxy.port());
    redis.call({"PING"});
    server.kill();
    EXPECT_TRUE(redis.ends_within());
    RawRedis late(proxy.port());
    EXPECT_TRUE(late.ends_within());
}

TEST_F(Proxied, latency_delays_each_way) {
    RawRedis redis(proxy.port());
    proxy.latency(silence);
    const SteadyTime began = system_clock().steady_now();
    EXPECT_EQ(redis.call({"PING"}).text, "PONG");
    const Duration rounding = std::chrono::milliseconds(2);
    EXPECT_GE(system_clock().steady_now() - began, 2 * silence - rounding);
    proxy.heal();
    EXPECT_EQ(redis.call({"PING"}).text, "PONG");
}

TEST_F(Proxied, slices_come_one_by_one) {
    RawRedis redis(proxy.port());
    proxy.slice(Toward::client, 4, std::chrono::hours(1));
    redis.send({"ECHO", "hello"});
    std::string bytes(100, '\0');
    EXPECT_EQ(recv(redis.descriptor(), bytes.data(), bytes.size(), 0), 4);
    EXPECT_EQ(bytes.substr(0, 4), "$5\r\n");
    EXPECT_THROW(redis.read(silence), RawFailure);
    proxy.heal();
    EXPECT_EQ(recv(redis.descriptor(), bytes.data(), 7, MSG_WAITALL), 7);
    EXPECT_EQ(bytes.substr(0, 7), "hello\r\n");
}

TEST_F(Proxied, sliced_both_ways_all_comes) {
    RawRedis redis(proxy.port());
    proxy.slice(Toward::client, 1);
    proxy.slice(Toward::server, 1, std::chrono::milliseconds(1));
    const std::string text(50, 't');
    EXPECT_EQ(redis.call({"ECHO", text}).text, text);
}

TEST_F(Proxied, a_black_hole_toward_the_server_swallows_requests) {
    RawRedis redis(proxy.port());
    proxy.black_hole(Toward::server);
    redis.send({"INCR", "n"});
    EXPECT_THROW(redis.read(silence), RawFailure);
    EXPECT_EQ(counter(), 0);
}

TEST_F(Proxied, a_black_hole_toward_the_client_swallows_replies) {
    RawRedis redis(proxy.port());
    proxy.black_hole(Toward::client);
    redis.send({"INCR", "n"});
    EXPECT_TRUE(eventually([&] { return counter() == 1; }));
    EXPECT_THROW(redis.read(silence), RawFailure);
}

TEST_F(Proxied, what_was_stalled_goes_on) {
    RawRedis redis(proxy.port());
    proxy.stall(Toward::client);
    redis.send({"INCR", "n"});
    EXPECT_TRUE(eventually([&] { return counter() == 1; }));
    EXPECT_THROW(redis.read(silence), RawFailure);
    proxy.heal();
    EXPECT_EQ(redis.read().number, 1);
}

TEST_F(Proxied, a_stall_fills_the_window_of_a_writer) {
    RawRedis redis(proxy.port());
    proxy.stall(Toward::server);
    const std::string megabyte(1 << 20, 'x');
    std::size_t sent = 0;
    ssize_t last = 0;
    while (sent < (std::size_t{256} << 20) && last >= 0) {
        last =
            send(redis.descriptor(), megabyte.data(), megabyte.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        sent += static_cast<std::size_t>(last > 0 ? last : 0);
    }
    EXPECT_EQ(last, -1);
    EXPECT_EQ(errno, EAGAIN);
}

TEST_F(Proxied, reset_all_resets) {
    RawRedis redis(proxy.port());
    redis.call({"PING"});
    proxy.reset_all();
    EXPECT_EQ(end_of(redis), "reset");
    settle();
    EXPECT_EQ(RawRedis(proxy.port()).call({"PING"}).text, "PONG");
}

TEST_F(Proxied, half_closed_toward_the_client_still_carries_requests) {
    RawRedis redis(proxy.port());
    redis.call({"PING"});
    proxy.half_close(Toward::client);
    EXPECT_EQ(end_of(redis), "end");
    redis.send({"INCR", "n"});
    EXPECT_TRUE(eventually([&] { return counter() == 1; }));
}

TEST_F(Proxied, half_closed_toward_the_server_ends_there) {
    RawRedis redis(proxy.port());
    redis.call({"PING"});
    proxy.half_close(Toward::server);
    EXPECT_EQ(end_of(redis), "end");  // Redis closes when its client has ended
}

// Whoever ends afterwards, and however.
TEST_F(Proxied, after_a_half_close_no_descriptor_stays) {
    for (const Toward direction : {Toward::client, Toward::server}) {
        {
            RawRedis redis(proxy.port());
            redis.call({"SET", "big", std::string(1 << 20, 'x')});
            proxy.half_close(direction);
        }
        settle();
        {  // a window full of what the client never reads: it ends with a reset
            RawRedis redis(proxy.port());
            for (int i = 0; i < 16; ++i) {
                redis.send({"GET", "big"});
            }
            const std::size_t before = proxy.replies();
            EXPECT_TRUE(eventually([&] { return proxy.replies() > before + 3; }));
            proxy.half_close(direction);
        }
        settle();
        {
            RawRedis redis(proxy.port());
            redis.call({"PING"});
            proxy.half_close(direction);
            server.kill();
        }
        settle();
        server.start();
    }
}

TEST_F(Proxied, cut_after_request_executes_it_and_no_later_one) {
    RawRedis redis(proxy.port());
    redis.call({"PING"});
    proxy.cut_after_request(2);
    std::string pipeline;
    for (int i = 0; i < 4; ++i) {
        pipeline += "*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n";
    }
    redis.send_bytes(pipeline);
    EXPECT_EQ(end_of(redis), "reset");
    EXPECT_TRUE(proxy.done());
    settle();
    EXPECT_EQ(counter(), 2);
}

TEST_F(Proxied, cut_inside_request_does_not_execute_it) {
    RawRedis redis(proxy.port());
    proxy.cut_inside_request(2, 10, Cut::close);
    redis.send_bytes("*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n");
    EXPECT_EQ(end_of(redis), "end");
    EXPECT_TRUE(proxy.done());
    EXPECT_TRUE(eventually([&] { return counter() == 1; }));
}

TEST_F(Proxied, cut_after_reply_lets_it_through) {
    RawRedis redis(proxy.port());
    proxy.cut_after_reply(2);
    redis.send_bytes("*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n");
    EXPECT_EQ(redis.read().number, 1);
    EXPECT_EQ(redis.read().number, 2);
    EXPECT_EQ(end_of(redis), "reset");
}

TEST_F(Proxied, cut_inside_reply_lets_its_beginning_through) {
    server.raw().call({"SET", "a", "hello"});
    RawRedis redis(proxy.port());
    proxy.cut_inside_reply(1, 6, Cut::close);
    redis.send({"GET", "a"});
    std::string bytes(100, '\0');
    EXPECT_EQ(recv(redis.descriptor(), bytes.data(), bytes.size(), MSG_WAITALL), 6);
    EXPECT_EQ(bytes.substr(0, 6), "$5\r\nhe");
}

TEST_F(Proxied, a_lost_reply_is_of_an_executed_request) {
    RawRedis redis(proxy.port());
    proxy.lose_reply(2);
    EXPECT_EQ(redis.call({"INCR", "n"}).number, 1);
    redis.send({"INCR", "n"});
    EXPECT_EQ(end_of(redis), "reset");
    EXPECT_TRUE(proxy.done());
    EXPECT_EQ(counter(), 2);
}

TEST_F(Proxied, a_swallowed_reply_shifts_those_behind_it) {
    RawRedis redis(proxy.port());
    proxy.swallow_reply(1);
    redis.send({"ECHO", "first"});
    redis.send({"ECHO", "second"});
    EXPECT_EQ(redis.read().text, "second");
}

TEST_F(Proxied, numbers_count_over_all_connections_from_the_call_on) {
    RawRedis one(proxy.port());
    RawRedis other(proxy.port());
    one.call({"PING"});
    proxy.swallow_reply(2);
    EXPECT_EQ(other.call({"PING"}).text, "PONG");
    EXPECT_FALSE(proxy.done());
    one.send({"PING"});
    EXPECT_TRUE(eventually([&] { return proxy.done(); }));
    EXPECT_THROW(one.read(silence), RawFailure);
}

TEST_F(Proxied, held_pushes_come_behind_the_replies) {
    RawRedis redis(proxy.port());
    redis.call({"HELLO", "3"});
    redis.call({"SUBSCRIBE", "news"});
    proxy.hold_pushes();
    server.raw().call({"PUBLISH", "news", "hello"});
    EXPECT_EQ(redis.call({"ECHO", "reply"}).text, "reply");
    EXPECT_TRUE(eventually([&] { return proxy.pushes() == 2; }));
    EXPECT_THROW(redis.read(silence), RawFailure);
    proxy.heal();
    EXPECT_EQ(in_words(redis.read()), "[message news hello]");
}

TEST_F(Proxied, refuses_and_listens_again) {
    RawRedis redis(proxy.port());
    redis.call({"PING"});
    proxy.refuse();
    EXPECT_THROW(RawRedis(proxy.port()), RawFailure);
    EXPECT_EQ(redis.call({"PING"}).text, "PONG");  // what is open stays
    proxy.heal();
    EXPECT_EQ(RawRedis(proxy.port()).call({"PING"}).text, "PONG");
}

TEST_F(Proxied, stands_at_another_address_and_tells_of_servers_there) {
    FaultProxy elsewhere("127.0.0.2", server.port(), server.port());
    elsewhere.replace("127.0.0.1", "127.0.0.2");
    RawRedis redis("127.0.0.2", server.port());
    EXPECT_EQ(redis.call({"ECHO", "at 127.0.0.1, 127.0.0.1"}).text, "at 127.0.0.2, 127.0.0.2");
    redis.call({"SET", "a", "127.0.0.1"});
    EXPECT_EQ(server.raw().call({"GET", "a"}).text, "127.0.0.1");
    EXPECT_EQ(elsewhere.connections(), 1U);
}

TEST_F(Proxied, may_carry_what_is_not_the_protocol) {
    FaultProxy bare(server.port(), FaultProxy::Reads::bytes);
    RawRedis redis(bare.port());
    redis.send_bytes("PING\r\n");
    EXPECT_EQ(redis.read().text, "PONG");
    RawRedis inline_redis(proxy.port());
    inline_redis.send_bytes("PING\r\n");
    EXPECT_EQ(inline_redis.read().text, "PONG");
}

// F-faults of drivers begin with such a race: the proxy must not be the one that errs under it.
TEST_F(Proxied, carries_many_connections_at_once) {
    std::vector<RawRedis> clients;
    for (int i = 0; i < 64; ++i) {
        clients.emplace_back(proxy.port());
    }
    for (int round = 0; round < 10; ++round) {
        for (std::size_t i = 0; i < clients.size(); ++i) {
            clients[i].send({"ECHO", std::to_string(i)});
        }
        for (std::size_t i = 0; i < clients.size(); ++i) {
            ASSERT_EQ(clients[i].read().text, std::to_string(i));
        }
    }
}

}  // namespace
}  // namespace holdfast::testing
