#include "read_probe.h"

#include "redirect.h"

#include <holdfast/observe/stopwatch.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

// Owns itself.
class ReadPing final : public Operation {
public:
    static void send(std::shared_ptr<NodeSide> side) {
        std::optional<Error> refused;
        NodeLink* link = side->route(Lane::shared, false, refused);
        if (link == nullptr) {
            return;
        }
        auto* self = new ReadPing(std::move(side), *link);
        self->carry(self->command_, self->sent_ + read_ping_time);
        if (auto not_taken = link->submit(*self); not_taken.has_value()) {
            delete self;
        }
    }

private:
    ReadPing(std::shared_ptr<NodeSide> side, NodeLink& link)
        : side_(std::move(side)), link_(link.shared_from_this()), sent_(side_->loop().now()) {}

    void replied(RespView reply, bool) override {
        if (reply.is_error() && node_answer(reply) != NodeAnswer::none) {
            side_->health().leave_out(side_->loop().now() + replica_left_out);
        } else if (connections_ == link_->connections()) {
            side_->health().measured(seconds());
            side_->health().set_zone(link_->zone());
        } else {
            // It waited for a connection: that is no distance, but the next one will be.
            side_->health().set_zone(link_->zone());
            send(side_);
        }
        delete this;
    }
    void failed(Error) override {
        side_->health().leave_out(side_->loop().now() + replica_left_out);
        delete this;
    }
    void run() override {}

    // The loop's clock has whole milliseconds; but it is the only one that runs in virtual time.
    double seconds() const {
        const double whole =
            std::chrono::duration<double>(side_->loop().now() - sent_).count() - 0.001;
        return std::max(watch_.seconds(), whole);
    }

    std::shared_ptr<NodeSide> side_;
    std::shared_ptr<NodeLink> link_;
    std::uint64_t connections_ = link_->protocol() == 0 ? 0 : link_->connections();
    SteadyTime sent_;
    Stopwatch watch_;
    AnyCommand command_{"PING", Repeat::idempotent};
};

}  // namespace

void ReadProbe::run() {
    armed_ = std::exchange(used_, false);
    if (!armed_) {
        return;  // the next read begins again
    }
    for (auto& side : nodes_()) {
        ReadPing::send(std::move(side));
    }
    loop_->arm(*this, loop_->now() + read_ping_pause);
}

}  // namespace holdfast::redis
