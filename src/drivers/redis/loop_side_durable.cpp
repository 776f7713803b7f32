// Where durable writes go, and where they go on.
#include "loop_side.h"
#include "redirect.h"
#include "refusals.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/random.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/copies_by_shard.h>
#include <holdfast/redis/durable_limits.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

constexpr std::string_view untold = "it is not known yet how many replicas must have the write";

}  // namespace

std::optional<Error> LoopSide::send(DurableCall& call) {
    if (door_closed_ || closed_) {
        return closed_error();
    }
    call.side_ = this;
    call.redirects_ = call.pauses_ = 0;
    if (call.command().slot() == slot_of_many && options_->shape() == Shape::cluster) {
        return Error(Code::invalid_argument, Effect::none, "the keys have different slots");
    }
    return send_durable(call);
}

std::optional<Error> LoopSide::send_durable(DurableCall& call) {
    if (single_ != nullptr) {
        return send_to(*single_, call);
    }
    ShardSides* shard = shard_of(call.command().slot());
    if (shard != nullptr && shard->primary != nullptr) {
        return send_to(*shard->primary, call);
    }
    if (failure_.has_value()) {
        return Error(failure_->code(), Effect::none, failure_->what());
    }
    watching_->begin();
    if (topology_ != nullptr) {
        watching_->suspect(Suspicion::no_owner);
    }
    return park(call, SteadyTime::max(), trouble_.empty() ? nobody_serves : trouble_);
}

std::optional<Error> LoopSide::send_to(NodeSide& node, DurableCall& call) {
    if (CopiesByShard* shards = call.copies_.shards(); shards != nullptr) {
        RequiredCopies* required = shards->at(node.node(), topology_);
        if (required == nullptr) {
            call.redirects_ = 0;  // it has been sent nowhere, and there is a pause
            return park(call, loop_->now() + copies_untold_pause, untold);
        }
        call.copies_.of_shard(*required);
    }
    return node.submit(call);
}

std::optional<Error> LoopSide::park(DurableCall& call, SteadyTime until, std::string_view why) {
    if (durable_parking_.size() >= options_->in_flight_max()) {
        return Error(Code::overloaded, Effect::none, "too many calls wait for a node");
    }
    call.asking_ = false;
    durable_parking_.park(call, until, why);
    return std::nullopt;
}

void LoopSide::go_on(DurableCall& call) {
    call.asking_ = false;
    auto refused = closed_ ? closed_error() : send_durable(call);
    if (refused.has_value()) {
        call.failed(std::move(*refused));
    }
}

bool LoopSide::goes_on(const DurableCall& call, RespView error) const {
    return single_ == nullptr && !closed_ && node_answer(error) != NodeAnswer::none &&
           error_of(error, call.command()).effect() == Effect::none;
}

// `call` is in no lane any more, and nothing of it was done.
void LoopSide::go_on(DurableCall& call, RespView error, const NodeLink& by) {
    const NodeAnswer answer = node_answer(error);
    std::optional<Error> refused;
    if (answer == NodeAnswer::moved || answer == NodeAnswer::ask) {
        refused = redirect(call, error, by);
    } else {
        if (answer == NodeAnswer::try_again) {
            call.redirects_ = 0;  // as long as its slot moves it goes to and fro
        } else {
            watching_->suspect(Suspicion::refused);
        }
        refused = pause(call, answer == NodeAnswer::try_again ? moves : cannot_now);
    }
    if (refused.has_value()) {
        call.failed(std::move(*refused));
    }
}

std::optional<Error> LoopSide::redirect(DurableCall& call, RespView error, const NodeLink& by) {
    NodeSide* asked = side_with(&by);
    const auto to = parse_redirect(error.text(), asked == nullptr ? Endpoint() : asked->node());
    if (!to.has_value() || call.redirects_ >= redirects_max) {
        watching_->suspect(Suspicion::moved);
        return error_of(error, call.command());
    }
    ++call.redirects_;
    if (!to->ask && asked != nullptr && asked->node() == to->node) {
        // Its name leads to another server by now: the old connection will never do.
        if (asked->has_durable(&by)) {
            asked->renew(Error(Code::moved, Effect::none, "the node's name leads to another server")
            );
        }
        watching_->suspect(Suspicion::moved);
        return pause(call, moves);
    }
    if (!to->ask) {
        learn(to->slot, to->node);
    }
    call.asking_ = to->ask;
    return send_to(side_of(to->node, NodeRole::primary), call);
}

std::optional<Error> LoopSide::pause(DurableCall& call, std::string_view why) {
    return park(call, after_pause(call.pauses_), why);
}

std::optional<Error> send_durable(Client& client, Loop& loop, DurableCall& call) {
    LoopSide* side = client.side_of(loop);
    if (side == nullptr) {
        return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    return side->send(call);
}

}  // namespace holdfast::redis
