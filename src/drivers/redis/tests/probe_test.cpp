// What is seen of a client from outside.
#include "client_bench.h"

#include <holdfast/redis/probe.h>

namespace holdfast::redis {
namespace {

TEST(WatchRedis, each_command_has_its_histogram_by_outcome) {
    Metrics metrics;
    LogLines lines;
    Bench bench;
    Log log(LogFormat::text, LogLevel::info, bench.runtime->clock(), lines);
    RedisOptions options;
    options.probe(watch_redis(metrics, log));
    Client& client = bench.open(std::move(options));
    bench.server.values["s"] = "text";
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "INCR") {
            return words[1] == "hangs" ? ServerAnswer{""} : ServerAnswer{"-WRONGTYPE no\r\n"};
        }
        return bench.server.usual(words);
    };
    EXPECT_TRUE(bench.wait(client.task(get_of("s"), bench.in(1'000))).ok());
    EXPECT_FALSE(bench.wait(client.task(incr_of("s"), bench.in(1'000))).ok());
    EXPECT_FALSE(bench.wait(client.task(incr_of("hangs"), bench.in(100))).ok());
    const std::string text = metrics.text();
    const std::string name = "holdfast_redis_call_seconds_count";
    EXPECT_NE(text.find(name + "{command=\"GET\",outcome=\"answered\"} 1"), std::string::npos)
        << text;
    EXPECT_NE(text.find(name + "{command=\"INCR\",outcome=\"error_reply\"} 1"), std::string::npos);
    EXPECT_NE(
        text.find(name + "{command=\"INCR\",outcome=\"failed_unknown\"} 1"), std::string::npos
    );
    EXPECT_NE(text.find("holdfast_redis_connections_total 1"), std::string::npos);
}

TEST(WatchRedis, what_happens_to_connections_is_logged_without_keys_or_values) {
    Metrics metrics;
    LogLines lines;
    Bench bench;
    Log log(LogFormat::text, LogLevel::info, bench.runtime->clock(), lines);
    RedisOptions options;
    options.probe(watch_redis(metrics, log)).in_flight_max(10);
    Client& client = bench.open(std::move(options));
    EXPECT_TRUE(bench.wait(client.task(set_of("user-key", "value"), bench.in(1'000))).ok());
    bench.server.down();
    bench.pass(2'000);
    bench.server.up();
    std::vector<Task<Done>> calls;
    for (int i = 0; i < 9; ++i) {
        calls.push_back(client.task(set_of("user-key", "value"), bench.in(20'000)));
    }
    EXPECT_TRUE(bench.wait(when_all(std::move(calls))).ok());
    for (const char* event :
         {"redis_connected", "redis_connection_lost", "redis_dial_failed", "redis_queue_nearly_full"
         }) {
        EXPECT_TRUE(lines.contains(event)) << event;
    }
    EXPECT_FALSE(lines.contains("user-key"));
}

}  // namespace
}  // namespace holdfast::redis
