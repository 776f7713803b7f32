#pragma once
// The bounds of this room, each with its reason.

#include <chrono>
#include <cstddef>

namespace holdfast {

// Prepared statements kept by one connection. Every statement text is a constant of some room, so
// more than this means that a value was written into a text.
inline constexpr std::size_t sql_statements_max = 256;

// Pauses between two looks at a lock that another connection holds. They grow from the time that a
// transaction in memory takes to twice a usual fsync: longer ones would let a busy neighbour win
// every race for the lock.
inline constexpr std::chrono::microseconds sql_lock_pause_min{50};
inline constexpr std::chrono::microseconds sql_lock_pause_max{800};

}  // namespace holdfast
