#include "loop_side.h"

#include <holdfast/base/fault_switch.h>

#include <algorithm>

namespace holdfast::redis {

// Says UNWATCH for a caller that has gone. Owns itself.
class LoopSide::Unwatch final : public Operation {
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

LoopSide::LoopSide(Loop& loop, Random& random, std::shared_ptr<const RedisOptions> options)
    : loop_(&loop), random_(&random), options_(std::move(options)),
      probe_(options_->probe() ? options_->probe()() : nullptr),
      shared_(open(Redial::always, false)) {}

std::shared_ptr<NodeLink> LoopSide::open(Redial redial, bool may_be_silent) {
    NodeLinkOptions link;
    link.redial = redial;
    link.mux.in_flight_max = options_->in_flight_max();
    link.mux.queue_bytes_max = options_->queue_bytes_max();
    link.mux.wait_when_full = options_->when_full() == WhenFull::wait;
    link.probe = probe_;
    link.mux.probe = probe_.get();
    link.mux.silent_max = may_be_silent ? Duration::zero() : options_->silent_max();
    if (may_be_silent) {
        // A server that still waits for one who left would give him what it finds.
        link.mux.tombstone_age_max = Duration::zero();
    }
    return std::make_shared<NodeLink>(*loop_, *random_, options_, link);
}

NodeLink* LoopSide::route_rare(Lane lane, std::optional<Error>& refused) {
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

NodeLink* LoopSide::blocking(std::optional<Error>& refused) {
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

std::optional<Error> LoopSide::submit(DurableCall& call) {
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

Result<Lease> LoopSide::lease() {
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

void LoopSide::give_back(std::shared_ptr<NodeLink> link, bool watched, bool keep) {
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
void LoopSide::each(F&& visit) const {
    visit(*shared_);
    if (bulk_ != nullptr) {
        visit(*bulk_);
    }
    for (const auto* links : {&blocking_, &leased_, &idle_leases_}) {
        for (const auto& link : *links) {
            visit(*link);
        }
    }
}

void LoopSide::close(const Error& reason) {
    closed_ = true;
    if (fault("redis.45")) {
        return;
    }
    const auto self = shared_from_this();
    if (durable_ != nullptr) {
        durable_->close(reason);
    }
    each([&](NodeLink& link) { link.close(reason); });
}

void LoopSide::close_door() {
    closed_ = true;
    each([](NodeLink& link) { link.close_door(); });
}

std::vector<std::shared_ptr<NodeLink>> LoopSide::open_links() {
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
    return open;
}

bool LoopSide::drained() const {
    bool empty = durable_ == nullptr || durable_->empty();
    each([&](NodeLink& link) { empty = empty && link.mux().empty(); });
    return empty;
}

}  // namespace holdfast::redis
