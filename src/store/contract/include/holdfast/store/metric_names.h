#pragma once
// What the store decorators count.

#include <holdfast/observe/metrics.h>

namespace holdfast::store_metrics {

// outcome: the word of the answer (range, sealed, exhausted, unsupported, acquired, mismatch,
// renewed, released, lost, up), or error_none, error_unknown: a failed call by what is known of its
// effect.
inline constexpr MetricFamily call(
    "cosid_server_store_call_seconds",
    "Calls of the store by operation and outcome.",
    {"operation", "outcome"}
);

}  // namespace holdfast::store_metrics
