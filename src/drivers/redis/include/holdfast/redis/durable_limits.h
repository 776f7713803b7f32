#pragma once
// The bounds of writes that wait for replicas, each with its reason.

#include <holdfast/base/time.h>

#include <cstdint>

namespace holdfast::redis {

// Of a setting: more replicas than any primary can feed.
inline constexpr std::int64_t wait_replicas_max = 1'000;
// ROLE is asked so often, also while writes are refused: that is how recovery is noticed.
inline constexpr Duration role_poll_pause{1'000};
// What an older ROLE said refuses nothing: without somebody who asks again, the next write finds
// out. Two polls may be late.
inline constexpr Duration role_trusted_max{3'000};

}  // namespace holdfast::redis
