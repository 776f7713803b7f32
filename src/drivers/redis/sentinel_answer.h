#pragma once
// What one sentinel says of itself and of a group: SENTINEL MYID, MASTER, REPLICAS and SENTINELS,
// in both protocols.

#include <holdfast/base/result.h>
#include <holdfast/redis/uri.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

struct SentinelAnswer {
    std::string id;  // of the sentinel; empty: it does not tell, or is older than 6.2
    Endpoint primary;
    std::uint64_t epoch = 0;  // of the configuration; each failover raises it
    // Nothing: the sentinel does not tell them to this user.
    std::optional<std::vector<Endpoint>> replicas;  // that can be read from
    std::size_t replicas_listed = 0;                // also those that are down
    std::vector<Endpoint> sentinels;                // the others
};

// corrupt, none: not what a sentinel sends, or more than the limits of client_limits.h.
// invalid_argument, none: it knows no master of this name; the context names the setting. The code
// of another error reply to SENTINEL MASTER, none.
Result<SentinelAnswer> read_sentinel_answer(
    const Endpoint& sentinel, RespView id, RespView master, RespView replicas, RespView sentinels
);

Error not_of_a_sentinel(const Endpoint& sentinel);  // corrupt, none

}  // namespace holdfast::redis
