#pragma once
// Which nodes a deployment has and what each is for: what is known at one moment. Made by whoever
// watches the deployment (ClusterMap, SentinelView), used by every loop.

#include <holdfast/redis/command.h>
#include <holdfast/redis/uri.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace holdfast::redis {

inline constexpr std::size_t cluster_slots_count = 16'384;

// One primary and its replicas: all of a single server or of a Sentinel's group, a part of a
// cluster.
class ShardNodes {
public:
    ShardNodes() {}    // NOLINT(modernize-use-equals-default): no aggregate
    Endpoint primary;  // an empty host: nobody is, at this moment
    std::vector<Endpoint> replicas;
    // Replicas that are known to belong to it, also those that are down: what WAIT must reach.
    std::size_t replicas_known = 0;
};

// Immutable; any thread.
class Topology {
public:
    static constexpr std::uint16_t no_shard = 0xFFFF;

    // Of a single server or a Sentinel's group.
    Topology(Shape shape, ShardNodes nodes) : shape_(shape) { shards_.push_back(std::move(nodes)); }
    // Of a cluster. `owners`: of each slot its shard, or no_shard; cluster_slots_count of them.
    Topology(std::vector<ShardNodes> shards, std::vector<std::uint16_t> owners)
        : shape_(Shape::cluster), shards_(std::move(shards)), owners_(std::move(owners)) {}

    Shape shape() const { return shape_; }
    const std::vector<ShardNodes>& shards() const { return shards_; }
    // The shard of a slot; of a call without a key (`slot_of_no_key`) the first. no_shard: nobody
    // serves it.
    std::uint16_t shard_of(std::int32_t slot) const {
        if (shape_ != Shape::cluster || slot < 0) {
            return shards_.empty() ? no_shard : 0;
        }
        return owners_[static_cast<std::size_t>(slot)];
    }
    // Of each slot its shard, or no_shard; empty where it is no cluster.
    const std::vector<std::uint16_t>& owners() const { return owners_; }

private:
    Shape shape_;
    std::vector<ShardNodes> shards_;
    std::vector<std::uint16_t> owners_;  // of a cluster
};

// Why somebody thinks that the topology has changed.
enum class Suspicion : std::uint8_t {
    moved,        // a node said that another has the slot
    unreachable,  // a connection was lost, could not be opened, or a call got no answer in time
    refused,   // READONLY, CLUSTERDOWN, MASTERDOWN, LOADING: the node cannot serve what it should
    no_owner,  // nobody serves the slot of a call
};

// Keeps a client's Topology true, on one loop. Publishes what it learns to all loops.
class TopologyWatch {
public:
    virtual ~TopologyWatch() = default;
    virtual void start() = 0;
    // Asks again soon: single flight, at most once a second. Its loop's thread.
    virtual void suspect(Suspicion why) = 0;
    // A node said so. Its loop's thread.
    virtual void moved(std::uint16_t slot, const Endpoint& owner) = 0;
    // Nothing is published after this. Its loop's thread.
    virtual void stop() = 0;
};

}  // namespace holdfast::redis
