#include "build.h"
#include "fields.h"
#include "server_read.h"
#include "stream_read.h"

#include <holdfast/redis/commands/diagnostics.h>

namespace holdfast::redis {

namespace {

using std::chrono::microseconds;

Result<microseconds> read_micros(RespView reply) {
    return read_integer(reply).and_then([](std::int64_t us) { return Result(microseconds(us)); });
}

Result<LatencyEvent> read_event(RespView reply) {
    LatencyEvent event;
    return Places(reply, 4)
        .take(event.name, read_text)
        .take(event.at, read_time_in_seconds)
        .take(event.latest, read_duration_ms)
        .take(event.longest, read_duration_ms)
        .give(event);
}

Result<LatencyHistogram> read_histogram(RespView reply) {
    LatencyHistogram histogram;
    return Fields(reply)
        .take("calls", histogram.calls, read_unsigned)
        .take("histogram_usec", histogram.calls_within_us, read_pairs_of<read_unsigned, read_unsigned>)
        .give(histogram);
}

Result<std::vector<LatencyHistogram>> read_histograms(RespView reply) {
    auto pairs = read_pairs_of<read_text, read_histogram>(reply);
    if (!pairs.ok()) {
        return std::move(pairs).error();
    }
    std::vector<LatencyHistogram> histograms;
    for (auto& [command, histogram] : pairs.value()) {
        histogram.command = std::move(command);
        histograms.push_back(std::move(histogram));
    }
    return histograms;
}

Result<SlowCommand> read_slow_command(RespView reply) {
    SlowCommand slow;
    return Places(reply, 6)
        .take(slow.id, read_unsigned)
        .take(slow.at, read_time_in_seconds)
        .take(slow.took, read_micros)
        .take(slow.words, read_texts)
        .take(slow.client_address, read_text)
        .take(slow.client_name, read_text)
        .give(slow);
}

}  // namespace

Command<std::string> latency_doctor() {
    return {build("LATENCY|DOCTOR", Repeat::read), read_text};
}

Command<std::string> latency_graph(std::string_view event) {
    return {build("LATENCY|GRAPH", Repeat::read, event), read_text};
}

Command<std::vector<LatencyHistogram>> latency_histogram(Words commands) {
    return {build("LATENCY|HISTOGRAM", Repeat::read, commands), read_histograms};
}

Command<std::vector<std::pair<ServerTime, Duration>>> latency_history(std::string_view event) {
    return {build("LATENCY|HISTORY", Repeat::read, event), read_pairs_of<read_time_in_seconds, read_duration_ms>};
}

Command<std::vector<LatencyEvent>> latency_latest() {
    return {build("LATENCY|LATEST", Repeat::read), read_list<read_event>};
}

Command<std::int64_t> latency_reset(Words events) {
    return {build("LATENCY|RESET", Repeat::once, events), read_integer};
}

Command<std::string> memory_doctor() {
    return {build("MEMORY|DOCTOR", Repeat::read), read_text};
}

Command<std::string> memory_malloc_stats() {
    return {build("MEMORY|MALLOC-STATS", Repeat::read), read_text};
}

Command<Done> memory_purge() {
    return {build("MEMORY|PURGE", Repeat::once), read_ok};
}

Command<OwnedReply> memory_stats() {
    return {build("MEMORY|STATS", Repeat::read), read_reply};
}

Command<std::optional<std::int64_t>> memory_usage(std::string_view key, std::uint64_t samples) {
    AnyCommand any = build_on("MEMORY|USAGE", Repeat::read, key);
    any.add("SAMPLES").add(samples);
    return {std::move(any), read_optional_integer};
}

Command<std::vector<SlowCommand>> slowlog_get(std::int64_t count) {
    AnyCommand any = build("SLOWLOG|GET", Repeat::read, count);
    any.set_bulky(count < 0);
    return {std::move(any), read_list<read_slow_command>};
}

Command<std::int64_t> slowlog_len() {
    return {build("SLOWLOG|LEN", Repeat::read), read_integer};
}

Command<Done> slowlog_reset() {
    return {build("SLOWLOG|RESET", Repeat::once), read_ok};
}

}  // namespace holdfast::redis
