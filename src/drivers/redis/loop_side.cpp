#include "loop_side.h"

#include "redirect.h"
#include "refusals.h"
#include "resp_kinds.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/random.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

Error evicted() {
    return Error(Code::moved, Effect::none, "the node has lost its part");
}

}  // namespace

LoopSide::LoopSide(
    Loop& loop,
    Random& random,
    std::shared_ptr<const RedisOptions> options,
    std::shared_ptr<Watching> watching
)
    : loop_(&loop), random_(&random), options_(std::move(options)),
      probe_(options_->probe() ? options_->probe()() : nullptr), watching_(std::move(watching)),
      reads_(options_->read_from(), options_->zone()) {
    if (watching_ == nullptr) {
        NodeSideOptions node;
        node.target = DialTarget(options_->endpoint());
        node.probe = probe_;
        single_ = std::make_shared<NodeSide>(loop, random, options_, std::move(node));
    }
}

NodeSide& LoopSide::side_of(const Endpoint& node, NodeRole role) {
    Sides& sides = role == NodeRole::replica ? replicas_ : primaries_;
    std::shared_ptr<NodeSide>& side = sides[node.text()];
    if (side == nullptr) {
        NodeSideOptions options;
        options.target = DialTarget(node, role);
        if (options_->shape() == Shape::cluster && role == NodeRole::primary) {
            options.target.role = NodeRole::any;  // it says MOVED where it is not the owner
        } else if (options_->shape() == Shape::sentinel && role == NodeRole::replica) {
            options.target.role = NodeRole::any;
        }
        options.probe = probe_;
        options.watcher = this;
        options.suspect_after = suspect_after;
        options.fail_fast = role == NodeRole::replica;
        side = std::make_shared<NodeSide>(*loop_, *random_, options_, std::move(options));
    }
    return *side;
}

LoopSide::ShardSides* LoopSide::shard_of(std::int32_t slot) {
    if (owners_.empty() || slot < 0) {
        return shards_.empty() ? nullptr : &shards_.front();
    }
    const std::uint16_t owner = owners_[static_cast<std::size_t>(slot)];
    return owner == Topology::no_shard ? nullptr : &shards_[owner];
}

NodeSide* LoopSide::reader_of(ShardSides& shard) {
    if (options_->read_from() == ReadFrom::primary || shard.replicas.empty()) {
        return shard.primary;
    }
    if (reads_.measures()) {
        read_probe_.used();
    }
    const std::size_t chosen = reads_.choose(shard.readers, shard.turn, loop_->now());
    return chosen == 0 ? shard.primary : shard.replicas[chosen - 1];
}

std::vector<std::shared_ptr<NodeSide>> LoopSide::readers() const {
    std::vector<std::shared_ptr<NodeSide>> all;
    for (const ShardSides& shard : shards_) {
        if (shard.primary != nullptr && !shard.replicas.empty()) {
            all.push_back(shard.primary->shared_from_this());
        }
        for (NodeSide* replica : shard.replicas) {
            all.push_back(replica->shared_from_this());
        }
    }
    return all;
}

std::optional<Error> LoopSide::send_routed(RoutedOperation& operation, const Whereto& to) {
    if (closed_) {
        return closed_error();
    }
    const std::int32_t slot = to.slot();
    if (slot == slot_of_many && options_->shape() == Shape::cluster) {
        return Error(Code::invalid_argument, Effect::none, "the keys have different slots");
    }
    ShardSides* shard = shard_of(slot);
    NodeSide* node = nullptr;
    if (shard != nullptr) {
        node = to.reads() && !operation.primary_only_ ? reader_of(*shard) : shard->primary;
    }
    if (node != nullptr) {
        return send_to(*node, operation, to);
    }
    if (failure_.has_value()) {
        return Error(failure_->code(), Effect::none, failure_->what());
    }
    if (parking_.size() >= options_->in_flight_max()) {
        return Error(Code::overloaded, Effect::none, "too many calls wait for a node");
    }
    watching_->begin();
    if (topology_ != nullptr) {
        watching_->suspect(Suspicion::no_owner);
    }
    parking_.park(operation, SteadyTime::max(), trouble_.empty() ? nobody_serves : trouble_);
    return std::nullopt;
}

NodeSide* LoopSide::primary_of(const Whereto& to, std::optional<Error>& refused) {
    if (door_closed_ || closed_) {
        refused.emplace(closed_error());
        return nullptr;
    }
    if (single_ != nullptr) {
        return single_.get();
    }
    ShardSides* shard = shard_of(to.slot());
    if (shard == nullptr || shard->primary == nullptr) {
        watching_->begin();
        if (failure_.has_value()) {
            refused.emplace(failure_->code(), Effect::none, failure_->what());
        } else {
            refused.emplace(Code::unreachable, Effect::none, nobody_serves);
        }
        return nullptr;
    }
    return shard->primary;
}

