#pragma once
// Writes that must have reached replicas. Those that come together share one WAIT and one ROLE,
// on connections where nothing else travels.

#include <holdfast/io/loop.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/errors.h>
#include <holdfast/redis/required_copies.h>

#include <cstdint>
#include <optional>
#include <utility>

namespace holdfast::redis {

class Client;
class CopiesByShard;
class DurableGroup;
class DurableLane;
class DurableParking;
class LoopSide;

// How many must have the write. Those that travel together are given the most that one of them
// asked for.
class Copies {
public:
    // So many; an answer with fewer is an answer, and the caller judges it.
    Copies(std::int64_t replicas, Duration wait_max) : replicas_(replicas), wait_max_(wait_max) {}
    // As many as it says, which outlives the call. What is not kept is an error: `unreachable`,
    // none, where too few are known to be connected (nothing was sent), else unknown.
    Copies(RequiredCopies& required, Duration wait_max)
        : required_(&required), wait_max_(wait_max) {}
    // The same, as many as the shard must have whose primary the write goes to.
    Copies(CopiesByShard& shards, Duration wait_max) : shards_(&shards), wait_max_(wait_max) {}

    // Also on the disk of the primary, and of so many replicas: WAITAOF, another wait of at most
    // wait_max. The answer says what was reached, and the caller judges it. A server before 7.2,
    // or one without an append-only file where `here` is asked: `unsupported`, none, nothing was
    // sent; it is asked once for each connection.
    Copies&& fsynced(bool here, std::int64_t replicas) && {
        fsync_here_ = here;
        fsync_replicas_ = replicas;
        return std::move(*this);
    }

    std::int64_t replicas() const {
        return required_ == nullptr ? replicas_ : required_->required();
    }
    RequiredCopies* required() const { return required_; }
    CopiesByShard* shards() const { return shards_; }
    void of_shard(RequiredCopies& required) { required_ = &required; }
    Duration wait_max() const { return wait_max_; }
    bool asks_fsync() const { return fsync_here_ || fsync_replicas_ > 0; }
    bool fsync_here() const { return fsync_here_; }
    std::int64_t fsync_replicas() const { return fsync_replicas_; }

private:
    CopiesByShard* shards_ = nullptr;
    RequiredCopies* required_ = nullptr;  // with shards_: of the one that it was last sent to
    std::int64_t replicas_ = 0;
    Duration wait_max_;
    bool fsync_here_ = false;
    std::int64_t fsync_replicas_ = 0;
};

// What the server said of a write's copies.
class CopiesReached {
public:
    std::int64_t acknowledged = 0;  // replicas that have the write, as WAIT said
    // Replicas that may be promoted, as ROLE said right after; -1: the server is no primary, or
    // does not say.
    std::int64_t connected = -1;
    // As WAITAOF said; -1: nobody asked.
    std::int64_t synced_here = -1;
    std::int64_t synced_replicas = -1;
};

template <class Reply>
class Durable : public CopiesReached {
public:
    Durable(Reply reply, const CopiesReached& reached)
        : CopiesReached(reached), value(std::move(reply)) {}
    Reply value;
};

// A write on its way. Loop thread only. In a client of several nodes it goes on to another one, or
// later, within its deadline, as long as nothing of it was done: a node answered MOVED, ASK,
// TRYAGAIN, CLUSTERDOWN, LOADING, MASTERDOWN or READONLY, the node that it waited for has lost its
// part, or it is not known yet who serves it. Once it may have been done it is never sent again.
class DurableCall : public Work {
public:
    DurableCall(const DurableCall&) = delete;
    DurableCall& operator=(const DurableCall&) = delete;

protected:
    DurableCall(Copies copies, Deadline deadline) : copies_(copies), deadline_(deadline) {}
    ~DurableCall() override { (void)leave(); }

    // The answer to the command. The call has not ended.
    virtual void replied(RespView reply) = 0;
    // The last touch.
    virtual void ended(const CopiesReached& reached) = 0;
    virtual void failed(Error error) = 0;
    // Of the command; it stays where it is until the end.
    virtual const AnyCommand& command() const = 0;

    // It will not be ended. What is known of its effect.
    Effect leave();

private:
    friend class DurableGroup;
    friend class DurableLane;
    friend class DurableParking;
    friend class LoopSide;
    friend std::optional<Error> send_durable(Client& client, Loop& loop, DurableCall& call);
    class Timer final : public Work {
    public:
        explicit Timer(DurableCall& call) : call_(&call) {}
        void run() override;

    private:
        DurableCall* call_;
    };

    Copies copies_;
    Deadline deadline_;
    Timer timer_{*this};
    DurableLane* lane_ = nullptr;  // while it waits there
    DurableGroup* group_ = nullptr;
    std::size_t place_ = 0;  // in the group
    // Of a client of several nodes.
    LoopSide* side_ = nullptr;
    DurableParking* parking_ = nullptr;  // between two attempts
    SteadyTime again_at_{};
    std::string_view refusal_;    // why it is parked
    std::uint8_t redirects_ = 0;  // by MOVED and ASK
    std::uint8_t pauses_ = 0;
    bool asking_ = false;  // ASKING goes before it
};

// Empty: taken. Else effect none.
std::optional<Error> send_durable(Client& client, Loop& loop, DurableCall& call);

// co_await client.run_durable(command, copies, deadline): Result<Durable<Reply>>. `timed_out`,
// unknown: the write may be there, and on replicas. `moved`, none: nodes sent it on too often, or
// (one server) another has the keys; `moved`, unknown: it was written to a node that has lost its
// part. `unreachable`, none: no node would take it until the deadline.
template <class Reply>
class [[nodiscard]] RunDurable final : public Suspension, private DurableCall {
public:
    using value_type = Durable<Reply>;
    RunDurable(Client& client, Command<Reply>&& command, Copies copies, Deadline deadline)
        : DurableCall(copies, deadline), client_(&client), command_(std::move(command)) {}

    Result<Durable<Reply>> await_resume() { return std::move(*outcome_); }

private:
    bool start() override {
        if (scope().cancelled()) {
            outcome_.emplace(cancelled_error());
            return false;
        }
        auto refused = send_durable(*client_, scope().loop(), *this);
        if (refused.has_value()) {
            outcome_.emplace(std::move(*refused));
            return false;
        }
        return true;
    }
    void on_cancel() noexcept override {
        outcome_.emplace(cancelled_error(leave()));
        scope().loop().post(*this);
    }
    void run() override { resume(); }
    const AnyCommand& command() const override { return command_.any(); }
    void replied(RespView reply) override {
        if (reply.is_error()) {
            reply_.emplace(error_of(reply, command_.any()));
        } else {
            reply_.emplace(command_.read(reply));
        }
    }
    void ended(const CopiesReached& reached) override {
        if (reply_->ok()) {
            outcome_.emplace(Durable<Reply>(std::move(*reply_).value(), reached));
        } else {
            outcome_.emplace(std::move(*reply_).error());
        }
        resume();
    }
    void failed(Error error) override {
        const bool refused = reply_.has_value() && !reply_->ok();  // it says more than the wait
        outcome_.emplace(refused ? std::move(*reply_).error() : std::move(error));
        resume();
    }

    Client* client_;
    Command<Reply> command_;
    std::optional<Result<Reply>> reply_;
    std::optional<Result<Durable<Reply>>> outcome_;
};

}  // namespace holdfast::redis
