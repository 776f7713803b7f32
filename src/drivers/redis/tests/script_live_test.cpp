// Scripts, walks and values of a type, by a client without loops against a server.
#include <holdfast/redis/blocking_client.h>
#include <holdfast/redis/codec.h>
#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/commands/sets.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/scan.h>
#include <holdfast/redis/script.h>

#include <gtest/gtest.h>
#include <live/redis_server.h>

#include <set>

namespace holdfast::redis {
namespace {

using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;

class RedisScriptLive : public ::testing::Test {
protected:
    Deadline soon() const { return Deadline::in(holdfast::testing::patience, system_clock()); }

    RedisServer server{RedisServerOptions().memory_only()};
    std::unique_ptr<BlockingClient> client =
        std::move(open_blocking_redis(std::move(RedisOptions().port(server.port())))).value();
};

TEST_F(RedisScriptLive, a_script_runs_also_after_the_server_forgot_it) {
    const Script script("return redis.call('incrby', KEYS[1], ARGV[1])");
    const auto run = [&] {
        return run_script(*client, script.call("k", "5").as(read_integer), soon());
    };
    EXPECT_EQ(run().value(), 5);
    EXPECT_EQ(run().value(), 10);
    ASSERT_TRUE(client->run(script_flush(), soon()).ok());
    EXPECT_EQ(run().value(), 15);
    EXPECT_TRUE(client->run(script_exists(script.sha1()), soon()).value().at(0));
}

TEST_F(RedisScriptLive, a_script_that_fails_after_a_write_says_that_it_may_have_written) {
    const Script script("redis.call('set', KEYS[1], 'done') return redis.call('incr', KEYS[1])");
    const auto reply = run_script(*client, script.call("k").as(read_integer), soon());
    ASSERT_FALSE(reply.ok());
    EXPECT_EQ(reply.error().code(), Code::invalid_argument);
    EXPECT_EQ(reply.error().effect(), Effect::unknown);
    EXPECT_EQ(client->run(get("k"), soon()).value(), "done");
}

TEST_F(RedisScriptLive, a_script_made_for_reading_is_refused_when_it_writes) {
    const Script script("return redis.call('set', KEYS[1], 'v')", Repeat::read);
    EXPECT_FALSE(run_script(*client, script.call("k"), soon()).ok());
    EXPECT_FALSE(client->run(get("k"), soon()).value().has_value());
}

TEST_F(RedisScriptLive, a_walk_sees_every_key_and_every_member) {
    std::set<std::string> expected;
    for (int i = 0; i < 1000; ++i) {
        const std::string name = "key:" + std::to_string(i);
        ASSERT_TRUE(client->run(set(name, "v"), soon()).ok());
        ASSERT_TRUE(client->run(sadd("members", name), soon()).ok());
        expected.insert(name);
    }
    std::set<std::string> keys;
    Scan<std::string> scan = scan_keys(ScanOptions().match("key:*").count(50));
    while (!scan.done()) {
        auto page = next_page(*client, scan, soon());
        ASSERT_TRUE(page.ok());
        keys.insert(page.value().begin(), page.value().end());
    }
    EXPECT_EQ(keys, expected);
    std::set<std::string> members;
    Scan<std::string> member_scan = scan_set("members", ScanOptions().count(100));
    while (!member_scan.done()) {
        auto page = next_page(*client, member_scan, soon());
        ASSERT_TRUE(page.ok());
        members.insert(page.value().begin(), page.value().end());
    }
    EXPECT_EQ(members, expected);
}

TEST_F(RedisScriptLive, a_number_of_64_bits_is_stored_and_found) {
    const std::int64_t number = 9'007'199'254'740'993;  // 2^53 + 1: no double
    ASSERT_TRUE(client->run(set_value<IntegerCodec>("k", number), soon()).ok());
    EXPECT_EQ(client->run(get_value<IntegerCodec>("k"), soon()).value(), number);
    EXPECT_FALSE(client->run(get_value<IntegerCodec>("none"), soon()).value().has_value());
}

}  // namespace
}  // namespace holdfast::redis
