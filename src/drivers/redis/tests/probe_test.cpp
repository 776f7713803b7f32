// What is seen of a client from outside.
#include "client_bench.h"
#include "mux_scene.h"

#include <holdfast/redis/probe.h>

#include <memory>
#include <vector>

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

TEST(WatchRedis, a_queue_that_gets_full_is_told_also_while_there_is_no_connection) {
    Metrics metrics;
    LogLines lines;
    Bench bench;
    Log log(LogFormat::text, LogLevel::info, bench.runtime->clock(), lines);
    bench.server.down();
    RedisOptions options;
    options.probe(watch_redis(metrics, log)).in_flight_max(10);
    Client& client = bench.open(std::move(options));
    std::vector<Task<Done>> calls;
    for (int i = 0; i < 10; ++i) {
        calls.push_back(client.task(set_of("k", "v"), bench.in(500)));
    }
    EXPECT_TRUE(bench.wait(when_all(std::move(calls))).ok());
    EXPECT_TRUE(lines.contains("redis_queue_nearly_full"));
    EXPECT_TRUE(lines.contains("calls_max=10"));
    EXPECT_NE(metrics.text().find("holdfast_redis_in_flight 0"), std::string::npos)
        << metrics.text();
}

// Keeps what it hears; texts are copied.
class Heard final : public RedisProbe {
public:
    void call_ended(const CallReport& report) override {
        reports.push_back(report);
        nodes.emplace_back(report.node);
        statuses.emplace_back(report.status);
    }
    std::optional<TraceContext> trace_parent() override {
        ++asked;
        return std::nullopt;
    }
    void queue_changed(const QueueReport&) override {}
    void connected(std::string_view, int) override {}
    void connection_lost(std::string_view, const Error&) override {}
    void dial_failed(std::string_view, const Error&) override {}
    void order_lost(std::string_view) override { ++orders_lost; }

    std::vector<CallReport> reports;
    std::vector<std::string> nodes;
    std::vector<std::string> statuses;
    int asked = 0;
    int orders_lost = 0;
};

struct HeardBench : Bench {
    Client& open_heard(RedisOptions options = RedisOptions()) {
        options.probe([this] { return heard; });
        return open(std::move(options));
    }
    std::shared_ptr<Heard> heard = std::make_shared<Heard>();
};

