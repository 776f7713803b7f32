#pragma once
// The connections of a client to one node, on one loop. Loop thread only.

#include "durable_lane.h"
#include "node_link.h"
#include "read_policy.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/lease.h>

#include <memory>
#include <vector>

namespace holdfast::redis {

class NodeSideOptions {
public:
    DialTarget target;
    std::shared_ptr<RedisProbe> probe;          // null: nobody watches
    NodeWatcher* watcher = nullptr;             // outlives the connections that are not closed
    Duration suspect_after = Duration::zero();  // a silent node is told of after so long; zero: not
    bool fail_fast = false;                     // without a connection calls end at once
};

class NodeSide final : public std::enable_shared_from_this<NodeSide>, private NodeWatcher {
public:
    NodeSide(
        Loop& loop,
        Random& random,
        std::shared_ptr<const RedisOptions> options,
        NodeSideOptions node
    );

    // The connection for a call; null, and the reason (none), if there is none.
    NodeLink* route(Lane lane, bool bulky, std::optional<Error>& refused) {
        if (lane == Lane::shared &&
            (!bulky || fault("redis.49"))) {  // it refuses by itself what comes after close()
            return shared_.get();
        }
        return route_rare(lane, refused);
    }
    std::optional<Error> submit(DurableCall& call);
    Result<Lease> lease();
    void give_back(std::shared_ptr<NodeLink> link, bool watched, bool keep);

    void close(const Error& reason);
    void close_door();
    // New calls get new connections; those that were written end on the old ones, the others end
    // for this reason.
    void renew(const Error& reason);
    // The same without new connections.
    void retire(const Error& reason);
    bool drained() const;
    bool has(const NodeLink* link) const;
    // Of durable writes, and not of those that renew() has taken out of use.
    bool has_durable(const NodeLink* link) const {
        return durable_ != nullptr && durable_->has(link);
    }
    const Endpoint& node() const { return node_.target.node; }
    bool is_replica() const { return node_.target.role == NodeRole::replica; }
    // Of the connection that calls share; see Mux.
    Duration round_trip() const { return shared_->mux().round_trip(); }
    // Those that are connected and on which nothing waits for ever.
    std::vector<std::shared_ptr<NodeLink>> open_links();
    Loop& loop() const { return *loop_; }
    // As those see it who read from it.
    ReadHealth& health() { return health_; }

private:
    class Unwatch;

    void troubled() override;
    void opened() override { health_.connected(); }
    void lost() override { health_.lost(); }
    void not_opened(const Error&) override { health_.lost(); }

    std::shared_ptr<NodeLink> open(Redial redial, bool may_be_silent);
    NodeLink* route_rare(Lane lane, std::optional<Error>& refused);
    NodeLink* blocking(std::optional<Error>& refused);
    std::vector<std::shared_ptr<NodeLink>> all() const;
    template <class F>
    void each(F&& visit) const;

    Loop* loop_;
    Random* random_;
    std::shared_ptr<const RedisOptions> options_;
    NodeSideOptions node_;
    std::shared_ptr<NodeLink> shared_;
    std::shared_ptr<NodeLink> bulk_;
    std::unique_ptr<DurableLane> durable_;
    std::vector<std::unique_ptr<DurableLane>> retired_durable_;
    std::vector<std::shared_ptr<NodeLink>> blocking_;
    std::vector<std::shared_ptr<NodeLink>> leased_;
    std::vector<std::shared_ptr<NodeLink>> idle_leases_;
    std::vector<std::shared_ptr<NodeLink>> retired_;
    ReadHealth health_;
    bool closed_ = false;
};

}  // namespace holdfast::redis
