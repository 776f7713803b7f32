#pragma once
// One node that is asked now and then, over a connection of its own that stays open. Loop thread
// only.

#include "node_link.h"

#include <holdfast/redis/batch.h>

#include <memory>
#include <optional>
#include <string>

namespace holdfast::redis {

// Commands that are asked together, as they travel.
class Question {
public:
    Question& add(const AnyCommand& command);
    std::string_view bytes() const { return bytes_; }
    std::uint32_t count() const { return count_; }

private:
    std::string bytes_;
    std::uint32_t count_ = 0;
};

class NodeAsk final : private Operation {
public:
    // `ended` is posted when an ask has ended; it outlives this.
    NodeAsk(
        Loop& loop,
        Random& random,
        std::shared_ptr<const RedisOptions> options,
        Endpoint node,
        Work& ended
    );
    // Closes the connection.
    ~NodeAsk();

    // Not while it is busy. The question stays where it is until the end.
    void ask(const Question& question, SteadyTime deadline);
    bool busy() const { return pending(); }
    // True once after each ask that ended.
    bool take_ended() { return std::exchange(ended_, false); }
    // Of the last ask; null: it was answered.
    const Error* failure() const { return failure_.has_value() ? &*failure_ : nullptr; }
    const Replies& replies() const { return replies_; }
    // What the last answer was good for, as who asked sees it.
    bool useful() const { return useful_; }
    void judge(bool useful) { useful_ = useful; }

    const Endpoint& node() const { return node_; }
    SteadyTime asked_at() const { return asked_at_; }

private:
    void replied(RespView reply, bool last) override;
    void failed(Error error) override;
    void run() override {}
    void end();

    Loop* loop_;
    Endpoint node_;
    Work* listener_;
    std::shared_ptr<NodeLink> link_;
    Replies replies_;
    std::optional<Error> failure_;
    SteadyTime asked_at_{};
    bool ended_ = false;
    bool useful_ = true;
};

Error copy_of(const Error& error);
// The same of this node.
Error error_at(const Endpoint& node, const Error& error);

}  // namespace holdfast::redis
