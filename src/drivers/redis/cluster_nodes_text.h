#pragma once
// CLUSTER NODES, a line a node:
// id host:port@bus[,hostname[,name=value]..] flags primary|- ping pong epoch link [slot |
// first-last | [slot->-id] | [slot-<-id]]..
//
// Source: the page of the command, and clusterGenNodeDescription() of Redis 7.0.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::redis {

// Views into the text.
struct ClusterLine {
    std::string_view id;
    std::string_view primary;  // of a replica; else empty
    std::uint64_t epoch = 0;   // of its shard's configuration
    bool down = false;         // failed or suspected, or its address is not known
    bool joining = false;      // a handshake is under way: the id is not yet its own
    bool has_slots = false;
};

// Sorted by id. Nothing: malformed, or more than cluster_nodes_max.
std::optional<std::vector<ClusterLine>> read_cluster_nodes(std::string_view text);

// Null: there is none of this id.
const ClusterLine* line_of(const std::vector<ClusterLine>& lines, std::string_view id);

}  // namespace holdfast::redis
