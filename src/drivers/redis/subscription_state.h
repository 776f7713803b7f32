#pragma once
// What the task that reads a subscription's connection shares with the one that takes its messages.

#include "backoff.h"
#include "connection.h"
#include "loop_side.h"

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

// The answer to an AUTH on its way.
class Authentication {
public:
    bool over = false;
    std::optional<Error> refused;
};

class SubscriptionState {
public:
    // `of_loop`: null for one server that belongs to no client.
    SubscriptionState(
        std::shared_ptr<LoopSide> of_loop,
        std::shared_ptr<const RedisOptions> server,
        Random& random,
        Channels wanted
    )
        : side(std::move(of_loop)), options(std::move(server)), chance(&random),
          channels(std::move(wanted)) {}

    // The root that reads; goes on until the subscription goes.
    static Task<> live(std::shared_ptr<SubscriptionState> self);
    void stop();
    // Another topology, or none any more.
    void look_again();
    // Says it where the connection takes it: with RESP3. Others take the credentials of the moment
    // at their next dial.
    static Task<> authenticate(
        std::shared_ptr<SubscriptionState> self, Credentials credentials, Deadline deadline
    );

    std::shared_ptr<LoopSide> side;
    std::shared_ptr<const RedisOptions> options;
    Random* chance;
    Channels channels;
    std::deque<Message> messages;
    Turnstile arrivals;
    Turnstile room;
    Turnstile news;                // of the topology
    std::optional<Error> failure;  // nothing follows
    Stop root;
    bool stopped = false;

private:
    enum class Next : std::uint8_t {
        read_on,
        dial,   // again, without a pause
        pause,  // and dial again
        end,
    };

    // Nothing: it has failed.
    Task<Endpoint> whereto();
    Task<Next> listening(Backoff& backoff);
    Task<Next> reading(Connection& connection);
    Task<> subscribe(Connection& connection);
    static Task<> waiting(SubscriptionState* self);
    Next take(RespView reply, bool push);
    Next refused(RespView reply);
    void put(Message message);
    void fail(Error error);
    std::int32_t slot() const;
    bool one_server() const { return side == nullptr || side->is_single(); }
    bool closed() const { return side != nullptr && side->closed(); }
    bool misplaced() const { return !one_server() && !side->serves_messages(node_, slot()); }
    void suspect(Suspicion why) const {
        if (side != nullptr) {
            side->suspect(why);
        }
    }

    Endpoint node_;  // that it listens to, or dials
    Endpoint avoided_;
    std::optional<Endpoint> sent_to_;  // by a redirect
    std::shared_ptr<Connection> connection_;
    std::deque<std::shared_ptr<Authentication>> authentications_;
    std::size_t unconfirmed_ = 0;
    int redirects_ = 0;  // in a row
    bool confirmed_ = false;
    bool leaving_ = false;          // this node
    bool credentials_old_ = false;  // those that the dial under way began with
};

}  // namespace holdfast::redis
