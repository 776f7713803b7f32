// Durable writes against servers: two real replicas; and, where the installed Redis has not what is
// asked, a script that answers as one of 7.2 would (ScriptedRedis, said in the names).
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/durable_watch.h>

#include <faults/scripted_redis.h>
#include <gtest/gtest.h>
#include <live/redis_server.h>

namespace holdfast::redis {
namespace {

using holdfast::testing::Answer;
using holdfast::testing::array;
using holdfast::testing::bulk;
using holdfast::testing::eventually;
using holdfast::testing::RawRedis;
using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;
using holdfast::testing::ScriptedRedis;

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

struct Live {
    explicit Live(std::uint16_t port)
        : runtime(std::move(open_runtime(RuntimeOptions().loops(1))).value()),
          client(std::move(open_redis(*runtime, RedisOptions().port(port))).value()) {}
    template <class T>
    Result<T> wait(Task<T> task) {
        return holdfast::wait(*runtime, std::move(task));
    }
    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<Client> client;
};

Task<Durable<std::int64_t>> flushed(Client* client) {
    const Copies copies = Copies(1, Duration(1'000)).fsynced(true, 1);
    co_return co_await client->run_durable(incr("n"), copies, in(20'000));
}

void plays_primary(ScriptedRedis& server) {
    server.on({"INCR"}, ":1\r\n");
    server.on({"WAIT"}, ":1\r\n");
    const std::string replica = array({bulk("127.0.0.1"), bulk("6380"), bulk("100")});
    server.on({"ROLE"}, array({bulk("master"), ":100\r\n", array({replica})}));
}

TEST(ScriptedRedisOf72, waitaof_is_asked_once_and_then_with_each_group) {
    ScriptedRedis server;
    plays_primary(server);
    server.on({"WAITAOF"}, array({":1\r\n", ":1\r\n"}));
    Live live(server.port());
    for (int i = 0; i < 2; ++i) {
        const auto done = live.wait(flushed(live.client.get()));
        ASSERT_TRUE(done.ok());
        EXPECT_EQ(done.value().synced_here, 1);
        EXPECT_EQ(done.value().synced_replicas, 1);
        EXPECT_EQ(done.value().connected, 1);
    }
    EXPECT_EQ(server.heard({"WAITAOF"}), 3U);
    EXPECT_EQ(server.problem(), "");
}

TEST(ScriptedRedisOf72, setinfo_that_is_accepted_has_told_name_and_version) {
    ScriptedRedis server;
    plays_primary(server);
    Live live(server.port());
    EXPECT_TRUE(live.client->wait(incr("n"), in(20'000)).ok());
    EXPECT_EQ(server.heard({"CLIENT", "SETINFO", "LIB-NAME", "holdfast"}), 1U);
    EXPECT_EQ(server.heard({"CLIENT", "SETINFO", "LIB-VER"}), 1U);
}

TEST(ScriptedRedisOf72, setinfo_that_is_refused_harms_nobody) {
    ScriptedRedis server;
    plays_primary(server);
    server.on(
        {"CLIENT", "SETINFO"}, "-ERR lib-name cannot contain spaces, newlines or special chars\r\n"
    );
    Live live(server.port());
    EXPECT_TRUE(live.client->wait(incr("n"), in(20'000)).ok());
    EXPECT_EQ(server.heard({"CLIENT", "SETINFO"}), 2U);
    EXPECT_EQ(server.connections(), 1U);
}

TEST(RedisDurableLive, a_server_without_waitaof_gets_no_write_that_asks_for_it) {
    const RedisServer server;
    RawRedis raw = server.raw();
    const bool has_it = !raw.call({"WAITAOF", "0", "0", "1"}).is_error();  // 7.2 and later
    Live live(server.port());
    const auto outcome = live.wait(flushed(live.client.get()));
    EXPECT_EQ(outcome.ok(), has_it);
    EXPECT_EQ(raw.call({"GET", "n"}).is_null(), !has_it);
    if (!outcome.ok()) {
        EXPECT_EQ(outcome.error().code(), Code::unsupported);
        EXPECT_EQ(outcome.error().effect(), Effect::none);
    }
}

RedisServerOptions replica_of(const RedisServer& primary) {
    return RedisServerOptions().option("replicaof", "127.0.0.1 " + std::to_string(primary.port()));
}

Task<Durable<std::int64_t>> kept_incr(Client* client, RequiredCopies* required, Duration wait) {
    const Copies copies(*required, wait);
    co_return co_await client->run_durable(incr("n"), copies, in(20'000));
}

TEST(RedisDurableLive, a_replica_that_is_missing_stops_writes_until_it_is_back) {
    const RedisServer primary;
    const RedisServer first(replica_of(primary));
    RedisServer second(replica_of(primary));
    RawRedis raw = primary.raw();
    ASSERT_TRUE(eventually([&] { return raw.call({"WAIT", "2", "100"}).number == 2; }));
    Live live(primary.port());
    RequiredCopies required(WaitRule::automatic());
    Stop stop;
    std::atomic<bool> ended = false;
    spawn(
        live.runtime->loop(0),
        watch_copies(*live.client, required),
        [&](Result<Done>) { ended = true; },
        &stop
    );
    Client* client = live.client.get();
    const auto kept = live.wait(kept_incr(client, &required, Duration(10'000)));
    ASSERT_TRUE(kept.ok());
    EXPECT_EQ(kept.value().acknowledged, 2);
    EXPECT_EQ(required.required(), 2);

    second.kill();  // the first write may still be sent; then it is known
    EXPECT_TRUE(eventually([&] {
        const auto refused = live.wait(kept_incr(client, &required, Duration(50)));
        EXPECT_FALSE(refused.ok());
        return !refused.ok() && refused.error().effect() == Effect::none;
    }));
    const std::string before = raw.call({"GET", "n"}).text;
    EXPECT_FALSE(live.wait(kept_incr(client, &required, Duration(50))).ok());
    EXPECT_EQ(raw.call({"GET", "n"}).text, before);

    second.start();
    EXPECT_TRUE(eventually([&] {
        return live.wait(kept_incr(client, &required, Duration(1'000))).ok();
    }));
    stop.request();
    EXPECT_TRUE(eventually([&] { return ended.load(); }));
}

}  // namespace
}  // namespace holdfast::redis
