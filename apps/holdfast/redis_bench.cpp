// holdfast redis bench: how fast a server answers many callers of one connection.

#include "redis_target.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/io/compose.h>
#include <holdfast/observe/stopwatch.h>
#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/commands/strings.h>

#include <algorithm>
#include <cstdio>

namespace holdfast::app {
namespace {

constexpr int keys_count = 10'000;

std::string key_of(int number) {
    return "holdfast:bench:" + std::to_string(number);
}

struct Tally {
    std::vector<float> milliseconds;  // of every answered call
    std::uint64_t failed = 0;
    std::optional<Error> first_error;

    template <class T>
    void add(Result<T> outcome, double seconds) {
        if (outcome.ok()) {
            milliseconds.push_back(static_cast<float>(seconds * 1e3));
            return;
        }
        ++failed;
        if (!first_error.has_value()) {
            first_error.emplace(std::move(outcome).error());
        }
    }
    double percentile(double part) {
        if (milliseconds.empty()) {
            return 0;
        }
        const auto at =
            milliseconds.begin() +
            static_cast<std::ptrdiff_t>(part * static_cast<double>(milliseconds.size() - 1));
        std::ranges::nth_element(milliseconds, at);
        return *at;
    }
};

// Until `end`: sets and gets of keys that differ between callers.
Task<> one_caller(RedisTarget* target, int number, std::string value, Tally* tally, Deadline end) {
    Loop& loop = (co_await this_scope()).loop();
    for (int turn = number; !end.passed(loop.now()) && tally->failed < 1'000; turn += 97) {
        const std::string key = key_of(turn % keys_count);
        const Deadline deadline = Deadline::in(target->timeout, loop.now());
        const Stopwatch watch;
        if (turn % 2 == 0) {
            auto set = co_await target->client->run(redis::set(key, value), deadline);
            tally->add(std::move(set), watch.seconds());
        } else {
            auto got = co_await target->client->run(redis::get(key), deadline);
            tally->add(std::move(got), watch.seconds());
        }
    }
    co_return Done();
}

Task<> clean_up(RedisTarget* target) {
    redis::Batch batch;
    for (int i = 0; i < keys_count; ++i) {
        (void)batch.add(redis::unlink(key_of(i)));
    }
    co_return co_await target->client->run(batch, target->deadline());
}

void print(
    const RedisTarget& target, const RedisArguments& arguments, Tally& tally, double seconds
) {
    const double rate = static_cast<double>(tally.milliseconds.size()) / seconds;
    const double half = tally.percentile(0.5);
    const double most = tally.percentile(0.99);
    const double last = tally.percentile(1.0);
    if (arguments.json) {
        std::string line;
        JsonWriter(line)
            .open_object()
            .field("uri", target.shown)
            .field("callers", arguments.callers)
            .field("valueBytes", arguments.value_bytes)
            .field("calls", tally.milliseconds.size())
            .field("failed", tally.failed)
            .field("callsASecond", static_cast<std::int64_t>(rate))
            .field("p50Microseconds", static_cast<std::int64_t>(half * 1e3))
            .field("p99Microseconds", static_cast<std::int64_t>(most * 1e3))
            .field("maxMicroseconds", static_cast<std::int64_t>(last * 1e3))
            .close_object();
        std::printf("%s\n", line.c_str());
        return;
    }
    std::printf(
        "%s: %zu callers on one connection%s, values of %zu bytes, as many SET as GET\n"
        "%.0f calls a second; p50 %.3f ms, p99 %.3f ms, max %.3f ms; %zu answered, %llu failed\n",
        target.shown.c_str(),
        arguments.callers,
        target.client->options().shape() == redis::Shape::cluster ? " to each node" : "",
        arguments.value_bytes,
        rate,
        half,
        most,
        last,
        tally.milliseconds.size(),
        static_cast<unsigned long long>(tally.failed)
    );
}

}  // namespace

int redis_bench(const RedisArguments& arguments) {
    auto opened = redis_target(arguments);
    if (const int* code = std::get_if<int>(&opened)) {
        return *code;
    }
    RedisTarget& target = std::get<RedisTarget>(opened);
    auto there = target.client->wait(redis::get(key_of(0)), target.deadline());
    if (!there.ok()) {
        return redis_failure(target.shown, there.error());
    }
    Tally tally;
    const std::string value(arguments.value_bytes, 'v');
    const Deadline end =
        Deadline::in(std::chrono::seconds(arguments.seconds), target.runtime->clock());
    std::vector<Task<>> callers;
    for (std::size_t i = 0; i < arguments.callers; ++i) {
        callers.push_back(one_caller(&target, static_cast<int>(i), value, &tally, end));
    }
    const Stopwatch watch;
    (void)wait(*target.runtime, when_all(std::move(callers)));
    print(target, arguments, tally, watch.seconds());
    auto cleaned = wait(*target.runtime, clean_up(&target));
    if (tally.first_error.has_value()) {
        (void)redis_failure(target.shown, *tally.first_error);
        return exit_code::no;
    }
    if (!cleaned.ok()) {
        complain(target.shown + ": keys that begin with holdfast:bench: are left there");
    }
    return exit_code::done;
}

}  // namespace holdfast::app
