#include <faults/scripted_redis.h>
#include <gtest/gtest.h>
#include <live/raw_redis.h>

namespace holdfast::testing {
namespace {

constexpr Duration silence = std::chrono::milliseconds(50);

TEST(ScriptedRedis, answers_a_handshake_without_being_told) {
    const ScriptedRedis server;
    RawRedis redis(server.port());
    EXPECT_EQ(redis.call({"HELLO", "3"}).at("proto").number, 3);
    EXPECT_EQ(redis.call({"HELLO", "2"}).type, RespType::array);
    EXPECT_EQ(in_words(redis.call({"CLIENT", "SETINFO", "LIB-NAME", "x"})), "OK");
    EXPECT_EQ(in_words(redis.call({"PING"})), "PONG");
    EXPECT_EQ(server.problem(), "");
}

TEST(ScriptedRedis, the_last_answer_to_a_command_counts) {
    ScriptedRedis server;
    server.on({"WAITAOF"}, array({":1\r\n", ":0\r\n"}));
    server.on({"waitaof", "*", "2"}, array({":1\r\n", ":2\r\n"}));
    RawRedis redis(server.port());
    EXPECT_EQ(in_words(redis.call({"WAITAOF", "1", "0", "100"})), "[1 0]");
    EXPECT_EQ(in_words(redis.call({"WAITAOF", "1", "2", "100"})), "[1 2]");
    EXPECT_EQ(server.heard({"WAITAOF"}), 2U);
}

TEST(ScriptedRedis, what_is_expected_comes_once_and_in_order) {
    ScriptedRedis server;
    server.expect({"GET", "a"}, bulk("first"));
    server.expect({"GET", "a"}, bulk("second"));
    RawRedis redis(server.port());
    EXPECT_EQ(redis.call({"GET", "a"}).text, "first");
    EXPECT_EQ(redis.call({"GET", "a"}).text, "second");
    EXPECT_EQ(server.expected_left(), 0U);
    EXPECT_TRUE(redis.call({"GET", "a"}).is_error());
    EXPECT_EQ(server.problem(), "came, but was not written down: GET a");
}

TEST(ScriptedRedis, an_answer_may_be_computed) {
    ScriptedRedis server;
    server.on({"GET"}, [](const Words& words) { return Answer(bulk("of " + words.at(1))); });
    RawRedis redis(server.port());
    EXPECT_EQ(redis.call({"GET", "k"}).text, "of k");
}

TEST(ScriptedRedis, of_the_old_protocol_does_not_know_HELLO) {
    ScriptedRedis server;
    server.old_protocol();
    RawRedis redis(server.port());
    EXPECT_TRUE(redis.call({"HELLO", "3"}).text.starts_with("ERR unknown command"));
}

TEST(ScriptedRedis, tells_its_availability_zone) {
    ScriptedRedis server;
    server.availability_zone("az-1");
    RawRedis redis(server.port());
    EXPECT_EQ(redis.call({"HELLO", "3"}).at("availability_zone").text, "az-1");
}

TEST(ScriptedRedis, pushes_to_all) {
    ScriptedRedis server;
    RawRedis one(server.port());
    RawRedis other(server.port());
    one.call({"PING"});
    other.call({"PING"});
    server.push(push({bulk("invalidate"), array({bulk("k")})}));
    EXPECT_EQ(in_words(one.read()), "[invalidate [k]]");
    EXPECT_EQ(in_words(other.read()), "[invalidate [k]]");
}

TEST(ScriptedRedis, may_say_nothing_or_late_or_half_and_end) {
    ScriptedRedis server;
    server.on({"LOST"}, Answer::none());
    server.on({"LATE"}, Answer("+late\r\n").after(2 * silence));
    server.on({"HALF"}, Answer("$10\r\nhal").then(Answer::Then::close));
    server.on({"GONE"}, Answer::none().then(Answer::Then::reset));
    RawRedis redis(server.port());
    redis.send({"LOST"});
    EXPECT_THROW(redis.read(silence), RawFailure);
    const SteadyTime began = system_clock().steady_now();
    EXPECT_EQ(redis.call({"LATE"}).text, "late");
    EXPECT_GE(system_clock().steady_now() - began, silence);
    redis.send({"HALF"});
    EXPECT_THROW(redis.read(), RawFailure);
    RawRedis other(server.port());
    other.send({"GONE"});
    EXPECT_TRUE(other.ends_within());
    EXPECT_EQ(server.connections(), 2U);
    EXPECT_EQ(server.heard().back().connection, 2U);
}

TEST(ScriptedRedis, ends_all_when_told) {
    ScriptedRedis server;
    RawRedis redis(server.port());
    redis.call({"PING"});
    server.end_all(Answer::Then::close);
    EXPECT_TRUE(redis.ends_within());
}

TEST(ScriptedRedis, a_pipeline_is_answered_in_order) {
    const ScriptedRedis server;
    RawRedis redis(server.port());
    redis.send_bytes("*1\r\n$4\r\nPING\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n1\r\n*1\r\n$4\r\nPI");
    redis.send_bytes("NG\r\n");
    EXPECT_EQ(redis.read().text, "PONG");
    EXPECT_EQ(redis.read().text, "OK");
    EXPECT_EQ(redis.read().text, "PONG");
}

}  // namespace
}  // namespace holdfast::testing
