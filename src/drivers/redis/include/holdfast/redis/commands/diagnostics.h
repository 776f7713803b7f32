#pragma once
// What the server knows about its memory and its slow moments.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/server.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

struct LatencyEvent {
    std::string name;
    ServerTime at{};
    Duration latest{};
    Duration longest{};

    friend bool operator==(const LatencyEvent&, const LatencyEvent&) = default;
};

struct LatencyHistogram {
    std::string command;
    std::uint64_t calls = 0;
    // So many calls took at most so many microseconds; each counts those before it too.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> calls_within_us;

    friend bool operator==(const LatencyHistogram&, const LatencyHistogram&) = default;
};

struct SlowCommand {
    std::uint64_t id = 0;
    ServerTime at{};
    std::chrono::microseconds took{};
    std::vector<std::string> words;  // cut by the server if many or long; values of users
    std::string client_address;
    std::string client_name;

    friend bool operator==(const SlowCommand&, const SlowCommand&) = default;
};

Command<std::string> latency_doctor();
Command<std::string> latency_graph(std::string_view event);
Command<std::vector<LatencyHistogram>> latency_histogram(Words commands = {});
Command<std::vector<std::pair<ServerTime, Duration>>> latency_history(std::string_view event);
Command<std::vector<LatencyEvent>> latency_latest();
Command<std::int64_t> latency_reset(Words events = {});  // how many

Command<std::string> memory_doctor();
Command<std::string> memory_malloc_stats();
Command<Done> memory_purge();
Command<OwnedReply> memory_stats();
// Bytes, with what the key itself costs. `samples`: of nested values; 0: all of them.
Command<std::optional<std::int64_t>> memory_usage(std::string_view key, std::uint64_t samples = 5);

Command<std::vector<SlowCommand>> slowlog_get(std::int64_t count = 10);  // -1: all
Command<std::int64_t> slowlog_len();
Command<Done> slowlog_reset();

}  // namespace holdfast::redis
