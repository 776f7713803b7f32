#pragma once

#include <cstddef>

namespace holdfast {

// A series is a line in every scrape for every label value; four names already multiply beyond what
// a person reads.
inline constexpr std::size_t metric_labels_max = 4;

// The search for a bucket touches every bound: 20 doubles are 160 bytes, three cache lines.
inline constexpr std::size_t histogram_bounds_max = 20;

// Longer texts are cut in a log record: a peer that sends a megabyte must not decide how large our
// logs get.
inline constexpr std::size_t log_value_bytes_max = 1024;

}  // namespace holdfast
