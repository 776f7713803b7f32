// Sentinels do what live tests rely on.
#include <gtest/gtest.h>
#include <live/redis_sentinels.h>

namespace holdfast::testing {
namespace {

RedisSentinelsOptions quick() {
    return RedisSentinelsOptions().quick().servers(RedisServerOptions().memory_only());
}

TEST(RedisSentinels, fail_over_when_told_and_when_the_primary_died) {
    RedisSentinels set(quick());
    const std::size_t first = set.primary();
    EXPECT_EQ(first, 0U);
    const std::size_t second = set.failover();
    EXPECT_NE(second, first);
    set.wait_until_replica(first);

    ASSERT_EQ(in_words(set.node(second).raw().call({"SET", "a", "1"})), "OK");
    ASSERT_EQ(set.node(second).raw().call({"WAIT", "2", "20000"}).number, 2);
    EXPECT_EQ(set.kill_primary(), second);
    const std::size_t third = set.wait_for_another_primary(second);
    EXPECT_EQ(set.node(third).raw().call({"GET", "a"}).text, "1");
}

TEST(RedisSentinels, agree_without_one_of_them_that_a_mute_primary_is_one_no_more) {
    RedisSentinels set(quick().replicas(1));
    set.kill_sentinel(0);
    set.pause_sentinel(1);
    set.resume_sentinel(1);
    EXPECT_EQ(set.primary(), 0U);
    EXPECT_EQ(set.pause_primary(), 0U);
    EXPECT_EQ(set.wait_for_another_primary(0), 1U);
    set.restart_sentinel(0);
    set.resume(0);
    set.wait_until_replica(0);
    EXPECT_EQ(set.primary(), 1U);
}

TEST(RedisSentinels, have_passwords_and_users_of_their_own) {
    RedisSentinelsOptions options;
    options.servers(RedisServerOptions().memory_only().acl("user app on >secret ~* &* +@all"));
    const RedisSentinels users(options.quick().sentinel_user("watch", "other"));
    RawRedis stranger(users.sentinel_port(0));
    EXPECT_TRUE(stranger.call({"SENTINEL", "MASTERS"}).text.starts_with("NOAUTH"));
    EXPECT_EQ(in_words(stranger.call({"AUTH", "watch", "other"})), "OK");
    EXPECT_EQ(stranger.call({"SENTINEL", "MASTERS"}).children.size(), 1U);

    options = quick().replicas(1).sentinel_password("one");
    const RedisSentinels password(options.servers(RedisServerOptions().password("two")));
    EXPECT_EQ(in_words(RawRedis(password.sentinel_port(2)).call({"AUTH", "one"})), "OK");
    EXPECT_EQ(password.primary(), 0U);
}

}  // namespace
}  // namespace holdfast::testing
