#pragma once
// The bounds of chains of ranges, each with its reason.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>

namespace holdfast::limits {

// A chain that callers outrun doubles what it keeps ahead up to here: at the usual step of 1,000
// and a store that answers in 10 ms that is 100 million ids a second. All of it is burnt when the
// process ends.
inline constexpr std::int64_t distance_max = 1'024;
// A chain that nobody outran for so long halves what it keeps ahead (CosId: 5 s).
inline constexpr Duration quiet_time{5'000};

// One call of the store. A store that is slower than that gets twice the time at the next call, up
// to the longest: a slow store must not look like one that is away.
inline constexpr Duration reserve_time_min{1'000};
inline constexpr Duration reserve_time_max{30'000};
// After a failed call: the pause doubles. While callers wait it stays below the second number, so
// that they hear soon of a store that is back; at the third nobody notices the calls.
inline constexpr Duration retry_pause_min{50};
inline constexpr Duration retry_pause_wanted_max{250};
inline constexpr Duration retry_pause_max{2'000};

// Tasks that wait for one range key. One more is `overloaded`: at a step of 1 each range wakes all.
inline constexpr std::size_t waiting_tasks_max = 65'536;

// Threads with numbers of their own (order relaxed): 128 bytes each. Others share the chain's line.
inline constexpr std::size_t stripes_max = 256;
// What a thread takes at once is a part of a step, so that few threads do not empty a range, and at
// most so many: at 1,000 the shared line costs each id less than a picosecond a core.
inline constexpr std::int64_t stripe_part = 8;
inline constexpr std::int64_t stripe_numbers_max = 1'000;

// Periods whose ranges are in hand: the one of now, and those of callers whose clock was read just
// before a border or that was set back.
inline constexpr std::size_t periods_in_hand_max = 4;
// A period that nobody asked for in this time, and that is not the newest, is let go.
inline constexpr Duration period_grace{5'000};
// Periods whose last number is remembered, to notice a store that lost a write.
inline constexpr std::size_t periods_remembered_max = 64;

}  // namespace holdfast::limits
