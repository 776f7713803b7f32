#pragma once
// Calls to one node of a deployment, or to each, where a client otherwise chooses by the key.
//
//   auto all = co_await run_on_each(client, dbsize(), deadline);      // NodeOutcome of each
//   primary
//
// For what has no key and belongs to nodes: SCRIPT LOAD, SCRIPT FLUSH, FUNCTION LOAD, FLUSHALL,
// DBSIZE, KEYS, CONFIG SET, INFO.

#include <holdfast/io/compose.h>
#include <holdfast/redis/client.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace holdfast::redis {

// Calls go to it and nowhere else, whatever it serves by now. Of the loop it was asked for on;
// outlives neither its client nor its node: `closed`, or `moved` once it has lost its part. Errors
// as of Client, and MOVED or ASK of a command with keys is `moved`.
class OneNode {
public:
    OneNode(std::shared_ptr<NodeSide> side, bool replica, std::size_t slots);

    const Endpoint& endpoint() const { return endpoint_; }
    bool is_replica() const { return replica_; }
    // That it, or its primary, serves; 0 where it is no cluster.
    std::size_t slots() const { return slots_; }

    template <class Reply>
    Task<Reply> run(Command<Reply> command, Deadline deadline) const {
        return run_at(side_, std::move(command), deadline);
    }

    // As Client::run() of one: the batch stays where it is until the end.
    Task<> run(Batch& batch, Deadline deadline) const {
        return run_batch_at(side_, &batch, deadline);
    }

private:
    template <class Reply>
    static Task<Reply>
    run_at(std::shared_ptr<NodeSide> side, Command<Reply> command, Deadline deadline) {
        auto link = link_for(*side, command.any().lane(), command.any().bulky());
        if (!link.ok()) {
            co_return std::move(link).error();
        }
        Run<Reply> run(Route(*link.value()), std::move(command), deadline);
        co_return co_await run;
    }
    static Task<> run_batch_at(std::shared_ptr<NodeSide> side, Batch* batch, Deadline deadline);
    static Result<std::shared_ptr<NodeLink>> link_for(NodeSide& side, Lane lane, bool bulky);

    std::shared_ptr<NodeSide> side_;
    Endpoint endpoint_;
    bool replica_;
    std::size_t slots_;
};

// Of a cluster its primaries that serve slots, in no order; of Sentinels the primary; else the
// server. Waits until it is known who they are; a shard without a primary at this moment is
// `unreachable`, none.
Task<std::vector<OneNode>> primaries_of(Client* client, Deadline deadline);
// The same with the replicas that are known to be well, each behind its primary; of a shard without
// a primary they alone.
Task<std::vector<OneNode>> nodes_of(Client* client, Deadline deadline);

template <class Reply>
class NodeOutcome {
public:
    NodeOutcome(Endpoint where, Result<Reply> what)
        : node(std::move(where)), outcome(std::move(what)) {}
    Endpoint node;
    Result<Reply> outcome;
};

// The command on each primary, all at once. An error: on none; what went wrong on one is in its
// outcome. A primary that comes later has not had it.
template <class Reply>
Task<std::vector<NodeOutcome<Reply>>>
run_on_each(Client* client, Command<Reply> command, Deadline deadline) {
    auto nodes = co_await primaries_of(client, deadline);
    if (!nodes.ok()) {
        co_return std::move(nodes).error();
    }
    std::vector<Task<Reply>> calls;
    for (const OneNode& node : nodes.value()) {
        Command<Reply> copy = command;
        calls.push_back(node.run(std::move(copy), deadline));
    }
    auto ended = co_await when_all(std::move(calls));
    if (!ended.ok()) {
        co_return std::move(ended).error();
    }
    std::vector<NodeOutcome<Reply>> outcomes;
    for (std::size_t i = 0; i < nodes.value().size(); ++i) {
        outcomes.emplace_back(nodes.value()[i].endpoint(), std::move(ended.value()[i]));
    }
    co_return std::move(outcomes);
}

}  // namespace holdfast::redis
