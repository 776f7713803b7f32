#pragma once
// What watch_redis() counts.

#include <holdfast/observe/metrics.h>

namespace holdfast::redis_metrics {

// outcome: answered, error_reply, failed_none, failed_unknown (by what is known of the effect),
// abandoned (the caller left).
inline constexpr MetricFamily call(
    "holdfast_redis_call_seconds",
    "Calls by command and outcome, from the write to the answer; others from the submission.",
    {"command", "outcome"}
);
inline constexpr MetricFamily
    queue("holdfast_redis_queue_seconds", "Time of calls before they were written.");
inline constexpr MetricFamily in_flight("holdfast_redis_in_flight", "Calls queued or unanswered.");
inline constexpr MetricFamily
    queued_bytes("holdfast_redis_queued_bytes", "Bytes of calls that were not written yet.");
inline constexpr MetricFamily
    connections("holdfast_redis_connections_total", "Connections opened.");
inline constexpr MetricFamily
    connections_lost("holdfast_redis_connections_lost_total", "Connections that broke.");
inline constexpr MetricFamily
    dials_failed("holdfast_redis_dials_failed_total", "Dials that opened no connection.");
inline constexpr MetricFamily order_lost(
    "holdfast_redis_order_lost_total",
    "Connections dropped because a reply was nobody's or stood in another's place."
);

// What tracked reads count.
inline constexpr MetricFamily
    tracked_hits("holdfast_redis_tracked_hits_total", "Reads answered from this process.");
inline constexpr MetricFamily
    tracked_misses("holdfast_redis_tracked_misses_total", "Reads that were not.");
inline constexpr MetricFamily tracked_joined(
    "holdfast_redis_tracked_joined_total", "Of them those that another's read answered."
);
inline constexpr MetricFamily tracked_untracked(
    "holdfast_redis_tracked_untracked_total",
    "Of them those whose value was not kept: no tracked connection, or no prefix of their key."
);
inline constexpr MetricFamily tracked_invalidations(
    "holdfast_redis_tracked_invalidations_total", "Keys that the server said were changed."
);
inline constexpr MetricFamily
    tracked_flushes("holdfast_redis_tracked_flushes_total", "How often all was forgotten at once.");
inline constexpr MetricFamily tracked_evictions(
    "holdfast_redis_tracked_evictions_total", "Values that made room for others."
);
inline constexpr MetricFamily
    tracked_bytes("holdfast_redis_tracked_bytes", "Memory of values kept, tables included.");

}  // namespace holdfast::redis_metrics
