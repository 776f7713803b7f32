#pragma once
// What is published to channels, as a stream. Each subscription has a connection of its own; a
// reader that is slow makes the server wait, and in the end drop us, instead of filling our memory.

#include <holdfast/io/loop.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

class Channels {
public:
    Channels& channel(std::string name) {
        channels_.push_back(std::move(name));
        return *this;
    }
    // As PSUBSCRIBE: h?llo, h*llo, h[ae]llo.
    Channels& pattern(std::string text) {
        patterns_.push_back(std::move(text));
        return *this;
    }
    // A channel that belongs to a slot, like a key: in a cluster its messages are only heard at the
    // node that has the slot. All of one subscription have the same slot, as {..} in their names
    // makes it, and there are none of the other kinds beside them.
    Channels& shard_channel(std::string name) {
        shard_channels_.push_back(std::move(name));
        return *this;
    }
    const std::vector<std::string>& channels() const { return channels_; }
    const std::vector<std::string>& patterns() const { return patterns_; }
    const std::vector<std::string>& shard_channels() const { return shard_channels_; }
    bool empty() const { return channels_.empty() && patterns_.empty() && shard_channels_.empty(); }

private:
    std::vector<std::string> channels_;
    std::vector<std::string> patterns_;
    std::vector<std::string> shard_channels_;
};

struct Message {
    enum class Kind : std::uint8_t {
        // From here on messages arrive. The first time, and after each loss of the connection and
        // each move to another node: what was published between is gone.
        subscribed,
        message,
    };
    Message() {}  // NOLINT(modernize-use-equals-default): no aggregate
    Kind kind = Kind::message;
    std::string channel;
    std::string pattern;  // empty: subscribed by its name
    std::string payload;
};

class SubscriptionState;

// Belongs to its loop. It listens to the primary of the moment, in a cluster to any one (they tell
// each other), or to the owner of its slot; it leaves a node that has lost that part, and waits
// while none has it.
class Subscription {
public:
    explicit Subscription(std::shared_ptr<SubscriptionState> state) : state_(std::move(state)) {}
    ~Subscription();
    Subscription(Subscription&&) noexcept = default;
    Subscription& operator=(Subscription&&) = delete;

    // One at a time; with_deadline(next(), ..) gives it a time and loses no message. `denied`,
    // `unsupported`: the server refuses us, and nothing follows; `closed`; `cancelled`. A
    // connection that is lost is no error: it is dialled again, see Message::Kind.
    Task<Message> next();

private:
    std::shared_ptr<SubscriptionState> state_;
};

}  // namespace holdfast::redis
