#include "watching.h"

#include "loop_side.h"

#include <utility>

namespace holdfast::redis {
namespace {

// A message to a loop. Owns itself.
class Message final : public Work {
public:
    explicit Message(std::function<void()> what) : what_(std::move(what)) {}
    void run() override {
        what_();
        delete this;
    }

private:
    std::function<void()> what_;
};

}  // namespace

void Watching::attach(
    std::unique_ptr<TopologyWatch> watch, std::vector<std::weak_ptr<LoopSide>> sides
) {
    watch_ = std::move(watch);
    sides_ = std::move(sides);
}

void Watching::at_home(std::function<void()> what) {
    home_->send(*new Message(std::move(what)));
}

void Watching::begin() {
    if (begun_.exchange(true)) {
        return;
    }
    at_home([self = shared_from_this()] {
        if (!self->stopped_) {
            self->watch_->start();
        }
    });
}

void Watching::suspect(Suspicion why) {
    if (suspected_.exchange(true)) {
        return;
    }
    at_home([self = shared_from_this(), why] {
        self->suspected_ = false;
        if (!self->stopped_) {
            self->watch_->suspect(why);
        }
    });
}

void Watching::moved(std::uint16_t slot, const Endpoint& owner) {
    at_home([self = shared_from_this(), slot, owner] {
        if (!self->stopped_) {
            self->watch_->moved(slot, owner);
        }
    });
}

void Watching::stop() {
    at_home([self = shared_from_this()] {
        if (!std::exchange(self->stopped_, true)) {
            self->watch_->stop();
        }
    });
}

void Watching::to_all(const std::function<void(LoopSide&)>& what) {
    for (const std::weak_ptr<LoopSide>& held : sides_) {
        if (auto side = held.lock()) {
            Loop& loop = side->loop();
            loop.send(*new Message([side = std::move(side), what] { what(*side); }));
        }
    }
}

void Watching::publish(const std::shared_ptr<const Topology>& topology) {
    to_all([topology](LoopSide& side) { side.adopt(topology); });
}

void Watching::failed(const Error& why) {
    to_all([code = why.code(), what = why.what()](LoopSide& side) {
        side.watch_failed(Error(code, Effect::none, what));
    });
}

}  // namespace holdfast::redis
