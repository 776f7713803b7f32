#pragma once
// What one node says of its cluster: CLUSTER SLOTS and CLUSTER NODES, read and joined by the ids.

#include <holdfast/base/result.h>
#include <holdfast/redis/uri.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

// A primary that serves slots.
struct AnsweredShard {
    std::string id;  // empty: from servers older than 4.0
    Endpoint primary;
    std::uint64_t epoch = 0;          // 0: unknown
    std::vector<Endpoint> replicas;   // that can be asked, in order
    std::size_t replicas_listed = 0;  // also those that are down
};

struct AnsweredRange {
    std::uint16_t first = 0;
    std::uint16_t last = 0;
    std::uint16_t shard = 0;  // its place in shards
};

struct ClusterAnswer {
    std::vector<AnsweredShard> shards;
    std::vector<AnsweredRange> ranges;  // none overlaps another
    std::vector<std::string> ids;       // of all nodes, sorted, each once
    std::vector<std::string> idle;      // of primaries without slots, sorted
    bool has_nodes = false;             // CLUSTER NODES was not denied
};

// `nodes_text` may be empty. corrupt, none: not what Redis sends, or more than the limits of
// client_limits.h. The code of an error reply, none: the node refused.
Result<ClusterAnswer>
read_cluster_answer(RespView slots_reply, std::string_view nodes_text, const Endpoint& asked);

}  // namespace holdfast::redis