TEST(RedisProbe, a_report_names_node_and_attempt_and_equal_keys_equally) {
    HeardBench bench;
    Client& client = bench.open_heard();
    (void)bench.wait(client.task(get_of("a"), bench.in(1'000)));
    (void)bench.wait(client.task(get_of("b"), bench.in(1'000)));
    (void)bench.wait(client.task(set_of("a", "v"), bench.in(1'000)));
    (void)bench.wait(client.task(raw_of("PING", Lane::shared), bench.in(1'000)));
    const auto& reports = bench.heard->reports;
    ASSERT_EQ(reports.size(), 4U);
    EXPECT_EQ(bench.heard->nodes[0], "127.0.0.1:" + std::to_string(bench.server.port()));
    EXPECT_EQ(reports[0].attempt, 1U);
    EXPECT_NE(reports[0].key_hash, 0U);
    EXPECT_NE(reports[0].key_hash, reports[1].key_hash);
    EXPECT_EQ(reports[0].key_hash, reports[2].key_hash);
    EXPECT_EQ(reports[3].key_hash, 0U);
    EXPECT_EQ(bench.heard->asked, 4);
}

TEST(RedisProbe, numbers_of_keys_are_those_of_these_options_alone) {
    std::vector<std::uint64_t> numbers;
    for (int i = 0; i < 2; ++i) {
        HeardBench bench;
        (void)bench.wait(bench.open_heard().task(get_of("a"), bench.in(1'000)));
        numbers.push_back(bench.heard->reports.at(0).key_hash);
    }
    EXPECT_NE(numbers[0], numbers[1]);
}

TEST(RedisProbe, what_is_sent_again_after_a_loss_is_another_attempt) {
    HeardBench bench;
    Client& client = bench.open_heard();
    int gets = 0;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "GET" && ++gets == 1) {
            return {"", true};
        }
        return bench.server.usual(words);
    };
    EXPECT_TRUE(bench.wait(client.task(get_of("a"), bench.in(5'000))).ok());
    ASSERT_EQ(bench.heard->reports.size(), 1U);
    EXPECT_EQ(bench.heard->reports[0].attempt, 2U);
    EXPECT_EQ(bench.heard->asked, 1);
    EXPECT_TRUE(bench.wait(client.task(get_of("a"), bench.in(5'000))).ok());
    EXPECT_EQ(bench.heard->reports[1].attempt, 1U);
}

TEST(RedisProbe, what_is_sent_to_another_node_is_another_attempt_of_the_same_trace) {
    Heard heard;
    MuxOptions options;
    options.probe = &heard;
    options.node = "one:1";
    Scene one(options);
    options.node = "two:2";
    Scene two(options);
    Call call = Call::incr("a");
    EXPECT_FALSE(call.submit(one));
    (void)one.write();
    EXPECT_TRUE(one.read("-MOVED 1 two:2\r\n"));
    EXPECT_FALSE(call.submit_again(two));
    (void)two.write();
    EXPECT_TRUE(two.read(":1\r\n"));
    ASSERT_EQ(heard.reports.size(), 2U);
    EXPECT_EQ(heard.statuses[0], "MOVED");
    EXPECT_EQ(heard.reports[0].attempt, 1U);
    EXPECT_EQ(heard.nodes[1], "two:2");
    EXPECT_EQ(heard.reports[1].attempt, 2U);
    EXPECT_EQ(heard.asked, 1);
}

TEST(RedisProbe, every_call_that_was_begun_is_reported_once_however_it_ends) {
    HeardBench bench;
    Client& client = bench.open_heard();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "INCR") {
            return words[1] == "hangs" ? ServerAnswer{""} : ServerAnswer{"-WRONGTYPE no\r\n"};
        }
        if (words[0] == "SET") {
            return {"-mine: user data here\r\n"};
        }
        return bench.server.usual(words);
    };
    EXPECT_FALSE(bench.wait(client.task(incr_of("s"), bench.in(1'000))).ok());
    EXPECT_FALSE(bench.wait(client.task(set_of("s", "v"), bench.in(1'000))).ok());
    EXPECT_FALSE(bench.wait(client.task(incr_of("hangs"), bench.in(100))).ok());
    EXPECT_FALSE(
        bench.wait(with_deadline(client.task(incr_of("hangs"), bench.in(5'000)), bench.in(100)))
            .ok()
    );
    const auto& reports = bench.heard->reports;
    ASSERT_EQ(reports.size(), 4U);
    EXPECT_EQ(reports[0].outcome, CallReport::Outcome::error_reply);
    EXPECT_EQ(bench.heard->statuses[0], "WRONGTYPE");
    EXPECT_EQ(bench.heard->statuses[1], "_OTHER") << "what a script answers is no status";
    EXPECT_EQ(reports[2].outcome, CallReport::Outcome::failed);
    EXPECT_EQ(reports[2].code, Code::timed_out);
    EXPECT_EQ(reports[3].outcome, CallReport::Outcome::abandoned);
    EXPECT_EQ(reports[3].effect, Effect::unknown);
}

TEST(RedisProbe, a_call_that_finds_the_queue_full_is_reported) {
    HeardBench bench;
    Client& client = bench.open_heard(RedisOptions().in_flight_max(1));
    std::vector<Task<Done>> calls;
    calls.push_back(client.task(set_of("a", "v"), bench.in(1'000)));
    calls.push_back(client.task(set_of("b", "v"), bench.in(1'000)));
    EXPECT_TRUE(bench.wait(when_all(std::move(calls))).ok());
    ASSERT_EQ(bench.heard->reports.size(), 2U);
    EXPECT_EQ(bench.heard->reports[0].code, Code::overloaded);
    EXPECT_EQ(bench.heard->reports[1].outcome, CallReport::Outcome::answered);
}

// A server that forgets one answer.
TEST(RedisProbe, an_order_that_is_lost_is_told_and_the_connection_dropped) {
    HeardBench bench;
    Client& client = bench.open_heard(RedisOptions().check_order(true));
    int writes = 0;
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "ECHO") {
            return {bulk_reply(words[1])};
        }
        if (words[0] == "SET" && ++writes == 2) {
            return {""};
        }
        return bench.server.usual(words);
    };
    std::vector<Task<Done>> calls;
    for (int i = 0; i < 4; ++i) {
        calls.push_back(client.task(set_of("k", "v"), bench.in(1'000)));
    }
    auto ended = bench.wait(when_all(std::move(calls)));
    ASSERT_TRUE(ended.ok());
    ASSERT_FALSE(ended.value().back().ok());
    EXPECT_EQ(ended.value().back().error().effect(), Effect::unknown);
    EXPECT_EQ(bench.heard->orders_lost, 1);
    EXPECT_TRUE(bench.wait(client.task(set_of("k", "v"), bench.in(1'000))).ok());
    EXPECT_EQ(bench.server.connections, 2);
}

}  // namespace
}  // namespace holdfast::redis
