#pragma once
// Hears what one sentinel says unasked. Loop thread only.

#include "subscription_state.h"

#include <memory>
#include <string_view>

namespace holdfast::redis {

// Who wants to know. Does not destroy the ear from inside.
class SentinelListener {
public:
    virtual void heard(std::string_view event, std::string_view payload) = 0;
    // From here on it hears; what was said before, or since the connection was lost, is gone.
    virtual void began_to_hear() = 0;

protected:
    ~SentinelListener() = default;
};

class SentinelEar final : public std::enable_shared_from_this<SentinelEar> {
public:
    SentinelEar(
        Loop& loop,
        Random& random,
        const RedisOptions& options,
        Endpoint node,
        SentinelListener& listener
    );

    void open();
    // The listener hears no more.
    void close();
    // The sentinel refuses it.
    bool over() const { return over_; }
    const Endpoint& node() const { return node_; }

private:
    static Task<> hearing(std::shared_ptr<SentinelEar> self);

    Loop* loop_;
    Endpoint node_;
    SentinelListener* listener_;  // null: closed
    std::shared_ptr<SubscriptionState> state_;
    bool over_ = false;
};

}  // namespace holdfast::redis
