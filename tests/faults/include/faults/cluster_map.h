#pragma once
// Who has which slots, as the nodes of a ScriptedCluster tell it.
//
//   ClusterMap map = cluster.map();
//   map.move(0, 99, 2);               // slots 0-99 are node 2's
//   map.member(1).host = "";          // also "?"; std::nullopt is null
//   map.member(2).epoch = 7;
//   cluster.show(map);                // to all, or to one node alone: show(map, 1)

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::testing {

struct ClusterMember {
    std::string id;  // 40 hexadecimal digits
    std::uint16_t port = 0;
    std::optional<std::string> host = "127.0.0.1";
    std::uint64_t epoch = 0;
    std::optional<std::size_t> primary = std::nullopt;  // a replica's
    std::string health = "online";                      // online, fail, loading
};

// It may be as contradictory as a test wants.
class ClusterMap {
public:
    struct Range {
        std::uint16_t first;
        std::uint16_t last;
        std::size_t member;
    };

    std::vector<ClusterMember> members;
    std::vector<Range> ranges;

    ClusterMember& member(std::size_t number) { return members.at(number); }
    void move(std::uint16_t first, std::uint16_t last, std::size_t to);
    void drop(std::uint16_t first, std::uint16_t last);  // to nobody
    // It takes its primary's slots, with the highest epoch; the old primary is its replica.
    void promote(std::size_t replica);
    std::optional<std::size_t> owner(std::uint16_t slot) const;
    // "host:port" as MOVED and ASK have it.
    std::string address(std::size_t number) const;

    // Replies. `own`: the node that is asked; `third`: in RESP3.
    std::string cluster_slots(bool third) const;
    std::string cluster_nodes(std::size_t own) const;
    std::string cluster_shards(bool third) const;
};

}  // namespace holdfast::testing
