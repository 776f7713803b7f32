#pragma once
// A mux on a loop: dials when there is something to say, reads, writes, and dials again when the
// connection is gone. Loop thread only.

#include "backoff.h"
#include "connection.h"
#include "mux.h"

#include <holdfast/io/runtime.h>

#include <memory>

namespace holdfast::redis {

// What happens after a connection was lost.
enum class Redial : std::uint8_t {
    always,     // at once: the next caller should find it open
    on_demand,  // when the next call comes
    never,      // the state of the connection is gone with it: all calls end, no more are taken
};

// Hears of a node that may not be what it was. On its loop.
class NodeWatcher {
public:
    virtual void troubled() = 0;
    // Its connection has said its first words; it is gone, nobody knows it yet; it could not be
    // opened.
    virtual void opened() {}
    virtual void lost() {}
    virtual void not_opened(const Error&) {}
    // What the server says unasked, in its place between the replies. Valid during the call.
    virtual void pushed(RespView) {}

protected:
    ~NodeWatcher() = default;
};

class NodeLinkOptions {
public:
    MuxOptions mux;
    DialTarget target;
    NodeWatcher* watcher = nullptr;  // null: nobody asks; is not called after close()
    bool fail_fast = false;  // calls do not wait for a connection that is not there: `unreachable`
    Redial redial = Redial::always;
    std::shared_ptr<RedisProbe> probe;
};

class NodeLink final : public std::enable_shared_from_this<NodeLink>, private MuxOwner {
public:
    NodeLink(
        Loop& loop,
        Random& random,
        std::shared_ptr<const RedisOptions> options,
        const NodeLinkOptions& link_options
    );
    ~NodeLink();

    std::optional<Error> submit(Operation& operation) {
        if (!alive_) {
            if (lost_) {
                return Error(Code::unreachable, Effect::none, "the connection was lost");
            }
            come_alive();
        }
        return mux_.submit(operation);
    }
    Effect abandon(Operation& operation) { return mux_.abandon(operation, loop_->now()); }
    // Ends all calls now, and the connection.
    void close(const Error& reason);
    // Takes no more calls; those in flight go on.
    void close_door() { mux_.close_door(); }
    // Takes no more calls, and goes when those that were written have ended, or when the server is
    // gone or silent. The others end at once, for this reason.
    void retire(const Error& reason);
    // Drops the connection; what happens next is up to `redial`.
    void drop();

    const Mux& mux() const { return mux_; }
    bool closed() const { return closed_; }
    // Of the connection of the moment; 0: none.
    int protocol() const { return connection_ == nullptr ? 0 : connection_->protocol; }
    // The availability zone that the server named; empty: none.
    std::string zone() const { return connection_ == nullptr ? std::string() : connection_->zone; }
    std::uint64_t connections() const { return connections_; }
    Loop& loop() const { return *loop_; }

private:
    class FlushWork final : public Work {
    public:
        explicit FlushWork(NodeLink& link) : link_(&link) {}
        void run() override { link_->flush(); }

    private:
        NodeLink* link_;
    };
    class RingWork final : public Work {
    public:
        explicit RingWork(NodeLink& link) : link_(&link) {}
        void run() override { link_->ring(); }

    private:
        NodeLink* link_;
    };

    void flush_due() override {
        if (!reading_) {  // else it follows the last reply of this read, without another turn
            loop_->post(flush_work_);
        }
    }
    void wake_at(SteadyTime time) override;

    void come_alive();
    static Task<> live(std::shared_ptr<NodeLink> self);
    static Task<>
    write_rest(std::shared_ptr<NodeLink> self, std::shared_ptr<Connection> connection);
    Task<> reading(std::shared_ptr<Connection> connection);
    bool parse(Connection& connection);
    void flush();
    void ring();
    void dial_failed(const Error& error);

    void troubled() {
        if (watcher_ != nullptr) {
            watcher_->troubled();
        }
    }

    Loop* loop_;
    std::shared_ptr<const RedisOptions> options_;
    DialTarget target_;
    NodeWatcher* watcher_;
    Redial redial_;
    bool fail_fast_;
    std::optional<Error> retired_;
    std::shared_ptr<RedisProbe> probe_;  // null: nobody watches
    Backoff backoff_;
    Mux mux_;
    std::shared_ptr<Connection> connection_;
    FlushWork flush_work_;
    RingWork ring_work_;
    SteadyTime ring_at_ = SteadyTime::max();
    Stop stop_;
    std::uint64_t connections_ = 0;
    bool reading_ = false;
    bool alive_ = false;
    bool closed_ = false;
    bool lost_ = false;  // and not dialled again
};

}  // namespace holdfast::redis
