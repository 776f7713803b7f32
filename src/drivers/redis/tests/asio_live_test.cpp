// A client on an io_context of the program.

#include "faults_scene.h"

#include <holdfast/io/asio.h>

#include <boost/asio/io_context.hpp>

namespace holdfast::redis {
namespace {

TEST(RedisInAsio, a_client_lives_on_the_programs_io_context_and_ends_with_close) {
    RedisServer server(RedisServerOptions().memory_only());
    boost::asio::io_context io;
    AsioHost host(io);
    auto client = std::move(open_redis(host.loop(), RedisOptions().port(server.port()))).value();
    const Deadline deadline = Deadline::in(patience, host.loop().now());
    std::optional<Result<std::int64_t>> count;
    std::optional<Result<bool>> closed;
    async_run(host, client->task(incr("n"), deadline), [&](Result<std::int64_t> got) {
        count.emplace(std::move(got));
        async_run(host, client->close(deadline), [&](Result<bool> all) {
            closed.emplace(std::move(all));
        });
    });
    io.run();  // comes back by itself
    ASSERT_TRUE(count.has_value() && count->ok());
    EXPECT_EQ(count->value(), 1);
    EXPECT_TRUE(closed.has_value() && closed->ok() && closed->value());
}

TEST(RedisInAsio, one_that_is_destroyed_with_calls_in_flight_leaves_nothing_behind) {
    RedisServer server(RedisServerOptions().memory_only());
    boost::asio::io_context io;
    AsioHost host(io);
    auto client = std::move(open_redis(host.loop(), RedisOptions().port(server.port()))).value();
    const Deadline deadline = Deadline::in(patience, host.loop().now());
    std::optional<Code> code;
    async_run(host, client->task(incr("n"), deadline), [&](Result<std::int64_t> got) {
        code = got.ok() ? Code::internal : got.error().code();
    });
    io.poll_one();
    client.reset();
    io.run();
    EXPECT_EQ(code, Code::closed);
}

TEST(RedisInAsio, a_subscription_lives_there_too) {
    RedisServer server(RedisServerOptions().memory_only());
    boost::asio::io_context io;
    AsioHost host(io);
    auto client = std::move(open_redis(host.loop(), RedisOptions().port(server.port()))).value();
    auto opened = client->subscribe(host.loop(), Channels().channel("news"));
    ASSERT_TRUE(opened.ok());
    std::optional<Subscription> news(std::move(opened).value());
    std::optional<Result<Message>> begun;
    async_run(host, news->next(), [&](Result<Message> message) {
        begun.emplace(std::move(message));
        news.reset();
    });
    io.run();
    ASSERT_TRUE(begun.has_value() && begun->ok());
    EXPECT_EQ(begun->value().kind, Message::Kind::subscribed);
}

TEST(RedisInAsio, waiting_would_be_for_ever_and_is_refused) {
    boost::asio::io_context io;
    AsioHost host(io);
    auto client = std::move(open_redis(host.loop(), RedisOptions())).value();
    auto refused = client->wait(ping(), Deadline::in(patience, host.loop().now()));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast::redis
