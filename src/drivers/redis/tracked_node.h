#pragma once
// The connection of one loop to one node on which the server says what was changed. Reads and what
// is said of their keys travel on it in one order. Loop thread only.

#include "node_link.h"

#include <holdfast/redis/tracked_limits.h>

#include <optional>

namespace holdfast::redis {

inline Error no_tracking() {
    return Error(
        Code::unsupported, Effect::none, "client-side caching needs a server that speaks RESP3"
    );
}

// Hears of what a tracked connection's server says.
class TrackedWatcher {
public:
    virtual void changed(std::string_view key) = 0;
    // Whatever was read on the connection may be old.
    virtual void all_changed() = 0;

protected:
    ~TrackedWatcher() = default;
};

class TrackedNodeOptions {
public:
    DialTarget target;
    std::vector<std::string> prefixes;  // none: what is read is tracked
    std::shared_ptr<RedisProbe> probe;  // null: nobody watches
};

class TrackedNode final : private NodeWatcher {
public:
    // `watcher` outlives it.
    TrackedNode(
        Loop& loop,
        Random& random,
        const RedisOptions& options,
        TrackedNodeOptions node,
        TrackedWatcher& watcher
    );
    ~TrackedNode() { link_->close(closed_error()); }
    TrackedNode(const TrackedNode&) = delete;
    TrackedNode& operator=(const TrackedNode&) = delete;

    // What is read on it may be kept. Before its first connection calls wait for that.
    bool takes_reads() const { return !refusal_.has_value() && (up_ || !was_up_); }
    // Waiting cannot cure why there is none.
    const std::optional<Error>& refusal() const { return refusal_; }
    std::optional<Error> submit(Operation& operation) { return link_->submit(operation); }
    void close(const Error& reason) { link_->close(reason); }

    // Every tracked_ping_every: asks the server whether it is there. One that does not answer is
    // lost.
    void tick();

private:
    class Ping final : public Operation {
    public:
        explicit Ping(TrackedNode& node) : node_(&node) {}
        void send(SteadyTime deadline) {
            carry(command_, deadline);
            (void)node_->link_->submit(*this);  // refused: a full queue, or closed
        }

    private:
        void replied(RespView, bool) override {}
        void failed(Error error) override {
            if (error.code() == Code::timed_out) {
                node_->silent();
            }
        }
        void run() override {}

        TrackedNode* node_;
        AnyCommand command_{"PING", Repeat::once};
    };

    void troubled() override {}
    void opened() override;
    void lost() override;
    void not_opened(const Error& error) override;
    void pushed(RespView push) override;
    void silent();

    std::shared_ptr<NodeLink> link_;
    TrackedWatcher* watcher_;
    std::optional<Error> refusal_;
    Ping ping_{*this};
    bool up_ = false;
    bool was_up_ = false;
};

}  // namespace holdfast::redis
