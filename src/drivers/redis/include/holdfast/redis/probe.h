#pragma once
// What can be seen of a client from outside: names, times and outcomes; never keys or values.

#include <holdfast/base/result.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/metrics.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace holdfast::redis {

// A call that ended.
struct CallReport {
    enum class Outcome : std::uint8_t {
        answered,
        error_reply,  // the server refused it
        failed,       // no answer
    };
    std::string_view command;  // "batch" and "WAIT" for what travels as one
    Outcome outcome = Outcome::answered;
    Effect effect = Effect::none;  // of a failed one
    double queue_seconds = 0;
    double wire_seconds = 0;  // from the write to the reply; 0: it was not written
    std::size_t bytes = 0;
};

// On the loop of the connection; by a BlockingClient on the threads of its callers, one at a time.
// Must not block, throw or call the client.
class RedisProbe {
public:
    virtual ~RedisProbe() = default;
    virtual void call_ended(const CallReport& report) = 0;
    virtual void in_flight(std::size_t calls, std::size_t most) = 0;  // at each write
    virtual void connected(std::string_view node, int protocol) = 0;
    virtual void connection_lost(std::string_view node, const Error& why) = 0;
    virtual void dial_failed(std::string_view node, const Error& why) = 0;
};

// Asked once for each loop, once for a BlockingClient.
using RedisProbeSource = std::function<std::shared_ptr<RedisProbe>()>;

// Histograms for each command, counters of connections, and log records of what happens to them.
// Both outlive the client.
RedisProbeSource watch_redis(Metrics& metrics, Log& log);

}  // namespace holdfast::redis
