#pragma once
// What the parts of a virtual runtime share: time, chance and loops. They may outlive it; then
// nothing moves any more.

#include "inbox.h"
#include "timer_wheel.h"

#include <holdfast/io/tcp.h>
#include <holdfast/io/virtual_runtime.h>

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <vector>

namespace holdfast {

inline constexpr SteadyTime virtual_epoch{Duration(1'000'000)};

class VirtualLoop final : public Loop {
public:
    VirtualLoop(const SteadyTime& now, const Loop* const& running, Network& network)
        : now_(&now), running_(&running), network_(&network), wheel_(now) {}

    SteadyTime now() const override { return *now_; }
    bool on_this_thread() const override { return *running_ == this; }
    void send(Work& work) override { inbox_.push(work); }
    Network& network() override { return *network_; }
    void post(Work& work) override { ready_.push_back(work); }
    void arm(Work& work, SteadyTime due) override { wheel_.arm(work, due); }

    bool ready() {
        inbox_.take(ready_);
        return !ready_.empty();
    }
    void step() { ready_.pop_front().run(); }
    std::optional<SteadyTime> next() const { return wheel_.next(); }
    void advance(std::mt19937_64& engine) {
        List<Work> due;
        wheel_.advance(*now_, due);
        std::vector<Work*> shuffled;
        while (!due.empty()) {
            shuffled.push_back(&due.pop_front());
        }
        std::shuffle(shuffled.begin(), shuffled.end(), engine);
        for (Work* work : shuffled) {
            ready_.push_back(*work);
        }
    }

private:
    const SteadyTime* now_;
    const Loop* const* running_;
    Network* network_;
    TimerWheel wheel_;
    List<Work> ready_;
    Inbox inbox_;
};

struct VirtualWorld {
    VirtualWorld(std::uint64_t seed, Duration delay, std::size_t window)
        : delay_max(delay), window_bytes(window), engine(seed) {}

    Duration delay() {
        return Duration(
            static_cast<std::int64_t>(engine() % static_cast<std::uint64_t>(delay_max.count() + 1))
        );
    }
    // 1 .. most
    std::size_t some(std::size_t most) { return 1 + static_cast<std::size_t>(engine() % most); }
    // Arms on the first loop, unless the runtime is gone.
    void arm(Work& work, SteadyTime due) {
        if (!loops.empty()) {
            loops.front().arm(work, due);
        }
    }

    SteadyTime now = virtual_epoch;
    const Loop* running = nullptr;
    Duration delay_max;
    std::size_t window_bytes;
    std::mt19937_64 engine;
    std::deque<VirtualLoop> loops;
    std::map<std::uint16_t, std::vector<class VirtualListener*>> ports;
};

StreamPair open_virtual_pair(const std::shared_ptr<VirtualWorld>& world);
std::unique_ptr<Network> open_virtual_network(std::shared_ptr<VirtualWorld> world);

}  // namespace holdfast
