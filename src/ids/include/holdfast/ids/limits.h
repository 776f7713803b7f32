#pragma once
// What layouts, generators and machines may be told, beside the limits of the store contract.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>

namespace holdfast::limits {

inline constexpr int id_bits_max = 63;       // an id is never negative
inline constexpr int id_bits_max_js = 53;    // the numbers of JavaScript are exact up to 2^53
inline constexpr int id_bits_max_text = 80;  // 44/20/16, as CosId's string ids
inline constexpr int time_bits_max_milliseconds = 62;
inline constexpr int time_bits_max_seconds = 52;  // its milliseconds fit into 63 bits
inline constexpr int machine_bits_max = 31;
inline constexpr int sequence_bits_max = 31;
inline constexpr std::int64_t epoch_ms_max = 253'402'300'799'999;  // the end of the year 9999
// An epoch in 1970 other than its begin was meant as seconds.
inline constexpr std::int64_t epoch_ms_min = 31'536'000'000;

// Each prefix, suffix, delimiter and date pattern of a codec: ids are keys, and keys are short.
inline constexpr std::size_t codec_text_bytes_max = 64;
inline constexpr int decimal_width_max = 20;  // the digits of 2^64 - 1

// A list of them is held in memory and asked for by every query of a range.
inline constexpr std::int64_t nodes_max = 65'536;
inline constexpr std::int64_t interval_amount_max = 1'000'000;  // seconds of eleven days

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
// A runtime that could not be opened gives back what it had taken for this long.
inline constexpr Duration goodbye_time{1'000};
// A generator that starts closer to the end of its time field is refused: nobody would look in
// time.
inline constexpr double years_left_min = 1.0;

}  // namespace holdfast::limits
