#pragma once
// W3C Trace Context (https://www.w3.org/TR/trace-context/), the `traceparent` header.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

class TraceContext {
public:
    using TraceId = std::array<std::uint8_t, 16>;
    using SpanId = std::array<std::uint8_t, 8>;
    // 64 random bits at each call. Need not be secret, must differ between processes.
    using Random = std::function<std::uint64_t()>;

    // A new trace.
    static TraceContext start(const Random& random, bool sampled);

    // The context that a peer sent, or nothing if the header breaks the format: then a new trace is
    // due. Versions above 00 are read as 00 and may carry more after a dash; version ff, capital
    // digits and all-zero ids are refused.
    static std::optional<TraceContext> parse(std::string_view traceparent);

    // The same trace, a span of our own below the present one.
    TraceContext child(const Random& random) const;

    // 55 characters, version 00; of the flags only `sampled` is passed on.
    std::string traceparent() const;
    // 32 and 16 lower-case hexadecimal digits, for logs.
    std::string trace_id_text() const;
    std::string span_id_text() const;

    const TraceId& trace_id() const { return trace_id_; }
    const SpanId& span_id() const { return span_id_; }
    bool sampled() const { return sampled_; }

private:
    TraceContext(const TraceId& trace_id, const SpanId& span_id, bool sampled)
        : trace_id_(trace_id), span_id_(span_id), sampled_(sampled) {}

    TraceId trace_id_;
    SpanId span_id_;
    bool sampled_;
};

}  // namespace holdfast
