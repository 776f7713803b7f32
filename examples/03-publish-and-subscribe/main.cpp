// Messages of a channel as a stream; the reader says when it is ready for the next.
// Usage: example [redis://127.0.0.1:6379]

#include <holdfast/io/compose.h>
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

// begin subscribe
// Prints what comes until "bye"; the answer: how many messages came. The first thing that a
// subscription says is that it stands, and it says so again after each loss of the connection:
// what was published meanwhile is gone. What must not be lost belongs into a stream.
hf::Task<int> listen(redis::Client& client, hf::Deadline deadline) {
    hf::Loop& loop = (co_await hf::this_scope()).loop();
    redis::Channels channels = redis::Channels().channel("news").pattern("weather:*");
    auto subscription = client.subscribe(loop, std::move(channels));
    if (!subscription.ok()) {
        co_return std::move(subscription).error();
    }
    int count = 0;
    for (;;) {
        auto message = co_await hf::with_deadline(subscription.value().next(), deadline);
        if (!message.ok()) {
            co_return std::move(message).error();
        }
        const redis::Message& came = message.value();
        if (came.kind == redis::Message::Kind::subscribed) {
            // Now somebody hears what we say. PUBLISH answers how many did.
            for (const std::string text : {"one", "two", "bye"}) {
                (void)co_await client.run(redis::publish("news", text), deadline);
            }
            continue;
        }
        ++count;
        std::printf("%s: %s\n", came.channel.c_str(), came.payload.c_str());
        if (came.payload == "bye") {
            co_return count;
        }
    }
}
// end subscribe

int run(const char* where) {
    auto uri = redis::RedisUri::parse(where);
    auto runtime = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (!uri.ok() || !runtime.ok()) {
        return 2;
    }
    auto options = redis::options_from(uri.value());
    if (!options.ok()) {
        return 2;
    }
    auto client = redis::open_redis(*runtime.value(), std::move(options).value());
    if (!client.ok()) {
        return 2;
    }
    const hf::Deadline deadline = hf::Deadline::in(5s, runtime.value()->clock());
    auto heard = hf::wait(*runtime.value(), listen(*client.value(), deadline));
    return heard.ok() && heard.value() == 3 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? argv[1] : "redis://127.0.0.1:6379");
}
