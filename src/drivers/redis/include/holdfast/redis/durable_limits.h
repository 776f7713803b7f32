#pragma once
// The bounds of writes that wait for replicas, each with its reason.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>

namespace holdfast::redis {

// Of a setting: more replicas than any primary can feed.
inline constexpr std::int64_t wait_replicas_max = 1'000;
// ROLE is asked so often, also while writes are refused: that is how recovery is noticed.
inline constexpr Duration role_poll_pause{1'000};
// What an older ROLE said refuses nothing: without somebody who asks again, the next write finds
// out. Two polls may be late.
inline constexpr Duration role_trusted_max{3'000};
// A write whose shard is known and not yet how many replicas it needs looks again after so long:
// whoever watches the shards finds it out in a round trip or two.
inline constexpr Duration copies_untold_pause{20};
// Shards that are remembered, also those that are gone: twice what a cluster can have. Beyond it
// new ones get no durable writes.
inline constexpr std::size_t copies_shards_max = 2'000;
// Topologies that loops may still be behind with: they are published to all at once.
inline constexpr std::size_t topologies_remembered = 4;

}  // namespace holdfast::redis
