#pragma once
// Calls as spans, with the names of OpenTelemetry's conventions for Redis
// (https://opentelemetry.io/docs/specs/semconv/db/redis/), for any library of traces. No keys and
// no values are in them.

#include <holdfast/io/random.h>
#include <holdfast/redis/probe.h>

#include <span>
#include <string>
#include <variant>

namespace holdfast::redis {

struct SpanAttribute {
    using Value = std::variant<std::string_view, std::int64_t>;
    std::string_view name;
    Value value;
};

// Of kind CLIENT. It ended now and began `seconds` ago; each attempt has its own. What it points to
// is there during the call.
struct RedisSpan {
    const TraceContext* parent = nullptr;
    std::string_view name;  // such as "GET db.example:6379"
    double seconds = 0;
    bool failed = false;
    // db.system.name, db.operation.name, db.namespace, server.address, server.port; of several
    // commands db.operation.batch.size; of failed ones error.type and, if the server said it,
    // db.response.status_code. An attempt after the first: holdfast.attempt.
    std::span<const SpanAttribute> attributes;
};

// One for each loop, on its thread. Must not block, throw or call the client.
class RedisTracer {
public:
    virtual ~RedisTracer() = default;
    // The trace that the caller of the moment belongs to: asked as RedisProbe::trace_parent().
    // Nothing: this call has no span.
    virtual std::optional<TraceContext> parent() = 0;
    virtual void ended(const RedisSpan& span) = 0;
};
using RedisTracerSource = std::function<std::shared_ptr<RedisTracer>()>;

// For RedisOptions::probe().
RedisProbeSource trace_redis(RedisTracerSource tracer);

// Writes spans as records of level debug, with trace_id, span_id and parent_span_id; does nothing
// where that level is not wanted. `parent` is asked on all loops. All outlive the client.
RedisTracerSource
log_redis_spans(Log& log, Random& random, std::function<std::optional<TraceContext>()> parent);

}  // namespace holdfast::redis
