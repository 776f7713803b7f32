// Lanes of a client against servers of their own: what a scripted server cannot prove.
#include <holdfast/io/compose.h>
#include <holdfast/redis/commands/lists.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/commands/transactions.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/transact.h>

#include <gtest/gtest.h>
#include <live/redis_server.h>

namespace holdfast::redis {
namespace {

using holdfast::testing::eventually;
using holdfast::testing::RawRedis;
using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

struct Live {
    explicit Live(const RedisServer& server)
        : runtime(std::move(open_runtime(RuntimeOptions().loops(1))).value()),
          client(std::move(open_redis(*runtime, RedisOptions().port(server.port()))).value()) {}
    template <class T>
    Result<T> wait(Task<T> task) {
        return holdfast::wait(*runtime, std::move(task));
    }
    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<Client> client;
};

Task<Durable<std::int64_t>> durable_incr(Client* client, Duration wait_max) {
    const Copies copies(1, wait_max);
    co_return co_await client->run_durable(incr("n"), copies, in(20'000));
}

TEST(RedisLive, a_durable_write_says_how_many_replicas_have_it) {
    const RedisServer primary(RedisServerOptions().memory_only());
    RedisServer replica(RedisServerOptions().memory_only().option(
        "replicaof", "127.0.0.1 " + std::to_string(primary.port())
    ));
    RawRedis raw = primary.raw();
    ASSERT_TRUE(eventually([&] { return raw.call({"WAIT", "1", "100"}).number == 1; }));
    Live live(primary);
    const auto kept = live.wait(durable_incr(live.client.get(), Duration(10'000)));
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(kept.value().acknowledged, 1);
    EXPECT_EQ(kept.value().connected, 1);
    replica.stop();
    const auto alone = live.wait(durable_incr(live.client.get(), Duration(50)));
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ(alone.value().value, 2);
    EXPECT_EQ(alone.value().acknowledged, 0);
    replica.resume();
}

TEST(RedisLive, a_subscription_hears_what_is_published_also_after_its_connection_was_killed) {
    const RedisServer server(RedisServerOptions().memory_only());
    Live live(server);
    RawRedis raw = server.raw();
    auto story = [](Client* client, RawRedis* publisher) -> Task<> {
        Loop& loop = (co_await this_scope()).loop();
        Channels channels;
        channels.channel("news").pattern("log.*");
        auto opened = client->subscribe(loop, std::move(channels));
        for (const char* text : {"one", "two"}) {
            auto begun = co_await opened.value().next();
            EXPECT_EQ(begun.value().kind, Message::Kind::subscribed);
            publisher->call({"PUBLISH", "news", text});
            publisher->call({"PUBLISH", "log.x", text});
            auto news = co_await opened.value().next();
            EXPECT_EQ(news.value().payload, text);
            auto line = co_await opened.value().next();
            EXPECT_EQ(line.value().pattern, "log.*");
            publisher->call({"CLIENT", "KILL", "TYPE", "PUBSUB"});
        }
        co_return Done();
    };
    EXPECT_TRUE(live.wait(story(live.client.get(), &raw)).ok());
}

Task<TransactionEnd> add_one(Lease& lease) {
    auto watched = co_await lease.run(watch("stock"), in(20'000));
    if (!watched.ok()) {
        co_return std::move(watched).error();
    }
    auto left = co_await lease.run(get("stock").as(read_integer), in(20'000));
    if (!left.ok()) {
        co_return std::move(left).error();
    }
    Transaction transaction;
    transaction.add(set("stock", std::to_string(left.value() + 1)));
    co_return co_await lease.run(transaction, in(20'000));
}

TEST(RedisLive, callers_that_watch_one_key_lose_no_change) {
    const RedisServer server(RedisServerOptions().memory_only());
    Live live(server);
    EXPECT_TRUE(live.client->wait(set("stock", "0"), in(20'000)).ok());
    std::vector<Task<TransactionEnd>> callers;
    for (int i = 0; i < 8; ++i) {
        callers.push_back(transact(live.client.get(), 1'000, in(20'000), add_one));
    }
    auto all = live.wait(when_all(std::move(callers)));
    for (const auto& end : all.value()) {
        EXPECT_EQ(end.value(), TransactionEnd::committed);
    }
    EXPECT_EQ(live.client->wait(get("stock"), in(20'000)).value(), "8");
}

TEST(RedisLive, a_blocked_pop_holds_nobody_up_and_takes_nothing_when_it_is_given_up) {
    const RedisServer server(RedisServerOptions().memory_only());
    Live live(server);
    RawRedis raw = server.raw();
    const auto waited = live.client->wait(blpop("queue", Duration(30'000)), in(200));
    EXPECT_EQ(waited.error().code(), Code::timed_out);
    EXPECT_TRUE(eventually([&] { return raw.info("blocked_clients") == "0"; }));
    EXPECT_TRUE(live.client->wait(rpush("queue", "job"), in(20'000)).ok());
    EXPECT_EQ(raw.call({"LLEN", "queue"}).number, 1);
}

}  // namespace
}  // namespace holdfast::redis
