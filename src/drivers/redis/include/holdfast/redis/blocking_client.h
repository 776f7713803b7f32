#pragma once
// A client for threads, without loops: the callers drive one socket themselves. The first writes
// and reads for all who come meanwhile, the others sleep; who is done hands over to the oldest.

#include <holdfast/redis/options.h>
#include <holdfast/redis/transaction.h>

#include <condition_variable>
#include <memory>
#include <optional>

namespace holdfast::redis {

class BlockingLink;

// A call on the stack of a blocked thread.
class BlockingCall : public Operation {
protected:
    BlockingCall() = default;
    ~BlockingCall() override = default;
    // To be said when it has ended.
    void ended() {
        ended_ = true;
        changed_.notify_one();
    }
    virtual void refused(Error error) = 0;

private:
    friend class BlockingLink;
    void run() override {}

    std::condition_variable changed_;
    bool ended_ = false;
};

// Any thread. What the options ask at each dial (certificates, credentials) is asked on the thread
// of a caller, which waits for it: it should not block for long. Their probe hears on the threads
// of callers, one at a time. Commands that block or change the connection are refused,
// `invalid_argument`: they would hold up or confuse the others. Errors as of Client. Destroyed when
// nobody calls it.
class BlockingClient {
public:
    explicit BlockingClient(RedisOptions options);
    ~BlockingClient();
    BlockingClient(const BlockingClient&) = delete;
    BlockingClient& operator=(const BlockingClient&) = delete;

    // `command` may be used again, by one thread at a time.
    template <class Reply>
    Result<Reply> run(const Command<Reply>& command, Deadline deadline) {
        if (command.any().lane() != Lane::shared) {
            return wrong_lane();
        }
        Call<Reply> call(command, deadline);
        perform(call);
        return std::move(*call.outcome);
    }
    Result<Done> run(Batch& batch, Deadline deadline);
    // Calls that wait end `closed`; none are taken any more.
    void close();

private:
    template <class Reply>
    class Call final : public BlockingCall {
    public:
        Call(const Command<Reply>& asked, Deadline deadline) : command_(&asked) {
            carry(asked.any(), deadline.time());
        }
        std::optional<Result<Reply>> outcome;

    private:
        void replied(RespView reply, bool) override {
            if (reply.is_error()) {
                outcome.emplace(error_of(reply, command_->any(), effect_before()));
            } else {
                outcome.emplace(command_->read(reply));
            }
            ended();
        }
        void failed(Error error) override {
            outcome.emplace(std::move(error));
            ended();
        }
        void refused(Error error) override { outcome.emplace(std::move(error)); }
        std::string_view first_key() const override { return command_->any().first_key_text(); }

        const Command<Reply>* command_;
    };
    class BatchCall;

    static Error wrong_lane() {
        return Error(
            Code::invalid_argument, Effect::none, "this command needs a connection of its own"
        );
    }
    void perform(BlockingCall& call);

    std::unique_ptr<BlockingLink> link_;
};

// No connection is opened before the first call. `invalid_argument`, none: options that cannot be;
// `unsupported`, none: a cluster or sentinels, which need a client with loops.
Result<std::unique_ptr<BlockingClient>> open_blocking_redis(RedisOptions options);

}  // namespace holdfast::redis
