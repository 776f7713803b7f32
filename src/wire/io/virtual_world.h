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

    SteadyTime now() const override { return local(*now_); }
    bool on_this_thread() const override { return *running_ == this; }
    void send(Work& work) override { inbox_.push(work); }
    Network& network() override { return *network_; }
    void post(Work& work) override { ready_.push_back(work); }
    void arm(Work& work, SteadyTime due) override { wheel_.arm(work, of_world(due)); }

    bool ready() {
        inbox_.take(ready_);
        return !ready_.empty() && *now_ >= paused_until_;
    }
    void step() { ready_.pop_front().run(); }
    std::optional<SteadyTime> next() {
        auto at = wheel_.next();
        if (paused_until_ <= *now_) {
            return at;
        }
        if (!ready_.empty()) {
            return paused_until_;
        }
        return at ? std::max(*at, paused_until_) : at;
    }
    void advance(std::mt19937_64& engine) {
        if (*now_ < paused_until_) {
            return;
        }
        List<Work> due;
        wheel_.advance(*now_, due);
        if (due.empty()) {
            return;
        }
        std::vector<Work*> shuffled;
        while (!due.empty()) {
            shuffled.push_back(&due.pop_front());
        }
        std::shuffle(shuffled.begin(), shuffled.end(), engine);
        for (Work* work : shuffled) {
            ready_.push_back(*work);
        }
    }

    void pause(SteadyTime until) { paused_until_ = until; }
    void drift(int permille) {
        origin_local_ = now();
        origin_world_ = *now_;
        permille_ = 1'000 + permille;
    }
    void kill() {
        close();
        paused_until_ = SteadyTime();
        (void)ready();  // what was sent leaves the inbox before its owner goes
        while (!roots().empty()) {
            std::coroutine_handle<RootPromise>::from_promise(roots().front()).destroy();
        }
    }
    void restart() {
        drift(0);
        origin_local_ = origin_world_;
        reopen();
    }

private:
    static constexpr Duration far{std::int64_t{1} << 50};  // and beyond: the same in every clock

    SteadyTime local(SteadyTime world) const {
        return origin_local_ + (world - origin_world_) * permille_ / 1'000;
    }
    SteadyTime of_world(SteadyTime due) const {
        if (due.time_since_epoch() >= far) {
            return due;
        }
        return origin_world_ +
               ((due - origin_local_) * 1'000 + Duration(permille_ - 1)) / permille_;
    }

    const SteadyTime* now_;
    const Loop* const* running_;
    Network* network_;
    TimerWheel wheel_;
    List<Work> ready_;
    Inbox inbox_;
    SteadyTime paused_until_{};
    SteadyTime origin_local_ = virtual_epoch;
    SteadyTime origin_world_ = virtual_epoch;
    int permille_ = 1'000;
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
