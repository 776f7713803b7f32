#pragma once
// A mux whose callers drive its socket: one leads, the others wait.

#include "backoff.h"
#include "blocking_stream.h"
#include "handshake.h"
#include "mux.h"
#include "read_buffer.h"

#include <holdfast/redis/blocking_client.h>
#include <holdfast/resp/parser.h>

#include <mutex>
#include <optional>

namespace holdfast::redis {

class BlockingLink final : private MuxOwner {
public:
    explicit BlockingLink(RedisOptions options, LookUp look_up = system_look_up);
    ~BlockingLink();

    // Comes back when the call has ended.
    void perform(BlockingCall& call);
    void close();

private:
    using Lock = std::unique_lock<std::mutex>;

    void flush_due() override {}
    void wake_at(SteadyTime time) override { wake_ = std::min(wake_, time); }

    void follow(BlockingCall& call, Lock& lock);
    void lead(BlockingCall& call, Lock& lock);
    void hand_over();
    void dial(BlockingCall& call, Lock& lock);
    Result<Done> greet(Deadline deadline);
    void exchange(Lock& lock, SteadyTime time);
    bool write(Lock& lock, SteadyTime time);
    void read(Lock& lock, Duration most);
    bool parse();
    bool has_rest() const { return out_sent_ < out_.size() || stream_.has_unsent(); }
    void drop(Lock& lock, const Error& why);
    void forget_connection();
    SteadyTime now() const { return system_clock().steady_now(); }

    const RedisOptions options_;
    const std::shared_ptr<RedisProbe> probe_;  // null: nobody watches
    std::mutex mutex_;
    Mux mux_;
    // Those that wait, oldest first; what is below belongs to who leads.
    struct Waiting;
    Waiting* oldest_ = nullptr;
    Waiting* newest_ = nullptr;
    bool led_ = false;
    bool writing_ = false;   // somebody writes `out_`, without the lock
    bool dialling_ = false;  // the socket changes, without the lock
    bool closed_ = false;
    std::optional<Error> broken_;  // found by one that does not lead
    SteadyTime wake_ = SteadyTime::max();
    SteadyTime next_dial_{};
    SteadyTime last_read_{};
    Backoff backoff_;
    BlockingResolver resolver_;
    BlockingStream stream_;
    ReadBuffer in_;
    RespParser parser_;
    WriteBuffer out_;
    std::size_t out_sent_ = 0;
    int protocol_ = 3;
};

}  // namespace holdfast::redis
