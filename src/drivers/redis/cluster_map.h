#pragma once
// Which node of a cluster serves which slot, from the answers of nodes that may be old, cut off or
// wrong, and from what MOVED said.
//
// Each slot has an epoch: that of its owner's configuration when it was seen to own the slot. The
// cluster raises it with every change of an owner, so that the higher one is the newer.

#include "topology.h"

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

struct ClusterAnswer;

class ClusterMap {
public:
    // `seeds` stay the last resort of nodes().
    explicit ClusterMap(std::vector<Endpoint> seeds = {});

    // The answers of `asked` to CLUSTER SLOTS and CLUSTER NODES (empty: it was denied, then epochs
    // are unknown). True: the topology is another. Effect none, and nothing changed: corrupt (it is
    // no map), unreachable (the node knows no slots, or belongs to another cluster), or the code of
    // an error reply.
    //
    // Of an answer counts, slot by slot, what is not older than what is known. What MOVED said
    // counts for moved_trusted also against the same or an unknown epoch, unless the owner that it
    // named says otherwise. Slots that an answer leaves out stay as they were.
    Result<bool>
    learn(RespView slots_reply, std::string_view nodes_text, const Endpoint& asked, SteadyTime now);

    // A node said so. True: the topology is another.
    bool moved(std::uint16_t slot, const Endpoint& owner, SteadyTime now);

    // Null: nothing is known yet. The same object until something changes. Of each shard
    // replicas_known never falls because an answer could not tell, nor because a failed primary has
    // not come back yet as a replica of its successor.
    std::shared_ptr<const Topology> topology() const;

    // A primary or replica of the map.
    bool knows(const Endpoint& node) const;
    // Whom to ask next: primaries, replicas, seeds; each once.
    std::vector<Endpoint> nodes() const;

private:
    static constexpr std::uint16_t nobody = Topology::no_shard;

    // A node that owns slots, or is about to.
    struct Owner {
        std::string id;  // empty: MOVED alone named it
        Endpoint node;
        std::uint64_t epoch = 0;
        std::vector<Endpoint> replicas;
        std::size_t replicas_known = 0;
        std::vector<std::string> ousted;  // primaries that it has replaced
        std::size_t slots = 0;
    };
    struct Slot {
        std::uint16_t owner = nobody;
        bool by_moved = false;
        std::uint64_t epoch = 0;
        SteadyTime moved_at{};
    };

    // One answer while it is learnt: where its shards stand in owners_.
    class Learning;

    Result<bool> adopt(const ClusterAnswer& answer, const Endpoint& asked, SteadyTime now);
    bool is_foreign(const ClusterAnswer& answer) const;
    std::uint16_t owner_at(const Endpoint& node);
    void give(std::size_t slot, std::uint16_t owner);
    void merge(std::uint16_t into, std::uint16_t from);
    void tidy();
    std::shared_ptr<const Topology> built() const;

    std::vector<Endpoint> seeds_;
    std::vector<Owner> owners_;  // no two at one address
    std::vector<Slot> slots_;
    std::vector<std::string> ids_;  // of the cluster's nodes, sorted
    SteadyTime heard_{};            // of a node of ours
    mutable std::shared_ptr<const Topology> topology_;
};

}  // namespace holdfast::redis
