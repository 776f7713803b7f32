#pragma once
// Writes that must have reached replicas. Those that come together share one WAIT and one ROLE,
// on connections where nothing else travels.

#include <holdfast/io/loop.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/errors.h>

#include <cstdint>
#include <optional>

namespace holdfast::redis {

class Client;
class DurableGroup;
class DurableLane;

// What is asked of WAIT. Those that travel together are given the most that one of them asked for.
class Copies {
public:
    Copies(std::int64_t replicas, Duration wait_max) : replicas_(replicas), wait_max_(wait_max) {}
    std::int64_t replicas() const { return replicas_; }
    Duration wait_max() const { return wait_max_; }

private:
    std::int64_t replicas_;
    Duration wait_max_;
};

template <class Reply>
class Durable {
public:
    Durable(Reply reply, std::int64_t acks, std::int64_t replicas)
        : value(std::move(reply)), acknowledged(acks), connected(replicas) {}
    Reply value;
    std::int64_t acknowledged;  // replicas that have the write, as WAIT said
    std::int64_t connected;     // to the primary, as ROLE said right after; -1: it is no primary
};

// A write on its way. Loop thread only.
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
    virtual void kept(std::int64_t acknowledged, std::int64_t connected) = 0;
    virtual void failed(Error error) = 0;
    // Of the command; it stays where it is until the end.
    virtual const AnyCommand& command() const = 0;

    // It will not be ended. What is known of its effect.
    Effect leave();

private:
    friend class DurableGroup;
    friend class DurableLane;
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
};

// Empty: taken. Else effect none.
std::optional<Error> send_durable(Client& client, Loop& loop, DurableCall& call);

// co_await client.run_durable(command, copies, deadline): Result<Durable<Reply>>. An answer with
// fewer copies than were asked for is an answer: the caller judges it. `timed_out`, unknown: the
// write may be there, and on replicas.
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
    void kept(std::int64_t acknowledged, std::int64_t connected) override {
        if (reply_->ok()) {
            outcome_.emplace(Durable<Reply>(std::move(*reply_).value(), acknowledged, connected));
        } else {
            outcome_.emplace(std::move(*reply_).error());
        }
        resume();
    }
    void failed(Error error) override {
        outcome_.emplace(std::move(error));
        resume();
    }

    Client* client_;
    Command<Reply> command_;
    std::optional<Result<Reply>> reply_;
    std::optional<Result<Durable<Reply>>> outcome_;
};

}  // namespace holdfast::redis
