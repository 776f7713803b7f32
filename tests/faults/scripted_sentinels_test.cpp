#include <faults/scripted_sentinels.h>
#include <gtest/gtest.h>
#include <live/raw_redis.h>

namespace holdfast::testing {
namespace {

constexpr std::uint16_t first_port = 7001;
constexpr std::uint16_t other_port = 7002;

SentinelView first_view() {
    SentinelView view(first_port);
    view.replicas.push_back({.port = other_port, .flags = "slave,disconnected", .link = "err"});
    return view;
}

std::string address_at(const ScriptedSentinels& sentinels, std::size_t number) {
    return in_words(
        RawRedis(sentinels.port(number)).call({"SENTINEL", "get-master-addr-by-name", "mymaster"})
    );
}

TEST(ScriptedSentinels, tell_of_the_primary_its_replicas_and_each_other) {
    ScriptedSentinels sentinels(3);
    sentinels.show(first_view());
    EXPECT_EQ(address_at(sentinels, 0), "[127.0.0.1 7001]");
    RawRedis redis(sentinels.port(1));
    EXPECT_EQ(redis.call({"HELLO", "3"}).at("mode").text, "sentinel");
    const RawReply primary = redis.call({"SENTINEL", "MASTER", "mymaster"});
    EXPECT_EQ(primary.type, RespType::map);
    EXPECT_EQ(primary.at("config-epoch").text, "1");
    EXPECT_EQ(redis.call({"SENTINEL", "MASTERS"})[0].at("port").text, "7001");
    for (const char* const word : {"REPLICAS", "SLAVES"}) {
        const RawReply replicas = redis.call({"SENTINEL", word, "mymaster"});
        EXPECT_EQ(replicas[0].at("flags").text, "slave,disconnected");
        EXPECT_EQ(replicas[0].at("master-link-status").text, "err");
    }
    const RawReply others = redis.call({"SENTINEL", "SENTINELS", "mymaster"});
    EXPECT_EQ(others.children.size(), 2U);
    EXPECT_EQ(others[1].at("port").text, std::to_string(sentinels.port(2)));
}

TEST(ScriptedSentinels, do_not_know_other_names) {
    ScriptedSentinels sentinels(1);
    RawRedis redis(sentinels.port(0));
    EXPECT_TRUE(redis.call({"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "x"}).is_null());
    EXPECT_EQ(redis.call({"SENTINEL", "MASTER", "x"}).text, "ERR No such master with that name");
    sentinels.show(first_view());
    sentinels.forget("mymaster", 0);
    EXPECT_EQ(in_words(redis.call({"SENTINEL", "MASTERS"})), "[]");
}

TEST(ScriptedSentinels, push_a_new_primary_to_subscribers_of_either_protocol) {
    ScriptedSentinels sentinels(2);
    sentinels.show(first_view());
    RawRedis second(sentinels.port(0));
    RawRedis third(sentinels.port(1));
    third.call({"HELLO", "3"});
    EXPECT_EQ(
        in_words(second.call({"SUBSCRIBE", "+switch-master"})), "[subscribe +switch-master 1]"
    );
    third.call({"PSUBSCRIBE", "*"});
    EXPECT_EQ(sentinels.subscribers(0, "+switch-master"), 1U);
    EXPECT_EQ(sentinels.subscribers(1, "+sdown"), 1U);
    sentinels.switch_master(SentinelView(other_port, 2));
    const RawReply array = second.read();
    EXPECT_EQ(array.type, RespType::array);
    EXPECT_EQ(in_words(array), "[message +switch-master mymaster 127.0.0.1 7001 127.0.0.1 7002]");
    const RawReply push = third.read();
    EXPECT_EQ(push.type, RespType::push);
    EXPECT_EQ(in_words(push), "[pmessage * +switch-master mymaster 127.0.0.1 7001 127.0.0.1 7002]");
    EXPECT_EQ(address_at(sentinels, 0), "[127.0.0.1 7002]");
}

TEST(ScriptedSentinels, one_of_them_may_be_stale_mute_or_down) {
    ScriptedSentinels sentinels(3);
    sentinels.show(SentinelView(other_port, 2));
    sentinels.show(first_view(), 1);
    EXPECT_EQ(address_at(sentinels, 0), "[127.0.0.1 7002]");
    EXPECT_EQ(address_at(sentinels, 1), "[127.0.0.1 7001]");
    sentinels.mute(2);
    RawRedis redis(sentinels.port(2));
    redis.send({"PING"});
    EXPECT_THROW(redis.read(std::chrono::milliseconds(50)), RawFailure);
    sentinels.heal(2);
    EXPECT_EQ(redis.call({"PING"}).text, "PONG");
    sentinels.down(2);
    EXPECT_TRUE(redis.ends_within());
    EXPECT_THROW(RawRedis(sentinels.port(2)), RawFailure);
    EXPECT_EQ(sentinels.commands(1).at("SENTINEL GET-MASTER-ADDR-BY-NAME"), 1U);
    EXPECT_EQ(sentinels.connections(0), 1U);
}

}  // namespace
}  // namespace holdfast::testing
