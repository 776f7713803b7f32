#pragma once
// What watch_redis() counts.

#include <holdfast/observe/metrics.h>

namespace holdfast::redis_metrics {

// outcome: answered, error_reply, failed_none, failed_unknown (by what is known of the effect).
inline constexpr MetricFamily call(
    "holdfast_redis_call_seconds",
    "Calls by command and outcome, from the write to the answer; failed ones from the submission.",
    {"command", "outcome"}
);
inline constexpr MetricFamily
    queue("holdfast_redis_queue_seconds", "Time of calls before they were written.");
inline constexpr MetricFamily in_flight(
    "holdfast_redis_in_flight", "Calls queued or unanswered on the connection that wrote last."
);
inline constexpr MetricFamily
    connections("holdfast_redis_connections_total", "Connections opened.");
inline constexpr MetricFamily
    connections_lost("holdfast_redis_connections_lost_total", "Connections that broke.");
inline constexpr MetricFamily
    dials_failed("holdfast_redis_dials_failed_total", "Dials that opened no connection.");

}  // namespace holdfast::redis_metrics
