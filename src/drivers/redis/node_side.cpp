#include "node_side.h"

#include <holdfast/base/fault_switch.h>

#include <algorithm>

namespace holdfast::redis {

// Says UNWATCH for a caller that has gone. Owns itself.
class NodeSide::Unwatch final : public Operation {
public:
    static void send(NodeLink& link, SteadyTime deadline) {
        auto* self = new Unwatch;
        self->carry(self->command_, deadline);
        if (auto refused = link.submit(*self); refused.has_value()) {
            delete self;
        }
    }

private:
    void replied(RespView, bool) override { delete this; }
    void failed(Error) override { delete this; }  // the connection closes for it
    void run() override {}

    AnyCommand command_{"UNWATCH", Repeat::idempotent};
};

NodeSide::NodeSide(
    Loop& loop, Random& random, std::shared_ptr<const RedisOptions> options, NodeSideOptions node
)
    : loop_(&loop), random_(&random), options_(std::move(options)), node_(std::move(node)),
      shared_(open(Redial::always, false)) {}

std::shared_ptr<NodeLink> NodeSide::open(Redial redial, bool may_be_silent) {
    NodeLinkOptions link;
    link.target = node_.target;
    link.watcher = this;
    link.fail_fast = node_.fail_fast;
    link.redial = redial;
    link.mux.in_flight_max = options_->in_flight_max();
    link.mux.queue_bytes_max = options_->queue_bytes_max();
    link.mux.wait_when_full = options_->when_full() == WhenFull::wait;
    link.probe = node_.probe;
    link.mux.probe = node_.probe.get();
    link.mux.node = node_.target.node.text();
    link.mux.database = options_->database();
    link.mux.key_hash = options_->key_hash();
    link.mux.silent_max = may_be_silent ? Duration::zero() : options_->silent_max();
    link.mux.suspect_after = may_be_silent ? Duration::zero() : node_.suspect_after;
    if (may_be_silent) {
        // A server that still waits for one who left would give him what it finds.
        link.mux.tombstone_age_max = Duration::zero();
    }
    // On a lease it would become part of what the caller began with MULTI.
    if (options_->check_order() && !may_be_silent && redial != Redial::never) {
        link.mux.check_order = random_->next();
    }
    return std::make_shared<NodeLink>(*loop_, *random_, options_, link);
}

// Of a replica: another one can answer.
void NodeSide::troubled() {
    health_.leave_out(loop_->now() + replica_left_out);
    if (node_.watcher != nullptr) {
        node_.watcher->troubled();
    }
}

NodeLink* NodeSide::route_rare(Lane lane, std::optional<Error>& refused) {
    if (closed_) {
        refused.emplace(closed_error());
        return nullptr;
    }
    switch (lane) {
    case Lane::shared:
        if (bulk_ == nullptr) {
            bulk_ = open(Redial::on_demand, false);
        }
        return bulk_.get();
    case Lane::blocking:
        return blocking(refused);
    case Lane::lease:
        refused.emplace(
            Code::invalid_argument,
            Effect::none,
            "this command needs a connection of its own: lease()"
        );
        return nullptr;
    case Lane::push:
        break;
    }
    refused.emplace(
        Code::invalid_argument, Effect::none, "subscriptions are opened by subscribe()"
    );
    return nullptr;
}

NodeLink* NodeSide::blocking(std::optional<Error>& refused) {
    for (const auto& link : blocking_) {
        if (link->mux().empty()) {
            return link.get();
        }
    }
    if (blocking_.size() >= options_->blocking_connections_max()) {
        refused.emplace(
            Code::overloaded, Effect::none, "all connections for blocking commands wait"
        );
        return nullptr;
    }
    return blocking_.emplace_back(open(Redial::on_demand, true)).get();
}

std::optional<Error> NodeSide::submit(DurableCall& call) {
    if (closed_) {
        return closed_error();
    }
    if (durable_ == nullptr) {
        durable_ = std::make_unique<DurableLane>(
            *loop_,
            options_->in_flight_max(),
            open(Redial::on_demand, true),
            open(Redial::on_demand, true)
        );
    }
    return durable_->submit(call);
}

Result<Lease> NodeSide::lease() {
    if (closed_) {
        return closed_error();
    }
    std::erase_if(idle_leases_, [](const auto& link) { return link->closed(); });
    if (idle_leases_.empty()) {
        if (leased_.size() >= options_->leases_max()) {
            return Error(
                Code::overloaded, Effect::none, "all connections that can be held are held"
            );
        }
        idle_leases_.push_back(open(Redial::never, false));
    }
    leased_.push_back(std::move(idle_leases_.back()));
    idle_leases_.pop_back();
    return Lease(shared_from_this(), leased_.back());
}

void NodeSide::give_back(std::shared_ptr<NodeLink> link, bool watched, bool keep) {
    if (!fault("redis.12")) {
        std::erase(leased_, link);
    }
    if (closed_ || !keep || link->closed() || !link->mux().empty() ||
        idle_leases_.size() >= idle_connections_max_default) {
        link->close(closed_error());
        return;
    }
    if (watched) {
        Unwatch::send(*link, loop_->now() + options_->dial_time());
    }
    idle_leases_.push_back(std::move(link));
}

template <class F>
void NodeSide::each(F&& visit) const {
    visit(*shared_);
    if (bulk_ != nullptr) {
        visit(*bulk_);
    }
    for (const auto* links : {&blocking_, &leased_, &idle_leases_, &retired_}) {
        for (const auto& link : *links) {
            visit(*link);
        }
    }
}

// To end their calls: callers that end give leases back meanwhile.
std::vector<std::shared_ptr<NodeLink>> NodeSide::all() const {
    std::vector<std::shared_ptr<NodeLink>> links;
    each([&](NodeLink& link) { links.push_back(link.shared_from_this()); });
    return links;
}

void NodeSide::close(const Error& reason) {
    closed_ = true;
    if (fault("redis.45")) {
        return;
    }
    const auto self = shared_from_this();
    if (durable_ != nullptr) {
        durable_->close(reason);
    }
    for (const auto& lane : retired_durable_) {
        lane->close(reason);
    }
    for (const auto& link : all()) {
        link->close(reason);
    }
}

void NodeSide::close_door() {
    closed_ = true;
    each([](NodeLink& link) { link.close_door(); });
}

bool NodeSide::has(const NodeLink* link) const {
    bool found = false;
    each([&](const NodeLink& one) { found = found || &one == link; });
    for (const auto& lane : retired_durable_) {
        found = found || lane->has(link);
    }
    return found || has_durable(link);
}

void NodeSide::renew(const Error& reason) {
    std::erase_if(retired_, [](const auto& link) { return link->closed(); });
    std::vector<std::shared_ptr<NodeLink>> old = std::exchange(blocking_, {});
    old.push_back(std::exchange(shared_, open(Redial::always, false)));
    if (bulk_ != nullptr) {
        old.push_back(std::exchange(bulk_, nullptr));
    }
    retired_.insert(retired_.end(), old.begin(), old.end());
    for (const auto& link : old) {
        link->retire(reason);
    }
    std::erase_if(retired_durable_, [](const auto& lane) { return lane->empty(); });
    if (durable_ != nullptr) {
        retired_durable_.push_back(std::exchange(durable_, nullptr));
        retired_durable_.back()->retire(reason);
    }
}

void NodeSide::retire(const Error& reason) {
    const auto self = shared_from_this();
    closed_ = true;
    if (durable_ != nullptr) {
        durable_->retire(reason);
    }
    for (const auto& link : all()) {
        link->retire(reason);
    }
}

std::vector<std::shared_ptr<NodeLink>> NodeSide::open_links() {
    std::vector<std::shared_ptr<NodeLink>> open;
    each([&](NodeLink& link) {
        if (link.protocol() != 0) {
            open.push_back(link.shared_from_this());
        }
    });
    for (const auto& link : blocking_) {
        if (!link->mux().empty()) {
            std::erase(open, link);
        }
    }
    if (durable_ != nullptr) {
        durable_->add_open_links(open);
    }
    return open;
}

bool NodeSide::drained() const {
    bool empty = durable_ == nullptr || durable_->empty();
    for (const auto& lane : retired_durable_) {
        empty = empty && lane->empty();
    }
    each([&](NodeLink& link) { empty = empty && link.mux().empty(); });
    return empty;
}

}  // namespace holdfast::redis
