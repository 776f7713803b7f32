// The driver: tasks of one loop share a connection. The same work as the programs in the folders
// here; see README.md.

#include "machine.h"
#include "stopwatch.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/strings.h>

#include <charconv>
#include <cstdio>
#include <string_view>

namespace holdfast::bench {
namespace {

constexpr Duration call_time{30'000};
constexpr std::size_t key_count = 10'000;

struct Work {
    redis::Client* client = nullptr;
    std::size_t callers = 0;
    std::size_t each = 0;
    std::vector<std::string> keys;
};

Task<> caller(const Work* work, std::size_t number) {
    Loop& loop = (co_await this_scope()).loop();
    for (std::size_t turn = 0; turn < work->each; ++turn) {
        const std::string& key = work->keys[(turn * work->callers + number) % key_count];
        const Deadline deadline = Deadline::in(call_time, loop.now());
        auto value = co_await work->client->run(redis::get(key), deadline);
        if (!value.ok() || !value.value().has_value() || value.value()->size() != 32) {
            fail("another answer");
        }
    }
    co_return Done();
}

Task<> pass(const Work* work) {
    std::vector<Task<>> tasks;
    for (std::size_t number = 0; number < work->callers; ++number) {
        tasks.push_back(caller(work, number));
    }
    (void)co_await when_all(std::move(tasks));
    co_return Done();
}

std::size_t number_of(std::string_view text) {
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number == 0) {
        fail("usage: redis_callers HOST PORT CALLERS OPERATIONS");
    }
    return number;
}

void run(const std::vector<std::string>& words) {
    if (words.size() != 5) {
        fail("usage: redis_callers HOST PORT CALLERS OPERATIONS");
    }
    Work work;
    work.callers = number_of(words[3]);
    work.each = number_of(words[4]) / work.callers;
    for (std::size_t i = 0; i < key_count; ++i) {
        std::string digits = std::to_string(i);
        work.keys.push_back("key:" + std::string(12 - digits.size(), '0') + digits);
    }
    auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
    const auto port = static_cast<std::uint16_t>(number_of(words[2]));
    auto client =
        std::move(redis::open_redis(*runtime, redis::RedisOptions().host(words[1]).port(port)))
            .value();
    work.client = client.get();

    (void)wait(*runtime, pass(&work));  // to get warm
    const double used = cpu_times().own;
    const Stopwatch watch;
    (void)wait(*runtime, pass(&work));
    std::printf(
        "{\"operations\": %zu, \"seconds\": %.6f, \"cpu_seconds\": %.6f}\n",
        work.each * work.callers,
        watch.seconds(),
        cpu_times().own - used
    );
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    holdfast::bench::run(std::vector<std::string>(argv, argv + argc));
    return 0;
}
