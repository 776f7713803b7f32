// A primary and its replicas do what live tests rely on.
#include <gtest/gtest.h>
#include <live/redis_replicas.h>

namespace holdfast::testing {
namespace {

TEST(RedisReplicas, are_online_as_soon_as_they_are_made) {
    const RedisReplicas servers(2, RedisServerOptions().password("se cret"));
    RawRedis primary = servers.primary().raw();
    EXPECT_EQ(in_words(primary.call({"SET", "a", "1"})), "OK");
    EXPECT_EQ(primary.call({"WAIT", "2", "20000"}).number, 2);
    EXPECT_EQ(servers.replica(1).raw().call({"GET", "a"}).text, "1");
    EXPECT_TRUE(servers.replica(0).raw().call({"SET", "a", "2"}).text.starts_with("READONLY"));
}

TEST(RedisReplicas, one_that_is_stopped_acknowledges_nothing_and_one_that_came_back_does) {
    const RedisReplicas servers(1, RedisServerOptions().memory_only());
    RawRedis primary = servers.primary().raw();
    servers.replica(0).stop();
    EXPECT_FALSE(servers.replica(0).answers());
    primary.call({"SET", "a", "1"});
    EXPECT_EQ(primary.call({"WAIT", "1", "20"}).number, 0);
    servers.replica(0).restart();
    EXPECT_EQ(primary.call({"WAIT", "1", "20000"}).number, 1);
}

}  // namespace
}  // namespace holdfast::testing
