// A value is set and read: by a coroutine, by a blocking call on it, and without any loop.
// Usage: example [redis://127.0.0.1:6379]

#include <holdfast/redis/blocking_client.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/from_uri.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace hf = holdfast;
namespace redis = holdfast::redis;
using std::chrono_literals::operator""s;

namespace {

// begin coroutine
// How often this name was greeted; a greeting is kept for an hour.
hf::Task<std::int64_t> greet(redis::Client& client, std::string name, hf::Deadline deadline) {
    auto kept = co_await client.run(
        redis::set(
            "greeting:" + name,
            "Hello, " + name,
            redis::SetOptions().expire_in(std::chrono::hours(1))
        ),
        deadline
    );
    if (!kept.ok()) {
        co_return std::move(kept).error();  // effect(): none or unknown, never a guess
    }
    co_return co_await client.run(redis::incr("greeted:" + name), deadline);
}
// end coroutine

// begin blocking
// For threads without loops: all of them share one connection.
hf::Result<std::optional<std::string>>
greeting_of(redis::BlockingClient& client, const std::string& name) {
    const hf::Deadline deadline = hf::Deadline::in(1s, hf::system_clock());
    return client.run(redis::get("greeting:" + name), deadline);
}
// end blocking

int run(const char* where) {
    auto uri = redis::RedisUri::parse(where);
    if (!uri.ok()) {
        return 2;
    }
    auto options = redis::options_from(uri.value());
    auto runtime = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (!options.ok() || !runtime.ok()) {
        return 2;
    }
    // One client for the whole program: it opens its connections when they are needed.
    auto client = redis::open_redis(*runtime.value(), options.value());
    auto blocking = redis::open_blocking_redis(options.value());
    if (!client.ok() || !blocking.ok()) {
        return 2;
    }
    const hf::Deadline deadline = hf::Deadline::in(2s, runtime.value()->clock());
    auto count = hf::wait(*runtime.value(), greet(*client.value(), "Ada", deadline));
    if (!count.ok()) {
        std::fprintf(stderr, "%s\n", std::string(count.error().what()).c_str());
        return 1;
    }
    auto text = greeting_of(*blocking.value(), "Ada");
    if (!text.ok()) {
        return 1;
    }
    std::printf(
        "%s, %d\n", text.value().value_or("nobody").c_str(), static_cast<int>(count.value())
    );
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? argv[1] : "redis://127.0.0.1:6379");
}
