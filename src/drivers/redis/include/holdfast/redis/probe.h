#pragma once
// What can be seen of a client from outside: names, times and outcomes; never keys or values.

#include <holdfast/base/result.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/metrics.h>
#include <holdfast/observe/trace.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace holdfast::redis {

// An attempt of a call that ended: on one connection, or in its queue. What it points to is there
// during the report.
struct CallReport {
    enum class Outcome : std::uint8_t {
        answered,
        error_reply,  // the server refused it
        failed,       // no answer
        abandoned,    // the caller left: cancelled, or no longer interested
    };
    std::string_view command;  // "batch", "EXEC" and "WAIT" for what travels as one
    std::string_view node;     // "host:port", or the path of a unix socket
    int database = 0;          // that was chosen when the connection was opened
    // SipHash of the first key, with a secret that was drawn when the options were given their
    // probe: equal keys have equal numbers until the process ends, and a guessed key cannot be
    // checked against a log. 0: it has no key, or is several commands.
    std::uint64_t key_hash = 0;
    std::uint32_t attempt = 1;   // more: sent again, after a loss or a redirection
    std::uint32_t commands = 1;  // that travel as one
    Outcome outcome = Outcome::answered;
    Effect effect = Effect::none;  // of one that failed or was abandoned
    Code code = Code::internal;    // of one that failed
    // Of an error_reply: its first word, such as WRONGTYPE. "_OTHER": one that is no server's.
    std::string_view status;
    double queue_seconds = 0;
    double wire_seconds = 0;  // from the write to the reply; 0: it was not written
    std::size_t bytes = 0;
    const TraceContext* parent = nullptr;  // what trace_parent() said; null: nothing
};

// Of one connection: calls queued or unanswered, bytes not written.
struct QueueReport {
    std::string_view node;
    std::size_t calls = 0;
    std::size_t calls_before = 0;  // in the last report
    std::size_t calls_max = 0;
    std::size_t bytes = 0;
    std::size_t bytes_before = 0;
    std::size_t bytes_max = 0;
    bool gets_full = false;  // one of them has reached queue_warned_percent; said once
};

// On the loop of the connection; by a BlockingClient on the threads of its callers, one at a time.
// Must not block, throw or call the client.
class RedisProbe {
public:
    virtual ~RedisProbe() = default;
    virtual void call_ended(const CallReport& report) = 0;
    // Asked once for each call, inside the step of the task that calls; for those of wait(),
    // start() and spawn() in the first step of a task of its own.
    virtual std::optional<TraceContext> trace_parent() { return std::nullopt; }
    virtual void queue_changed(const QueueReport& report) = 0;
    virtual void connected(std::string_view node, int protocol) = 0;
    virtual void connection_lost(std::string_view node, const Error& why) = 0;
    virtual void dial_failed(std::string_view node, const Error& why) = 0;
    // A reply was nobody's, or stood where another was due: the connection is dropped.
    virtual void order_lost(std::string_view node) = 0;
};

// Asked once for each loop, once for a BlockingClient.
using RedisProbeSource = std::function<std::shared_ptr<RedisProbe>()>;

// Histograms for each command, counters of connections, and log records of what happens to them.
// Both outlive the client.
RedisProbeSource watch_redis(Metrics& metrics, Log& log);

// Both hear of everything; the trace is the first one's, or else the second one's.
RedisProbeSource watch_both(RedisProbeSource first, RedisProbeSource second);

}  // namespace holdfast::redis
