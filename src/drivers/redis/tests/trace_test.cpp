// Spans have the names of OpenTelemetry's conventions for Redis.
#include "client_bench.h"

#include <holdfast/io/random.h>
#include <holdfast/redis/trace.h>
#include <holdfast/redis/transaction.h>

#include <map>

namespace holdfast::redis {
namespace {

struct KeptSpan {
    std::string name;
    std::string parent;
    bool failed = false;
    std::map<std::string, std::string, std::less<>> attributes;
};

class Tracer final : public RedisTracer {
public:
    std::optional<TraceContext> parent() override { return context; }
    void ended(const RedisSpan& span) override {
        KeptSpan kept;
        kept.name = span.name;
        kept.parent = span.parent->span_id_text();
        kept.failed = span.failed;
        for (const SpanAttribute& attribute : span.attributes) {
            const auto* text = std::get_if<std::string_view>(&attribute.value);
            kept.attributes[std::string(attribute.name)] =
                text != nullptr ? std::string(*text)
                                : std::to_string(std::get<std::int64_t>(attribute.value));
        }
        spans.push_back(std::move(kept));
    }

    std::optional<TraceContext> context;
    std::vector<KeptSpan> spans;
};

constexpr std::string_view parent_text = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

struct TraceBench : Bench {
    Client& open_traced() {
        tracer->context = TraceContext::parse(parent_text);
        RedisOptions options;
        options.database(3).probe(trace_redis([this] { return tracer; }));
        return open(std::move(options));
    }
    std::string port() const { return std::to_string(server.port()); }
    std::shared_ptr<Tracer> tracer = std::make_shared<Tracer>();
};

using Texts = std::map<std::string, std::string, std::less<>>;

TEST(RedisTrace, a_call_is_a_span_of_its_callers_trace_without_key_and_value) {
    TraceBench bench;
    Client& client = bench.open_traced();
    EXPECT_TRUE(bench.wait(client.task(set_of("user-key", "value"), bench.in(1'000))).ok());
    ASSERT_EQ(bench.tracer->spans.size(), 1U);
    const KeptSpan& span = bench.tracer->spans[0];
    EXPECT_EQ(span.name, "SET 127.0.0.1:" + bench.port());
    EXPECT_EQ(span.parent, "b7ad6b7169203331");
    EXPECT_FALSE(span.failed);
    const Texts expected = {
        {"db.system.name", "redis"},
        {"db.operation.name", "SET"},
        {"db.namespace", "3"},
        {"server.address", "127.0.0.1"},
        {"server.port", bench.port()},
    };
    EXPECT_EQ(span.attributes, expected);
}

TEST(RedisTrace, a_refused_call_has_the_servers_word_and_a_late_one_ours) {
    TraceBench bench;
    Client& client = bench.open_traced();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "INCR") {
            return words[1] == "hangs" ? ServerAnswer{""} : ServerAnswer{"-WRONGTYPE no\r\n"};
        }
        return bench.server.usual(words);
    };
    EXPECT_FALSE(bench.wait(client.task(incr_of("s"), bench.in(1'000))).ok());
    EXPECT_FALSE(bench.wait(client.task(incr_of("hangs"), bench.in(100))).ok());
    ASSERT_EQ(bench.tracer->spans.size(), 2U);
    const Texts& refused = bench.tracer->spans[0].attributes;
    EXPECT_TRUE(bench.tracer->spans[0].failed);
    EXPECT_EQ(refused.at("db.response.status_code"), "WRONGTYPE");
    EXPECT_EQ(refused.at("error.type"), "WRONGTYPE");
    const Texts& late = bench.tracer->spans[1].attributes;
    EXPECT_EQ(late.at("error.type"), "timed_out");
    EXPECT_EQ(late.count("db.response.status_code"), 0U);
}

TEST(RedisTrace, what_travels_as_one_is_one_span_with_its_size) {
    TraceBench bench;
    Client& client = bench.open_traced();
    Batch batch;
    batch.add(get_of("a"));
    batch.add(get_of("b"));
    const auto run = [](Client* to, Batch* what, Deadline deadline) -> Task<> {
        co_return co_await to->run(*what, deadline);
    };
    EXPECT_TRUE(bench.wait(run(&client, &batch, bench.in(1'000))).ok());
    const Texts& attributes = bench.tracer->spans.at(0).attributes;
    EXPECT_EQ(attributes.at("db.operation.name"), "PIPELINE");
    EXPECT_EQ(attributes.at("db.operation.batch.size"), "2");
    Transaction transaction;
    transaction.add(get_of("a"));
    transaction.add(get_of("b"));
    transaction.add(get_of("c"));
    const auto all = [](Client* to, Transaction* what, Deadline deadline) -> Task<TransactionEnd> {
        co_return co_await to->run(*what, deadline);
    };
    (void)bench.wait(all(&client, &transaction, bench.in(1'000)));
    const Texts& multi = bench.tracer->spans.at(1).attributes;
    EXPECT_EQ(multi.at("db.operation.name"), "MULTI");
    EXPECT_EQ(multi.at("db.operation.batch.size"), "3");
}

TEST(RedisTrace, a_call_without_a_parent_has_no_span) {
    TraceBench bench;
    Client& client = bench.open_traced();
    bench.tracer->context.reset();
    EXPECT_TRUE(bench.wait(client.task(get_of("a"), bench.in(1'000))).ok());
    EXPECT_TRUE(bench.tracer->spans.empty());
}

TEST(RedisTrace, what_is_sent_again_keeps_its_parent) {
    TraceBench bench;
    Client& client = bench.open_traced();
    bench.server.script = [&](const ServerWords& words) -> ServerAnswer {
        bench.tracer->context.reset();  // by now another task runs
        if (words[0] == "GET" && bench.server.connections == 1) {
            return {"", true};
        }
        return bench.server.usual(words);
    };
    EXPECT_TRUE(bench.wait(client.task(get_of("a"), bench.in(5'000))).ok());
    ASSERT_EQ(bench.tracer->spans.size(), 1U);
    EXPECT_EQ(bench.tracer->spans[0].parent, "b7ad6b7169203331");
    EXPECT_EQ(bench.tracer->spans[0].attributes.at("holdfast.attempt"), "2");
}

TEST(RedisTrace, the_log_has_spans_at_debug_and_metrics_go_on_beside_them) {
    for (const LogLevel level : {LogLevel::debug, LogLevel::info}) {
        Metrics metrics;
        LogLines lines;
        Bench bench;
        Log log(LogFormat::text, level, bench.runtime->clock(), lines);
        RedisOptions options;
        options.probe(watch_both(
            watch_redis(metrics, log),
            trace_redis(log_redis_spans(
                log, system_random(), [] { return TraceContext::parse(parent_text); }
            ))
        ));
        Client& client = bench.open(std::move(options));
        EXPECT_TRUE(bench.wait(client.task(set_of("user-key", "value"), bench.in(1'000))).ok());
        const bool debug = level == LogLevel::debug;
        EXPECT_EQ(lines.contains("redis_span"), debug);
        EXPECT_EQ(lines.contains("trace_id=0af7651916cd43dd8448eb211c80319c"), debug);
        EXPECT_EQ(lines.contains("parent_span_id=b7ad6b7169203331"), debug);
        EXPECT_EQ(lines.contains("db.operation.name=SET"), debug);
        EXPECT_FALSE(lines.contains("user-key"));
        EXPECT_NE(
            metrics.text().find("command=\"SET\",outcome=\"answered\"} 1"), std::string::npos
        );
    }
}

}  // namespace
}  // namespace holdfast::redis
