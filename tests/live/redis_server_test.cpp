// The servers of live tests do what their tests rely on.
#include <gtest/gtest.h>
#include <live/redis_server.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace holdfast::testing {
namespace {

RedisServerOptions quick() {
    return RedisServerOptions().memory_only();
}

TEST(RedisServer, answers_as_soon_as_it_is_made) {
    const RedisServer server(quick());
    RawRedis redis = server.raw();
    EXPECT_EQ(in_words(redis.call({"PING"})), "PONG");
    EXPECT_EQ(in_words(redis.call({"SET", "a", "1"})), "OK");
    EXPECT_EQ(redis.call({"INCR", "a"}).number, 2);
    EXPECT_EQ(in_words(redis.call({"LRANGE", "none", "0", "-1"})), "[]");
    EXPECT_TRUE(redis.call({"GET", "none"}).is_null());
    EXPECT_TRUE(redis.call({"LPUSH", "a", "x"}).is_error());
}

TEST(RedisServer, listens_on_a_unix_socket_too) {
    const RedisServer server(quick());
    RawRedis redis(server.socket_path());
    EXPECT_EQ(in_words(redis.call({"PING"})), "PONG");
}

TEST(RedisServer, two_of_them_do_not_meet) {
    const RedisServer one(quick());
    const RedisServer other(quick());
    EXPECT_NE(one.port(), other.port());
    one.raw().call({"SET", "a", "1"});
    EXPECT_TRUE(other.raw().call({"GET", "a"}).is_null());
}

TEST(RedisServer, keeps_what_it_answered_over_kill_and_restart) {
    RedisServer server;
    RawRedis before = server.raw();
    ASSERT_EQ(in_words(before.call({"SET", "a", "kept"})), "OK");
    server.kill();
    EXPECT_TRUE(before.ends_within());
    EXPECT_THROW(server.raw(), RawFailure);
    server.restart();
    EXPECT_EQ(server.raw().call({"GET", "a"}).text, "kept");
}

TEST(RedisServer, a_stopped_one_is_silent_until_it_is_resumed) {
    RedisServer server(quick());
    RawRedis redis = server.raw();
    server.stop();
    redis.send({"PING"});
    EXPECT_THROW(redis.read(std::chrono::milliseconds(50)), RawFailure);
    const RawRedis accepted(server.port());  // by the kernel
    server.resume();
    EXPECT_EQ(in_words(redis.read()), "PONG");
}

TEST(RedisServer, a_stopped_one_can_be_killed_and_shut_down_ones_started) {
    RedisServer server(quick());
    server.stop();
    server.restart();
    server.shut_down();
    EXPECT_FALSE(server.runs());
    server.start();
    EXPECT_EQ(in_words(server.raw().call({"PING"})), "PONG");
}

TEST(RedisServer, asks_for_its_password) {
    const RedisServer server(quick().password("se\"cr et"));
    RawRedis stranger(server.port());
    EXPECT_EQ(stranger.call({"GET", "a"}).text, "NOAUTH Authentication required.");
    EXPECT_EQ(in_words(stranger.call({"AUTH", "se\"cr et"})), "OK");
    EXPECT_FALSE(server.raw().call({"GET", "a"}).is_error());
}

TEST(RedisServer, keeps_its_users_apart) {
    const RedisServer server(quick().acl("user app on >secret ~app:* &* +@all -@admin"));
    RawRedis app(server.port());
    EXPECT_TRUE(app.call({"PING"}).is_error());
    EXPECT_TRUE(app.call({"AUTH", "app", "wrong"}).text.starts_with("WRONGPASS"));
    EXPECT_EQ(in_words(app.call({"AUTH", "app", "secret"})), "OK");
    EXPECT_TRUE(app.call({"GET", "other"}).text.starts_with("NOPERM"));
    EXPECT_TRUE(app.call({"GET", "app:a"}).is_null());
    EXPECT_FALSE(server.raw().call({"CONFIG", "GET", "port"}).is_error());
}

TEST(RedisServer, of_the_old_protocol_does_not_know_HELLO) {
    const RedisServer server(quick().old_protocol());
    RawRedis redis = server.raw();
    EXPECT_TRUE(redis.call({"HELLO", "3"}).text.starts_with("ERR unknown command"));
    EXPECT_EQ(in_words(redis.call({"PING"})), "PONG");
}

TEST(RedisServer, an_option_wins_over_what_the_harness_sets) {
    const RedisServer server(RedisServerOptions().option("appendfsync", "everysec"));
    EXPECT_EQ(
        in_words(server.raw().call({"CONFIG", "GET", "appendfsync"})), "[appendfsync everysec]"
    );
}

TEST(RedisServer, one_that_cannot_start_says_why) {
    try {
        const RedisServer server(RedisServerOptions().option("no-such-option", "1"));
        FAIL() << "it started";
    } catch (const RawFailure& failure) {
        EXPECT_NE(std::string(failure.what()).find("no-such-option"), std::string::npos);
    }
}

TEST(RawRedis, reads_RESP3_and_pushes) {
    const RedisServer server(quick());
    RawRedis redis = server.raw();
    EXPECT_EQ(redis.call({"HELLO", "3"}).at("proto").number, 3);
    redis.call({"SUBSCRIBE", "news"});
    EXPECT_EQ(server.raw().call({"PUBLISH", "news", "hello"}).number, 1);
    const RawReply push = redis.read();
    EXPECT_EQ(push.type, RespType::push);
    EXPECT_EQ(in_words(push), "[message news hello]");
}

TEST(RawRedis, attributes_are_no_replies) {  // F2 against the server itself
    const RedisServer server(quick());
    RawRedis redis = server.raw();
    redis.call({"HELLO", "3"});
    EXPECT_EQ(
        redis.call({"DEBUG", "PROTOCOL", "attrib"}).text, "Some real reply following the attribute"
    );
    EXPECT_EQ(in_words(redis.call({"PING"})), "PONG");
}

TEST(RawRedis, reads_the_deepest_replies_that_the_server_has) {  // F6 against the server itself
    const RedisServer server(quick());
    RawRedis redis = server.raw();
    EXPECT_GT(redis.call({"COMMAND", "DOCS"}).children.size(), 200U);
    redis.call({"XADD", "s", "1-1", "f", "v"});
    redis.call({"XGROUP", "CREATE", "s", "g", "0"});
    redis.call({"XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", ">"});
    EXPECT_EQ(redis.call({"XINFO", "STREAM", "s", "FULL"}).at("groups").children.size(), 1U);
}

TEST(RawRedis, every_kind_of_RESP3_comes_as_the_server_says) {
    const RedisServer server(quick());
    RawRedis redis = server.raw();
    redis.call({"HELLO", "3"});
    const auto type = [&](std::string_view kind) {
        return redis.call({"DEBUG", "PROTOCOL", kind}).type;
    };
    EXPECT_EQ(type("string"), RespType::bulk);
    EXPECT_EQ(type("integer"), RespType::integer);
    EXPECT_EQ(type("double"), RespType::real);
    EXPECT_EQ(type("null"), RespType::null);
    EXPECT_EQ(type("array"), RespType::array);
    EXPECT_EQ(type("set"), RespType::set);
    EXPECT_EQ(type("map"), RespType::map);
    EXPECT_EQ(type("verbatim"), RespType::verbatim);
    EXPECT_EQ(type("true"), RespType::boolean);
    EXPECT_EQ(type("bignum"), RespType::big_number);
}

// A test that crashes leaves no server behind: here a process that starts one and dies.
TEST(RedisServer, does_not_outlive_a_test_that_is_killed) {
    const TemporaryFolder folder;
    const std::string note = (folder / "pid").string();
    const pid_t crashing = fork();
    if (crashing == 0) {
        const Child child({"redis-server", "--port", "0"}, folder / "log");
        std::ofstream(note) << child.pid() << std::flush;
        raise(SIGKILL);
    }
    ASSERT_EQ(waitpid(crashing, nullptr, 0), crashing);
    pid_t server = 0;
    std::ifstream(note) >> server;
    ASSERT_GT(server, 0);
    // Adopted by another process, it may stay a zombie: what counts is that it runs no more.
    EXPECT_TRUE(eventually([&] {
        std::ifstream status("/proc/" + std::to_string(server) + "/stat");
        std::string name;
        std::string state;
        status >> name >> name >> state;
        return state.empty() || state == "Z" || state == "X";
    }));
}

}  // namespace
}  // namespace holdfast::testing
