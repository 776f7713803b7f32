#pragma once
// What the task that reads a subscription's connection shares with the one that takes its messages.

#include "connection.h"

#include <holdfast/io/runtime.h>
#include <holdfast/redis/subscription.h>

#include <deque>
#include <optional>

namespace holdfast::redis {

// A task that waits until the other side has done something. One at a time, on the state's loop.
class Turnstile {
public:
    class [[nodiscard]] Pass final : public Suspension, private Work {
    public:
        explicit Pass(Turnstile& stile) : stile_(&stile) {}
        ~Pass() {
            if (stile_->waiting_ == this) {
                stile_->waiting_ = nullptr;
            }
        }
        void await_resume() const {}

    private:
        friend class Turnstile;
        bool start() override {
            if (scope().cancelled()) {
                return false;
            }
            stile_->waiting_ = this;
            return true;
        }
        void on_cancel() noexcept override { stile_->open(); }
        void run() override { resume(); }

        Turnstile* stile_;
    };
    Pass pass() { return Pass(*this); }
    // Lets the one that waits go on, in a turn of its own.
    void open() {
        if (waiting_ != nullptr) {
            Pass& pass = *std::exchange(waiting_, nullptr);
            pass.scope().loop().post(pass);
        }
    }

private:
    Pass* waiting_ = nullptr;
};

class SubscriptionState {
public:
    SubscriptionState(std::shared_ptr<const RedisOptions> server, Random& random, Channels wanted)
        : options(std::move(server)), chance(&random), channels(std::move(wanted)) {}

    // The root that reads; goes on until the subscription goes.
    static Task<> live(std::shared_ptr<SubscriptionState> self);
    void stop();

    std::shared_ptr<const RedisOptions> options;
    Random* chance;
    Channels channels;
    std::deque<Message> messages;
    Turnstile arrivals;
    Turnstile room;
    std::optional<Error> failure;  // nothing follows
    Stop root;
    bool stopped = false;

private:
    Task<> reading(Connection& connection);
    Task<> subscribe(Connection& connection);
    Result<Done> take(RespView reply, bool push);
    void put(Message message);
    void fail(Error error);

    std::size_t unconfirmed_ = 0;
};

}  // namespace holdfast::redis
