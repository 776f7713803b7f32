#include "network.h"

namespace holdfast::sim {
namespace {

// Shares of messages, where faults are as hard as they get.
constexpr double lost = 0.05;
constexpr double repeated = 0.03;
constexpr double slow = 0.05;
constexpr double late = 0.02;
constexpr std::int64_t usual_ms = 4;
constexpr std::int64_t slow_ms = 300;
constexpr std::int64_t late_ms = 20'000;

}  // namespace

Network::~Network() = default;

Duration Network::delay() {
    Chance& chance = scene_->chance();
    Duration delay = chance.ms(1, usual_ms);
    if (chance.hits(slow * scene_->faults())) {
        delay += chance.ms(0, slow_ms);
    }
    if (chance.hits(late * scene_->faults())) {
        delay += chance.ms(0, late_ms);
    }
    if (delay > Duration(1'000)) {
        ++scene_->totals.messages_late;
    }
    return delay;
}

void Network::carry(const char* what, std::function<void()> arrival) {
    ++scene_->totals.messages;
    if (scene_->chance().hits(lost * scene_->faults())) {
        ++scene_->totals.messages_lost;
        scene_->trace("network: %s is lost", what);
        return;
    }
    if (unused_.empty()) {
        unused_.push_back(all_.emplace_back(std::make_unique<Travel>()).get());
    }
    Travel& travel = *unused_.back();
    unused_.pop_back();
    travel.network = this;
    travel.arrival = std::move(arrival);
    scene_->world().arm(travel, scene_->world().now() + delay());
}

void Network::Travel::run() {
    const std::function<void()> happens = std::exchange(arrival, nullptr);
    network->unused_.push_back(this);
    happens();
}

int Network::copies() {
    const bool twice = scene_->chance().hits(repeated * scene_->faults());
    scene_->totals.executed_twice += twice ? 1 : 0;
    return twice ? 2 : 1;
}

void Network::break_all() {
    for (Waiting* call : std::vector<Waiting*>(std::exchange(waiting_, {}))) {
        call->break_off();
    }
}

}  // namespace holdfast::sim
