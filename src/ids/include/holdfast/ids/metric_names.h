#pragma once
// Every metric of the ids, in one place; tests/golden/metric_names.txt pins them.

#include <holdfast/observe/metrics.h>

namespace holdfast::id_metrics {

inline constexpr MetricFamily
    issued("cosid_ids_issued_total", "Numbers given out, by generator.", {"generator"});
inline constexpr MetricFamily burnt(
    "cosid_ids_burnt_total",
    "Numbers that this process reserved and will never give out, by generator.",
    {"generator"}
);
inline constexpr MetricFamily prefetched(
    "cosid_ids_prefetched", "Numbers reserved and not yet given out, by generator.", {"generator"}
);
inline constexpr MetricFamily years_left(
    "cosid_ids_years_left", "Years until the time field of a generator is full.", {"generator"}
);
inline constexpr MetricFamily range_fetches(
    "cosid_ids_range_fetches_total",
    "Reservations asked of the store, by generator and outcome.",
    {"generator", "outcome"}
);
inline constexpr MetricFamily prefetch_distance(
    "cosid_ids_prefetch_distance", "Ranges kept ahead of the callers, by generator.", {"generator"}
);
inline constexpr MetricFamily lease_changes(
    "cosid_lease_changes_total", "Changes of the machine lease, by the state it took.", {"state"}
);
inline constexpr MetricFamily lease_renewals(
    "cosid_lease_renewals_total", "Renewals asked of the store, by outcome.", {"outcome"}
);
inline constexpr MetricFamily
    lease_slot("cosid_lease_slot", "The slot of the machine lease; -1 without one.");
inline constexpr MetricFamily lease_seconds_left(
    "cosid_lease_seconds_left", "Time until the machine lease expires in the store."
);
inline constexpr MetricFamily rollback_suspected(
    "cosid_ids_rollback_suspected_total",
    "Answers that suggest that the store has lost an acknowledged write."
);

}  // namespace holdfast::id_metrics
