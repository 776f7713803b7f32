#pragma once
// The nodes of a deployment as one loop sees them, and which of them a call goes to. Loop thread
// only.

#include "node_side.h"
#include "parking.h"
#include "watching.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

class LoopSide final : public std::enable_shared_from_this<LoopSide>, private NodeWatcher {
public:
    // `watching`: null for a single server.
    LoopSide(
        Loop& loop,
        Random& random,
        std::shared_ptr<const RedisOptions> options,
        std::shared_ptr<Watching> watching
    );

    // Empty: taken, will be ended. Else: effect none.
    std::optional<Error> send(RoutedOperation& operation, const Whereto& to) {
        if (single_ != nullptr) {
            return send_to(*single_, operation, to);
        }
        if (door_closed_) {
            return closed_error();
        }
        return send_routed(operation, to);
    }
    // One that was taken before.
    std::optional<Error> send_again(RoutedOperation& operation) {
        return send_routed(operation, operation.whereto());
    }
    // True: it goes on elsewhere, or later.
    bool again(RoutedOperation& operation, RespView error);
    bool again(RoutedOperation& operation, const Error& error);
    Parking& parking() { return parking_; }

    // Calls whose slots have the same number go to the same node.
    std::size_t shard_number(std::int32_t slot) const {
        return owners_.empty() || slot < 0 ? 0 : owners_[static_cast<std::size_t>(slot)];
    }
    // The node that serves this slot now; null, and why (none).
    NodeSide* primary_of(const Whereto& to, std::optional<Error>& refused);
    const std::shared_ptr<const Topology>& topology() const { return topology_; }

    void adopt(const std::shared_ptr<const Topology>& topology);
    // Nothing is known, and waiting cannot cure why.
    void watch_failed(const Error& why);

    void close(const Error& reason);
    void close_door();
    bool drained() const;
    std::vector<std::shared_ptr<NodeLink>> open_links() const;
    Loop& loop() const { return *loop_; }

private:
    // One shard as it is now.
    struct ShardSides {
        NodeSide* primary = nullptr;  // null: nobody is
        std::vector<NodeSide*> replicas;
        std::size_t turn = 0;  // of the replicas
    };
    using Sides = std::map<std::string, std::shared_ptr<NodeSide>, std::less<>>;

    std::optional<Error> send_to(NodeSide& node, RoutedOperation& operation, const Whereto& to) {
        std::optional<Error> refused;
        NodeLink* link = node.route(to.lane(), to.bulky(), refused);
        if (link == nullptr) {
            return refused;
        }
        operation.route_.link_ = link;
        return link->submit(operation);
    }
    std::optional<Error> send_routed(RoutedOperation& operation, const Whereto& to);
    std::optional<Error> go_on(RoutedOperation& operation, NodeSide& node, bool asking);
    ShardSides* shard_of(std::int32_t slot);
    NodeSide* reader_of(ShardSides& shard);
    NodeSide& side_of(const Endpoint& node, NodeRole role);
    bool redirected(RoutedOperation& operation, RespView error, bool ask);
    bool pause(RoutedOperation& operation, const char* why);
    void learn(std::uint16_t slot, const Endpoint& owner);
    NodeSide* side_with(const NodeLink* link) const;
    void
    evict(Sides& sides, const std::vector<NodeSide*>& kept, const std::vector<NodeSide*>& served);
    void troubled() override { watching_->suspect(Suspicion::unreachable); }
    template <class F>
    void each(F&& visit) const;

    Loop* loop_;
    Random* random_;
    std::shared_ptr<const RedisOptions> options_;
    std::shared_ptr<RedisProbe> probe_;
    std::shared_ptr<Watching> watching_;
    std::shared_ptr<NodeSide> single_;
    std::shared_ptr<const Topology> topology_;  // null: not known yet
    std::vector<ShardSides> shards_;
    std::vector<std::uint16_t> owners_;  // of a cluster's slots; MOVED changes it at once
    Sides primaries_;
    Sides replicas_;
    Parking parking_{*this};
    std::optional<Error> failure_;  // nothing is known, and waiting does not help
    bool door_closed_ = false;
    bool closed_ = false;
};

}  // namespace holdfast::redis
