#pragma once
// The way from any loop to the one that watches the topology, and back.

#include "topology.h"

#include <holdfast/io/loop.h>

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

namespace holdfast::redis {

class LoopSide;

// Any thread, if not said otherwise.
class Watching final : public std::enable_shared_from_this<Watching> {
public:
    explicit Watching(Loop& home) : home_(&home) {}

    // Before anything else; once.
    void attach(std::unique_ptr<TopologyWatch> watch, std::vector<std::weak_ptr<LoopSide>> sides);
    // The first call begins the watch.
    void begin();
    void suspect(Suspicion why);
    void moved(std::uint16_t slot, const Endpoint& owner);
    void stop();

    // From the watch, on the home loop.
    void publish(const std::shared_ptr<const Topology>& topology);
    void failed(const Error& why);

private:
    void at_home(std::function<void()> what);
    void to_all(const std::function<void(LoopSide&)>& what);

    Loop* home_;
    std::unique_ptr<TopologyWatch> watch_;  // home loop's thread
    std::vector<std::weak_ptr<LoopSide>> sides_;
    std::atomic<bool> begun_ = false;
    std::atomic<bool> suspected_ = false;  // on its way to the watch: a storm is one message
    bool stopped_ = false;                 // home loop's thread
};

}  // namespace holdfast::redis
