#pragma once
// How one answer of a node changes what is known of a cluster.

#include "cluster_answer.h"
#include "cluster_map.h"

#include <vector>

namespace holdfast::redis {

class ClusterMap::Learning {
public:
    Learning(ClusterMap& map, const ClusterAnswer& answer, const Endpoint& asked, SteadyTime now)
        : map_(&map), answer_(&answer), asked_(&asked), now_(now) {}

    void run();

private:
    std::uint16_t owner_of(const AnsweredShard& shard);
    std::uint16_t find(const AnsweredShard& shard) const;
    void say(std::size_t slot, std::uint16_t owner, std::uint64_t epoch);
    bool wins(Slot& slot, std::uint64_t epoch) const;
    void describe(Owner& owner, const AnsweredShard& shard) const;
    bool is_owners_own(const Owner& owner) const { return owner.node == *asked_; }

    ClusterMap* map_;
    const ClusterAnswer* answer_;
    const Endpoint* asked_;
    SteadyTime now_;
    std::vector<std::uint16_t> places_;  // of the answer's shards in owners_
    mutable std::size_t hint_ = 0;       // shards usually come in the order of the last answer
};

}  // namespace holdfast::redis