NodeSide* LoopSide::side_with(const NodeLink* link) const {
    for (const Sides* sides : {&primaries_, &replicas_}) {
        for (const auto& [name, side] : *sides) {
            if (side->has(link)) {
                return side.get();
            }
        }
    }
    for (const auto& side : leaving_) {
        if (side->has(link)) {
            return side.get();
        }
    }
    return nullptr;
}

bool LoopSide::again(RoutedOperation& operation, RespView error) {
    if (single_ != nullptr || closed_) {
        return false;
    }
    switch (node_answer(error)) {
    case NodeAnswer::none:
        return false;
    case NodeAnswer::moved:
        return redirected(operation, error, false);
    case NodeAnswer::ask:
        return redirected(operation, error, true);
    case NodeAnswer::try_again:
        operation.redirects_ = 0;  // as long as its slot moves it goes to and fro
        return pause(operation, moves);
    case NodeAnswer::cluster_down:
    case NodeAnswer::loading:
    case NodeAnswer::read_only:
    case NodeAnswer::master_down:
        if (NodeSide* asked = side_with(operation.route_.link_)) {
            asked->health().leave_out(loop_->now() + replica_left_out);
        }
        operation.primary_only_ = true;
        watching_->suspect(Suspicion::refused);
        return pause(operation, cannot_now);
    }
    return false;
}

bool LoopSide::redirected(RoutedOperation& operation, RespView error, bool ask) {
    if (operation.asking_refused() || operation.redirects_ >= redirects_max) {
        watching_->suspect(Suspicion::moved);
        return false;
    }
    NodeSide* asked = side_with(operation.route_.link_);
    const auto redirect =
        parse_redirect(error.text(), asked == nullptr ? Endpoint() : asked->node());
    if (!redirect.has_value()) {
        return false;
    }
    ++operation.redirects_;
    if (ask) {
        go_on(operation, side_of(redirect->node, NodeRole::primary), true);
        return true;
    }
    if (asked != nullptr && asked->node() == redirect->node && !asked->is_replica()) {
        // Its name leads to another server by now: the old connection will never do.
        if (!fault("redis.33")) {
            asked->renew(evicted());
        }
        watching_->suspect(Suspicion::moved);
        return pause(operation, moves);
    }
    learn(redirect->slot, redirect->node);
    go_on(operation, side_of(redirect->node, NodeRole::primary), false);
    return true;
}

void LoopSide::go_on(RoutedOperation& operation, NodeSide& node, bool asking) {
    operation.carry_again(asking);
    if (auto refused = send_to(node, operation, operation.whereto()); refused.has_value()) {
        Parking::fail(operation, refused->code(), refused->what());
    }
}

void LoopSide::learn(std::uint16_t slot, const Endpoint& owner) {
    watching_->moved(slot, owner);
    if (owners_.empty() || slot >= owners_.size()) {
        return;
    }
    NodeSide& side = side_of(owner, NodeRole::primary);
    auto at = std::ranges::find(shards_, &side, &ShardSides::primary);
    if (at == shards_.end()) {
        if (shards_.size() >= cluster_shards_max) {
            return;
        }
        ShardSides shard;
        shard.primary = &side;
        shards_.push_back(std::move(shard));
        at = shards_.end() - 1;
    }
    owners_[slot] = static_cast<std::uint16_t>(at - shards_.begin());
}

SteadyTime LoopSide::after_pause(std::uint8_t& pauses) {
    const int doubled = std::min<int>(pauses, 4);
    pauses = static_cast<std::uint8_t>(doubled + 1);
    const auto half = static_cast<std::uint64_t>(pause_first.count()) << doubled;
    return loop_->now() + Duration(static_cast<std::int64_t>(half + random_->next() % half));
}

bool LoopSide::pause(RoutedOperation& operation, std::string_view why) {
    if (parking_.size() >= options_->in_flight_max()) {
        return false;
    }
    operation.carry_again(false);
    parking_.park(operation, after_pause(operation.pauses_), why);
    return true;
}

bool LoopSide::again(RoutedOperation& operation, const Error& error) {
    if (single_ != nullptr || closed_ || operation.deadline() <= loop_->now()) {
        return false;
    }
    const bool harmless =
        error.effect() == Effect::none || operation.repeat() != Repeat::once || fault("redis.F4");
    if (error.code() == Code::moved && harmless) {
        operation.carry_again(false);
        return !send_again(operation).has_value();
    }
    if (error.code() == Code::unreachable && operation.whereto().reads() &&
        !operation.primary_only_ && options_->read_from() != ReadFrom::primary) {
        operation.primary_only_ = true;
        operation.carry_again(false);
        return !send_again(operation).has_value();
    }
    return false;
}

void LoopSide::troubled() {
    if (fault("redis.29")) {  // nothing is sent until the map has been asked for
        shards_.clear();
        owners_.clear();
    }
    watching_->suspect(Suspicion::unreachable);
}

