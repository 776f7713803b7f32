#pragma once
// What generators and machines may be told, beside the limits of layouts and of the store contract.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>

namespace holdfast::limits {

// Fits `{namespace}/{generator}@{period}` into a range key, with room for every period's name.
inline constexpr std::size_t generator_name_bytes_max = 64;
// Each range ahead is burnt when the process ends: a chain that needs more needs longer steps.
inline constexpr std::int64_t safe_distance_max = 1'000;
// A shorter pause is a load of its own; the shortest lease has two of them.
inline constexpr Duration renew_interval_min{10};
// One call of the store that renews or acquires; longer than any lease is no bound.
inline constexpr Duration machine_call_timeout_max = std::chrono::minutes(1);
// How far ticks may run ahead of a clock that was set back.
inline constexpr Duration max_ahead_max = std::chrono::minutes(1);
// A generator that starts closer to the end of its time field is refused: nobody would look in
// time.
inline constexpr double years_left_min = 1.0;

}  // namespace holdfast::limits
