// Threads that drive one encrypted socket themselves.
#include "fault_from_environment.h"

#include <holdfast/redis/blocking_client.h>
#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/commands/strings.h>

#include <gtest/gtest.h>
#include <live/redis_server.h>

#include <atomic>
#include <mutex>
#include <thread>

namespace holdfast::redis {
namespace {

using holdfast::testing::eventually;
using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

using Context = std::shared_ptr<const TlsContext>;

Context trusting(const RedisServer& server) {
    return open_tls_client(TlsClientOptions().ca(server.authority_file())).value();
}

RedisOptions options_of(const RedisServer& server) {
    return RedisOptions().port(server.tls_port());
}

std::unique_ptr<BlockingClient> open(const RedisOptions& options) {
    return std::move(open_blocking_redis(options)).value();
}

std::unique_ptr<BlockingClient> client_of(const RedisServer& server) {
    return open(options_of(server).tls(trusting(server)));
}

void expect_denied(BlockingClient& client, std::string_view why) {
    const auto got = client.run(get("k"), in(20'000));
    ASSERT_FALSE(got.ok());
    EXPECT_EQ(got.error().code(), Code::denied);
    EXPECT_EQ(got.error().effect(), Effect::none);
    EXPECT_EQ(got.error().what(), why);
}

TEST(BlockingTls, a_value_that_was_set_is_read_back) {
    const RedisServer server(RedisServerOptions().memory_only().tls());
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(20'000)).ok());
    EXPECT_EQ(client->run(get("k"), in(20'000)).value(), "v");
}

TEST(BlockingTls, a_server_of_another_authority_is_refused_at_once) {
    const RedisServer server(RedisServerOptions().memory_only().tls());
    auto stranger = open(options_of(server).tls(open_tls_client(TlsClientOptions()).value()));
    expect_denied(*stranger, "the peer's certificate is not trusted");
    const TlsClientOptions any = TlsClientOptions().verify(TlsVerify::none);
    auto careless = open(options_of(server).tls(open_tls_client(any).value()));
    EXPECT_TRUE(careless->run(get("k"), in(20'000)).ok());
}

TEST(BlockingTls, the_certificate_must_be_for_the_name_that_was_asked_for) {
    const RedisServer server(RedisServerOptions().memory_only().tls());
    auto named = open(options_of(server).tls(trusting(server)).tls_name("localhost"));
    EXPECT_TRUE(named->run(get("k"), in(20'000)).ok());
    auto other = open(options_of(server).tls(trusting(server)).tls_name("example.test"));
    expect_denied(*other, "the peer's certificate is for another host");
}

TEST(BlockingTls, a_client_certificate_is_shown_where_it_is_asked_for) {
    RedisServer server(RedisServerOptions().memory_only().tls_client_certificates());
    auto without = client_of(server);
    expect_denied(*without, "the peer refuses our certificate, or asks for one");
    const auto shown = server.client_certificate("app");
    const TlsClientOptions both = TlsClientOptions()
                                      .ca(server.authority_file())
                                      .certificate(shown.certificate)
                                      .key(shown.key);
    auto with = open(options_of(server).tls(open_tls_client(both).value()));
    EXPECT_TRUE(with->run(get("k"), in(20'000)).ok());
}

TEST(BlockingTls, certificates_are_asked_for_at_each_dial) {
    RedisServer server(RedisServerOptions().memory_only().tls());
    std::atomic<int> asked = 0;
    std::atomic<bool> right = false;
    const Context good = trusting(server);
    const Context wrong = open_tls_client(TlsClientOptions()).value();
    auto client = open(options_of(server).tls([&] {
        ++asked;
        return right ? good : wrong;
    }));
    expect_denied(*client, "the peer's certificate is not trusted");
    right = true;
    EXPECT_TRUE(client->run(set("k", "v"), in(20'000)).ok());
    const int before = asked;
    EXPECT_TRUE(client->run(get("k"), in(20'000)).ok());
    EXPECT_EQ(asked, before);
}

TEST(
    BlockingTls,
    a_connection_goes_on_when_the_servers_certificate_changes_and_the_next_one_is_checked
) {
    RedisServer server(RedisServerOptions().memory_only().tls());
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(20'000)).ok());
    server.change_certificate(RedisServer::Certificate::foreign);
    EXPECT_EQ(client->run(get("k"), in(20'000)).value(), "v");
    server.raw().call({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    // The first may have been written before the loss was seen.
    EXPECT_EQ(client->run(get("k"), in(20'000)).error().code(), Code::denied);
    expect_denied(*client, "the peer's certificate is not trusted");
    server.change_certificate(RedisServer::Certificate::good);
    EXPECT_EQ(client->run(get("k"), in(20'000)).value(), "v");
}

TEST(BlockingTls, many_threads_on_one_socket_get_their_own_values_large_and_small) {
    const RedisServer server(RedisServerOptions().memory_only().tls());
    auto client = client_of(server);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int number = 0; number < 16; ++number) {
        threads.emplace_back([&, number] {
            for (int round = 0; round < 50; ++round) {
                const std::string key =
                    "key-" + std::to_string(number) + "-" + std::to_string(round);
                const std::size_t size = number < 2 && round % 10 == 0 ? 1 << 20 : 40;
                const std::string value = key + std::string(size, static_cast<char>('a' + number));
                const bool kept = client->run(set(key, value), in(60'000)).ok();
                const auto got = client->run(get(key), in(60'000));
                wrong += kept && got.ok() && got.value() == value ? 0 : 1;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(server.raw().info("connected_clients"), "2");  // ours and the one that asks
}

TEST(BlockingTls, a_server_that_does_not_shake_hands_costs_a_caller_its_deadline) {
    RedisServer server(RedisServerOptions().memory_only().tls());
    const Context good = trusting(server);
    server.stop();
    auto client = open(options_of(server).tls(good));
    const auto late = client->run(set("k", "v"), in(100));
    ASSERT_FALSE(late.ok());
    EXPECT_EQ(late.error().code(), Code::unreachable);
    EXPECT_EQ(late.error().effect(), Effect::none);
    server.resume();
    EXPECT_TRUE(client->run(set("k", "v"), in(20'000)).ok());
}

TEST(BlockingTls, a_server_that_closed_an_idle_connection_costs_no_call) {
    const RedisServer server(RedisServerOptions().memory_only().tls());
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(20'000)).ok());
    server.raw().call({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"});
    const Deadline idle = in(static_cast<int>(idle_trusted_max.count()) + 50);
    EXPECT_TRUE(eventually([&] { return idle.passed(system_clock().steady_now()); }));
    const auto again = client->run(append("k", "w"), in(20'000));
    ASSERT_TRUE(again.ok()) << again.error().what();
    EXPECT_EQ(again.value(), 2);
}

TEST(BlockingTls, closing_ends_those_that_wait) {
    RedisServer server(RedisServerOptions().memory_only().tls());
    auto client = client_of(server);
    EXPECT_TRUE(client->run(set("k", "v"), in(20'000)).ok());
    server.stop();
    std::atomic<bool> began = false;
    std::thread caller([&] {
        began = true;
        const auto got = client->run(append("k", "w"), in(60'000));
        EXPECT_EQ(got.error().code(), Code::closed);
    });
    EXPECT_TRUE(eventually([&] { return began.load(); }));
    client->close();
    caller.join();
    server.resume();
}

}  // namespace
}  // namespace holdfast::redis
