#include "loop_side.h"

#include <holdfast/redis/nodes.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

OneNode::OneNode(std::shared_ptr<NodeSide> side, bool replica, std::size_t slots)
    : side_(std::move(side)), endpoint_(side_->node()), replica_(replica), slots_(slots) {}

Result<std::shared_ptr<NodeLink>> OneNode::link_for(NodeSide& side, Lane lane, bool bulky) {
    std::optional<Error> refused;
    NodeLink* link = side.route(lane, bulky, refused);
    if (link == nullptr) {
        return std::move(*refused);
    }
    return link->shared_from_this();
}

Task<> OneNode::run_batch_at(std::shared_ptr<NodeSide> side, Batch* batch, Deadline deadline) {
    auto link = link_for(*side, batch->lane(), false);
    if (!link.ok()) {
        co_return std::move(link).error();
    }
    RunBatch run(Route(*link.value()), *batch, deadline);
    co_return co_await run;
}

Result<std::vector<OneNode>> LoopSide::nodes(bool replicas_too) {
    std::vector<OneNode> all;
    if (single_ != nullptr) {
        all.emplace_back(single_, false, 0);
        return all;
    }
    std::vector<std::size_t> slots(shards_.size());
    for (const std::uint16_t owner : owners_) {
        if (owner != Topology::no_shard) {
            ++slots[owner];
        }
    }
    for (std::size_t i = 0; i < shards_.size(); ++i) {
        if (!owners_.empty() && slots[i] == 0) {
            continue;  // MOVED took its last one
        }
        if (shards_[i].primary != nullptr) {
            all.emplace_back(shards_[i].primary->shared_from_this(), false, slots[i]);
        } else if (!replicas_too) {
            return Error(Code::unreachable, Effect::none, "a part of the keys has no primary now");
        }
        if (replicas_too && i < topology_->shards().size()) {
            for (const Endpoint& replica : topology_->shards()[i].replicas) {
                NodeSide& side = side_of(replica, NodeRole::replica);
                all.emplace_back(side.shared_from_this(), true, slots[i]);
            }
        }
    }
    if (all.empty()) {
        return Error(Code::unreachable, Effect::none, "no node is known");
    }
    return all;
}

// Any call finds out who the nodes are; this one is of no other use.
Task<LoopSide*> Client::side_that_knows(Deadline deadline) {
    Loop& loop = (co_await this_scope()).loop();
    LoopSide* side = side_of(loop);
    if (side == nullptr) {
        co_return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    if (options_->shape() != Shape::single && side->topology() == nullptr) {
        Command<std::string> ping(AnyCommand("PING", Repeat::idempotent), read_text);
        auto answered = co_await run(std::move(ping), deadline);
        if (!answered.ok() && side->topology() == nullptr) {
            co_return std::move(answered).error();
        }
    }
    co_return side;
}

Task<std::vector<OneNode>> primaries_of(Client* client, Deadline deadline) {
    auto side = co_await client->side_that_knows(deadline);
    if (!side.ok()) {
        co_return std::move(side).error();
    }
    co_return side.value()->nodes(false);
}

Task<std::vector<OneNode>> nodes_of(Client* client, Deadline deadline) {
    auto side = co_await client->side_that_knows(deadline);
    if (!side.ok()) {
        co_return std::move(side).error();
    }
    co_return side.value()->nodes(true);
}

}  // namespace holdfast::redis
