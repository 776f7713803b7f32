#pragma once
// A client of one server, of what Sentinels watch, or of a cluster, for programs with loops. Each
// loop has connections of its own; calls of all tasks of a loop share them.

#include <holdfast/io/runtime.h>
#include <holdfast/redis/durable.h>
#include <holdfast/redis/lease.h>
#include <holdfast/redis/options.h>
#include <holdfast/redis/subscription.h>
#include <holdfast/redis/transaction.h>

#include <future>
#include <memory>
#include <vector>

namespace holdfast::redis {

class LoopSide;
class OneNode;
class Watching;

// Awaits (`run`, `lease`) belong to tasks of the client's runtime; the rest is for any thread. When
// it is destroyed its calls end `closed`; its runtime is destroyed after it.
//
// Errors of every verb: `timed_out` (none: not written in time; unknown: no answer in time),
// `unreachable` (none: there was no connection before the deadline; unknown: it was lost before the
// answer), `overloaded` (none: the queue is full), `closed`, `cancelled`, what the server said
// (see errors.h), and `corrupt`, unknown, for an answer of another shape.
class Client {
public:
    Client(Runtime& runtime, RedisOptions options);
    // Of one loop alone, such as that of an AsioHost; `random` outlives it.
    Client(Loop& loop, Random& random, RedisOptions options);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // co_await client.run(get("k"), deadline): Result of the command's value. Allocates nothing but
    // what the value itself needs.
    template <class Reply>
    Run<Reply> run(Command<Reply>&& command, Deadline deadline) {
        return Run<Reply>(Route(*this), std::move(command), deadline);
    }
    // The batch stays where it is until the end, and then has the answers.
    RunBatch run(Batch& batch, Deadline deadline) {
        return RunBatch(Route(*this), batch, deadline);
    }
    RunTransaction run(Transaction& transaction, Deadline deadline) {
        return RunTransaction(Route(*this), transaction, deadline);
    }

    // A write that is answered with how many replicas have it.
    template <class Reply>
    RunDurable<Reply> run_durable(Command<Reply>&& command, Copies copies, Deadline deadline) {
        return RunDurable<Reply>(*this, std::move(command), copies, deadline);
    }

    // The same as a Task: for when_all(), with_deadline() and others that take tasks.
    template <class Reply>
    Task<Reply> task(Command<Reply> command, Deadline deadline) {
        return as_task(this, std::move(command), deadline);
    }
    // Blocks this thread, which is none of the runtime's. `invalid_argument`, none: the client of
    // one loop alone has no runtime that would run meanwhile.
    template <class Reply>
    Result<Reply> wait(Command<Reply> command, Deadline deadline) {
        if (runtime_ == nullptr) {
            return no_runtime();
        }
        return holdfast::wait(*runtime_, task(std::move(command), deadline));
    }
    template <class Reply>
    std::future<Result<Reply>> start(Command<Reply> command, Deadline deadline) {
        std::promise<Result<Reply>> promise;
        auto future = promise.get_future();
        spawn(
            std::move(command),
            deadline,
            [promise = std::move(promise)](Result<Reply> outcome) mutable {
                promise.set_value(std::move(outcome));
            }
        );
        return future;
    }
    // The callback runs on a loop, never inside this call.
    template <class Reply, class Callback>
    void spawn(Command<Reply> command, Deadline deadline, Callback callback) {
        holdfast::spawn(home(), task(std::move(command), deadline), std::move(callback));
    }

    // A connection that only the caller uses, for WATCH and whatever changes the state of a
    // connection. `overloaded`, none: all are out. In a cluster one of the node that has the key;
    // `unreachable`, none: it is not known yet who that is (any call finds out).
    Result<Lease> lease(Loop& loop, std::string_view key = {});
    // Waits until it is known.
    Task<Lease> lease_of(std::string key, Deadline deadline);

    // Messages of these channels, for a task of that loop. Dials as soon as it is known whom, and
    // again whenever the connection is lost; the subscription ends it. `invalid_argument`, none,
    // before anything is sent: no channel, or shard channels of several slots or beside others.
    Result<Subscription> subscribe(Loop& loop, Channels channels);

    // Says AUTH with the credentials of the moment on every open connection, without closing any:
    // for passwords and tokens that change while they are used. A connection on which a command
    // waits, and with RESP2 those of subscriptions, take them at their next dial; a subscription
    // whose reader is behind answers late. The first refusal is the error; others may have been
    // taken.
    Task<> reauthenticate(Deadline deadline);

    // Takes no more calls and lets those in flight end until the deadline. True: all did.
    Task<bool> close(Deadline deadline);

    const RedisOptions& options() const { return *options_; }

private:
    friend class BatchParts;
    friend class RoutedOperation;
    friend class TrackedReads;
    friend class TrackedSide;
    friend std::optional<Error> send_durable(Client& client, Loop& loop, DurableCall& call);
    friend Task<> watch_copies(Client& client, CopiesByShard& shards);
    friend Task<std::vector<OneNode>> primaries_of(Client* client, Deadline deadline);
    friend Task<std::vector<OneNode>> nodes_of(Client* client, Deadline deadline);
    LoopSide* side_of(const Loop& loop) const;
    Task<LoopSide*> side_that_knows(Deadline deadline);
    Loop& home() const;
    void build(const std::vector<Loop*>& loops);
    static Error no_runtime() {
        return Error(Code::invalid_argument, Effect::none, "this client belongs to one loop");
    }

    template <class Reply>
    static Task<Reply> as_task(Client* client, Command<Reply> command, Deadline deadline) {
        co_return co_await client->run(std::move(command), deadline);
    }

    Runtime* runtime_ = nullptr;  // null: of one loop
    Random* random_;
    std::shared_ptr<const RedisOptions> options_;
    std::shared_ptr<Watching> watching_;  // null: one server
    std::vector<std::shared_ptr<LoopSide>> sides_;
};

// Any thread; no connection is opened before the first call. `invalid_argument`, none: options that
// cannot be.
Result<std::unique_ptr<Client>> open_redis(Runtime& runtime, RedisOptions options);
// The same for one loop, such as that of an AsioHost; destroyed before it. Connections that stand
// keep an io_context running: close() ends them.
Result<std::unique_ptr<Client>> open_redis(Loop& loop, RedisOptions options);

// A reply as it lies in the read buffer: `run(std::move(command).as(read_view), deadline)`. Valid
// until the task that got it awaits anything or ends: the reply goes when its reader comes back.
// Only for `co_await client.run(..)`.
inline Result<RespView> read_view(RespView reply) {
    return reply;
}

}  // namespace holdfast::redis
