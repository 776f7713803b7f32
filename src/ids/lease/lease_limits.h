#pragma once
// The bounds of the lease runtime, each with its reason.

#include <holdfast/base/time.h>

namespace holdfast::limits {

// A renewal comes up to this share of the interval early, by chance: a fleet that started together
// would otherwise renew in one wave for ever.
inline constexpr double renew_jitter = 0.3;
// The second try of a renewal waits this share of the interval, and so stays inside it.
inline constexpr int renew_retry_parts = 4;

// Between two tries to acquire or release; doubled up to the longest, half of it by chance.
inline constexpr Duration lease_backoff_min{50};
// Longer would keep a process without ids after the store is back.
inline constexpr Duration lease_backoff_max{5'000};

// Below this many years to the end of a time field the log is warned: enough for a migration.
inline constexpr double years_left_warned = 5.0;

// Exact readings in one millisecond from which on a loop reads the clock for all: below it, waking
// the loop each millisecond costs more than it saves.
inline constexpr int tick_clock_busy = 16;
// Milliseconds without a reader after which the loop stops.
inline constexpr int tick_clock_idle = 50;

// How far a manual machine may run ahead of a wall clock that was set back: a step of a time
// server.
inline constexpr Duration manual_max_ahead{5'000};

// A task that waits for a lease looks again after this: an acquire takes as long.
inline constexpr Duration lease_look{10};

}  // namespace holdfast::limits
