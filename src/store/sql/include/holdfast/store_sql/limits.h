#pragma once
// The bounds of this room, each with its reason.

#include <holdfast/base/time.h>

#include <cstddef>

namespace holdfast {

// Calls that wait for a transaction. At 128 a commit and 400 us a commit the last of them waits 4
// ms; a longer queue would only hide an overload.
inline constexpr std::size_t sql_queue_default = 1024;
// Calls in one transaction. They keep the file's write lock for as long as they run, about 5 us
// each beside an fsync of 150 to 400 us: more than this gains little and makes neighbours wait.
inline constexpr std::size_t sql_batch_default = 128;
// One wait for the write lock. Between two of them we look whether anyone still wants it.
inline constexpr Duration sql_lock_slice{20};
// Looks at an empty queue, each with a yield of the core, before a drain gives its thread back:
// some 30 us, about what a loop needs to wake up and ask again. A lone caller then finds the drain
// awake, which saves one of two wake-ups between cores.
inline constexpr int sql_linger_looks = 120;
// Rows read at a time to find numbers that have no row yet.
inline constexpr int slot_gap_page = 64;
// Pages of one such search: it then answers what it has found. Only rows made in a long run above
// the first gap, by preferred numbers, can be that many.
inline constexpr int slot_gap_pages_max = 16;
// The note of how many numbers have a row from 0 on may lag by this much: a write of it for each
// new row would double the cost of a grant.
inline constexpr std::int64_t slot_rows_lag_max = 32;

}  // namespace holdfast