void LoopSide::adopt(const std::shared_ptr<const Topology>& topology) {
    if (closed_ || (fault("redis.37") && topology_ != nullptr)) {
        return;
    }
    std::vector<NodeSide*> served;  // until now
    for (const ShardSides& shard : shards_) {
        served.push_back(shard.primary);
        served.insert(served.end(), shard.replicas.begin(), shard.replicas.end());
    }
    topology_ = topology;
    failure_.reset();
    trouble_ = {};
    std::vector<NodeSide*> kept;
    shards_.clear();
    for (const ShardNodes& nodes : topology->shards()) {
        ShardSides& shard = shards_.emplace_back();
        if (!nodes.primary.host.empty()) {
            shard.primary = &side_of(nodes.primary, NodeRole::primary);
            kept.push_back(shard.primary);
        }
        if (options_->read_from() != ReadFrom::primary) {
            for (const Endpoint& replica : nodes.replicas) {
                shard.replicas.push_back(&side_of(replica, NodeRole::replica));
            }
            shard.readers.push_back(shard.primary == nullptr ? nullptr : &shard.primary->health());
            for (NodeSide* replica : shard.replicas) {
                shard.readers.push_back(&replica->health());
            }
        }
        for (const Endpoint& replica : nodes.replicas) {  // read from, or asked for: nodes()
            if (const auto at = replicas_.find(replica.text()); at != replicas_.end()) {
                kept.push_back(at->second.get());
            }
        }
    }
    read_probe_.changed();
    owners_ = topology->owners();
    const auto self = shared_from_this();
    std::erase_if(leaving_, [](const auto& side) { return side->drained(); });
    for (Sides* sides : {&primaries_, &replicas_}) {
        evict(*sides, kept, served);
    }
    parking_.resume_all();
    durable_parking_.resume_all();
    listeners_.tell();
}

// Calls that waited for a node that has lost its part go on elsewhere. A node that only ASK or
// MOVED spoke of has its turn to the end.
void LoopSide::evict(
    Sides& sides, const std::vector<NodeSide*>& kept, const std::vector<NodeSide*>& served
) {
    const auto contains = [](const std::vector<NodeSide*>& all, const NodeSide* one) {
        return std::ranges::find(all, one) != all.end();
    };
    if (fault("redis.25")) {
        return;
    }
    std::vector<std::shared_ptr<NodeSide>> gone;
    for (auto at = sides.begin(); at != sides.end();) {
        NodeSide* side = at->second.get();
        if (contains(kept, side) || (!contains(served, side) && !side->drained())) {
            ++at;
            continue;
        }
        gone.push_back(std::move(at->second));
        at = sides.erase(at);
    }
    for (const auto& side : gone) {
        side->retire(evicted());
        if (!side->drained()) {
            leaving_.push_back(side);
        }
    }
}

void LoopSide::watch_failed(const Error& why) {
    if (topology_ != nullptr || closed_) {
        return;
    }
    if (!beyond_waiting(why.code())) {  // it is asked again until it is known
        trouble_ = why.what();
        parking_.explain(trouble_);
        durable_parking_.explain(trouble_);
        return;
    }
    failure_.emplace(why.code(), Effect::none, why.what());
    parking_.fail_all(*failure_);
    durable_parking_.fail_all(*failure_);
    listeners_.tell();
}

template <class F>
void LoopSide::each(F&& visit) const {
    if (single_ != nullptr) {
        visit(*single_);
    }
    for (const Sides* sides : {&primaries_, &replicas_}) {
        for (const auto& [name, side] : *sides) {
            visit(*side);
        }
    }
    for (const auto& side : leaving_) {
        visit(*side);
    }
}

void LoopSide::close(const Error& reason) {
    const auto self = shared_from_this();
    closed_ = true;
    read_probe_.stop();
    parking_.fail_all(reason);
    durable_parking_.fail_all(reason);
    listeners_.tell();
    std::vector<std::shared_ptr<NodeSide>> all;
    each([&](NodeSide& side) { all.push_back(side.shared_from_this()); });
    for (const auto& side : all) {
        side->close(reason);
    }
}

void LoopSide::close_door() {
    door_closed_ = true;
    each([](NodeSide& side) { side.close_door(); });
}

bool LoopSide::drained() const {
    bool empty = parking_.size() == 0 && durable_parking_.size() == 0;
    each([&](NodeSide& side) { empty = empty && side.drained(); });
    return empty;
}

std::vector<std::shared_ptr<NodeLink>> LoopSide::open_links() const {
    std::vector<std::shared_ptr<NodeLink>> open;
    each([&](NodeSide& side) {
        for (auto& link : side.open_links()) {
            open.push_back(std::move(link));
        }
    });
    return open;
}

}  // namespace holdfast::redis
