#pragma once
// The nodes of a deployment as one loop sees them, and which of them a call goes to. Loop thread
// only.

#include "durable_parking.h"
#include "listeners.h"
#include "node_side.h"
#include "parking.h"
#include "read_probe.h"
#include "watching.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

class OneNode;

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

    // Empty: taken, will be ended. Else: effect none.
    std::optional<Error> send(DurableCall& call);
    // Whether this answer is none of the call itself, of which nothing was done.
    bool goes_on(const DurableCall& call, RespView error) const;
    // One that is in no lane and of which nothing was done: it is sent on, or ends.
    void go_on(DurableCall& call, RespView error, const NodeLink& by);
    void go_on(DurableCall& call);

    // Calls whose slots have the same number go to the same node.
    std::size_t shard_number(std::int32_t slot) const {
        return owners_.empty() || slot < 0 ? 0 : owners_[static_cast<std::size_t>(slot)];
    }
    // The node that serves this slot now; null, and why (none).
    NodeSide* primary_of(const Whereto& to, std::optional<Error>& refused);
    // See nodes_of().
    Result<std::vector<OneNode>> nodes(bool replicas_too);
    const std::shared_ptr<const Topology>& topology() const { return topology_; }

    // Of subscriptions to a client of several nodes: whom to dial. `slot`: of channels that have
    // one; else any primary, another than `avoided` if there is one. Nothing: nobody is known yet,
    // or nobody serves it.
    std::optional<Endpoint> node_for_messages(std::int32_t slot, const Endpoint& avoided);
    bool serves_messages(const Endpoint& node, std::int32_t slot);
    // An empty host: nobody is known.
    Endpoint primary_at(std::int32_t slot) {
        const ShardSides* shard = shard_of(slot);
        const bool known = shard != nullptr && shard->primary != nullptr;
        return is_single() ? single_->node() : known ? shard->primary->node() : Endpoint{"", 0};
    }
    Listeners& listeners() { return listeners_; }
    const std::optional<Error>& failure() const { return failure_; }
    bool closed() const { return closed_; }
    bool is_single() const { return single_ != nullptr; }
    void suspect(Suspicion why);
    // The slot's owner at once, on this loop; the watch tells the others.
    void learn(std::uint16_t slot, const Endpoint& owner);

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
        std::vector<const ReadHealth*> readers;  // the primary's, then those of the replicas
        ReadTurn turn;
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
    std::optional<Error> send_durable(DurableCall& call);
    std::optional<Error> send_to(NodeSide& node, DurableCall& call);
    std::optional<Error> redirect(DurableCall& call, RespView error, const NodeLink& by);
    std::optional<Error> pause(DurableCall& call, std::string_view why);
    std::optional<Error> park(DurableCall& call, SteadyTime until, std::string_view why);
    void go_on(RoutedOperation& operation, NodeSide& node, bool asking);
    ShardSides* shard_of(std::int32_t slot);
    NodeSide* reader_of(ShardSides& shard);
    std::vector<std::shared_ptr<NodeSide>> readers() const;
    NodeSide& side_of(const Endpoint& node, NodeRole role);
    bool redirected(RoutedOperation& operation, RespView error, bool ask);
    // Longer each time, with jitter: those that were refused together do not come back together.
    SteadyTime after_pause(std::uint8_t& pauses);
    bool pause(RoutedOperation& operation, std::string_view why);
    NodeSide* side_with(const NodeLink* link) const;
    void
    evict(Sides& sides, const std::vector<NodeSide*>& kept, const std::vector<NodeSide*>& served);
    void troubled() override;
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
    std::vector<std::shared_ptr<NodeSide>> leaving_;  // with calls that have yet to end
    Parking parking_{*this};
    DurableParking durable_parking_{*this};
    Listeners listeners_;
    ReadPolicy reads_;
    ReadProbe read_probe_{*loop_, [this] {
                              return readers();
                          }};
    std::string_view trouble_;      // why nothing is known yet
    std::optional<Error> failure_;  // nothing is known, and waiting does not help
    bool door_closed_ = false;
    bool closed_ = false;
};

}  // namespace holdfast::redis
