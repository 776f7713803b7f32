#pragma once
// The bounds of client-side caching, each with its reason.

#include <holdfast/base/time.h>

#include <cstddef>

namespace holdfast::redis {

// Of one loop: some hundred thousand small values, and with a loop on each core of a large machine
// still a part of its memory.
inline constexpr std::size_t tracked_bytes_max_default = std::size_t{64} << 20;
// With less the table itself would leave no room for a value.
inline constexpr std::size_t tracked_bytes_max_least = std::size_t{64} << 10;
// A key of some 20 bytes, a value of 16, and what an entry needs besides. The table has as many
// places as so large entries fit, and never grows: growing would hold its loop up.
inline constexpr std::size_t tracked_entry_bytes_usual = 160;
// A reply that alone would take more than one part in so many is not kept.
inline constexpr std::size_t tracked_share = 8;

// The tracked connection is asked whether it lives so often, and is lost when it does not answer
// for so long. A value is older than a change by their sum at most: about as long as people
// take a wrong page for a slow one.
inline constexpr Duration tracked_ping_every{1'000};
inline constexpr Duration tracked_ping_patience{2'000};
// Ages are looked at with each ping.
inline constexpr Duration tracked_age_max_least{2'000};

}  // namespace holdfast::redis
