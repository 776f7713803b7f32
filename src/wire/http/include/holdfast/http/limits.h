#pragma once
// The bounds of this room that are not settings (those are HttpLimits), each with its reason.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>

namespace holdfast {

// Holds a usual request of ours (300 bytes) several times over; 4,096 idle connections cost 8 MiB.
inline constexpr std::size_t read_buffer_bytes = 2 * 1024;
// Less room than this at the end of the buffer is not worth a read call: it moves or grows first.
inline constexpr std::size_t read_bytes_min = 512;
// What is read ahead while a handler works: one pipelined request, or the news that the client
// left.
inline constexpr std::size_t read_ahead_bytes = 512;
// A browser behind a proxy sends about 25 fields. More grow the list once: the 100 that are allowed
// take 4 KiB.
inline constexpr std::size_t fields_reserved = 32;
// So many pipelined requests in a row, then everybody else on the loop has a turn: a thousand of
// them took a second from all other clients.
inline constexpr std::size_t answers_in_a_row_max = 4;
// Answers below this size keep their memory for the next one of the connection.
inline constexpr std::size_t answer_bytes_kept = 4 * 1024;

// A 64-bit number in hex; leading zeros beyond it have no honest use.
inline constexpr std::size_t chunk_size_digits_max = 16;
// The largest 64-bit number has 20 digits, and not all numbers of 20 digits fit.
inline constexpr std::size_t content_length_digits_max = 19;

// Time limits are kept within an eighth of the shortest of them, but nobody is looked at more often
// than every millisecond or less often than every second.
inline constexpr std::int64_t watch_fraction = 8;
inline constexpr Duration watch_period_min{1};
inline constexpr Duration watch_period_max{1'000};

// After the last answer the client may still be sending; closing at once could make its system drop
// the answer unread. This long and this much is read and thrown away.
inline constexpr Duration linger_time{2'000};
inline constexpr std::size_t linger_bytes_max = 256 * 1024;

// How often a server that drains looks whether its connections have ended.
inline constexpr Duration drain_look{5};

}  // namespace holdfast
