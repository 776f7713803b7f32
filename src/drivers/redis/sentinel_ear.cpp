#include "sentinel_ear.h"

#include <holdfast/io/runtime.h>

namespace holdfast::redis {
namespace {

// What changes who the primary is, which replicas there are, or that soon will.
Channels hints() {
    Channels channels;
    for (const char* event :
         {"+switch-master",
          "+slave",
          "+sdown",
          "-sdown",
          "+odown",
          "-odown",
          "+reboot",
          "+convert-to-slave",
          "+failover-end",
          "+sentinel"}) {
        channels.channel(event);
    }
    return channels;
}

}  // namespace

SentinelEar::SentinelEar(
    Loop& loop,
    Random& random,
    const RedisOptions& options,
    Endpoint node,
    SentinelListener& listener
)
    : loop_(&loop), node_(std::move(node)), listener_(&listener) {
    auto here = std::make_shared<RedisOptions>(options);
    here->unix_socket("").host(node_.host).port(node_.port);
    state_ = std::make_shared<SubscriptionState>(nullptr, std::move(here), random, hints());
}

void SentinelEar::open() {
    spawn(
        *loop_, SubscriptionState::live(state_), [state = state_](Result<Done>) {}, &state_->root
    );
    spawn(*loop_, hearing(shared_from_this()), [](Result<Done>) {});
}

void SentinelEar::close() {
    listener_ = nullptr;
    state_->stop();
}

Task<> SentinelEar::hearing(std::shared_ptr<SentinelEar> self) {
    Subscription subscription(self->state_);
    while (self->listener_ != nullptr) {
        auto next = co_await subscription.next();
        if (self->listener_ == nullptr) {
            break;
        }
        if (!next.ok()) {
            self->over_ = true;
            break;
        }
        const Message& message = next.value();
        if (message.kind == Message::Kind::subscribed) {
            self->listener_->began_to_hear();
        } else {
            self->listener_->heard(message.channel, message.payload);
        }
    }
    co_return Done();
}

}  // namespace holdfast::redis
