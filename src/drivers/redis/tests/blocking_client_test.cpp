// What a client for threads refuses before it dials.
#include <holdfast/redis/blocking_client.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

void expect_refused(const RedisOptions& options, Code code) {
    auto opened = open_blocking_redis(options);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code(), code);
    EXPECT_EQ(opened.error().effect(), Effect::none);
}

TEST(OpenBlockingRedis, clusters_and_sentinels_are_unsupported) {
    const std::vector<Endpoint> nodes = {Endpoint("127.0.0.1", 7'000)};
    expect_refused(RedisOptions().cluster(nodes), Code::unsupported);
    expect_refused(RedisOptions().sentinels(nodes, "main"), Code::unsupported);
}

TEST(OpenBlockingRedis, options_of_a_server_that_cannot_be_are_invalid) {
    expect_refused(RedisOptions().port(0), Code::invalid_argument);
    expect_refused(RedisOptions().host(""), Code::invalid_argument);
    expect_refused(RedisOptions().in_flight_max(0), Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast::redis
