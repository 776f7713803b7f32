#pragma once
// Where a call goes, and where it goes next when the node it was sent to is not the right one.

#include <holdfast/redis/operation.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace holdfast::redis {

class Client;
class LoopSide;
class NodeLink;
class RoutedOperation;
class Batch;
class BatchParts;
class SplitCall;

// What decides where a call goes.
class Whereto {
public:
    explicit Whereto(const AnyCommand& command)
        : keys_(&command),
          slot_of_([](const void* keys) { return static_cast<const AnyCommand*>(keys)->slot(); }),
          repeat_(command.repeat()), lane_(command.lane()), bulky_(command.bulky()) {}
    template <class Keys>
    Whereto(const Keys& keys, Repeat repeat, Lane lane, bool bulky)
        : keys_(&keys),
          slot_of_([](const void* all) { return static_cast<const Keys*>(all)->slot(); }),
          repeat_(repeat), lane_(lane), bulky_(bulky) {}

    // Worked out when it is asked for: one server does not need it.
    std::int32_t slot() const { return slot_of_(keys_); }
    bool reads() const { return repeat_ == Repeat::read && lane_ == Lane::shared; }
    Lane lane() const { return lane_; }
    bool bulky() const { return bulky_; }

private:
    const void* keys_;
    std::int32_t (*slot_of_)(const void* keys);
    Repeat repeat_;
    Lane lane_;
    bool bulky_;
};

// To the client's connections of the loop it runs on, or to one connection that the caller holds.
class Route {
public:
    explicit Route(Client& client) : client_(&client) {}
    explicit Route(NodeLink& link) : link_(&link) {}

    // Calls may go to more than one node: of a cluster, or one that another takes the part of.
    bool many() const;

private:
    friend class LoopSide;
    friend class RoutedOperation;
    friend class RunBase;
    Client* client_ = nullptr;
    NodeLink* link_ = nullptr;
};

// A call that is sent elsewhere when a node says that it is not the one, or is not any more.
class RoutedOperation : public Operation {
protected:
    explicit RoutedOperation(Route route) : route_(route) {}
    ~RoutedOperation() override = default;

    // Empty: taken, will be ended. Else: effect none.
    std::optional<Error> send(Loop& loop, const Whereto& to);
    // It will not be ended. What is known of its effect.
    Effect abandon();
    // True: this answer, an error, is none: the call goes on elsewhere, or later.
    bool again(RespView error);
    // The same for what kept the call from being answered.
    bool again(const Error& error);

    virtual Whereto whereto() const = 0;
    // Where and how often the other was sent is as if this one had been.
    void stand_in_for(const RoutedOperation& other);

private:
    friend class LoopSide;
    friend class Parking;
    friend class RunBase;
    Route route_;
    LoopSide* side_ = nullptr;    // of a client whose topology may change
    std::uint8_t redirects_ = 0;  // by MOVED and ASK
    std::uint8_t pauses_ = 0;     // because of what a node said; they become longer
    bool primary_only_ = false;   // a replica did not answer
    std::string_view refusal_;    // why it is parked: what it ends with if it stays there
};

// Hears of the end of calls that go to several nodes.
class PartsOwner {
public:
    virtual void parts_ended(std::optional<Error> error) = 0;

protected:
    ~PartsOwner() = default;
};

// The types behind these are whole only where they are made.
class DropParts {
public:
    void operator()(BatchParts* parts) const;
    void operator()(SplitCall* split) const;
};

}  // namespace holdfast::redis
