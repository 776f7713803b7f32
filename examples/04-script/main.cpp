// A script that is sent by its name: the server is told its text once, and again whenever it has
// forgotten it.
// Usage: example [redis://127.0.0.1:6379]

#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/from_uri.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/script.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace hf = holdfast;
namespace redis = holdfast::redis;
using std::chrono_literals::operator""s;

namespace {

// begin script
// Deletes the key if it still has our token. Running it twice does no more than once, so that it
// may be sent again after a lost answer.
const redis::Script& give_back() {
    static const redis::Script script(
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end "
        "return 0",
        redis::Repeat::idempotent
    );
    return script;
}

hf::Task<bool>
returned(redis::Client& client, std::string key, std::string token, hf::Deadline deadline) {
    auto call = give_back().call(key, token).as(redis::read_integer);
    auto deleted = co_await redis::run_script(client, std::move(call), deadline);
    if (!deleted.ok()) {
        co_return std::move(deleted).error();
    }
    co_return deleted.value() == 1;
}
// end script

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
    const hf::Deadline deadline = hf::Deadline::in(2s, runtime.value()->clock());
    const redis::SetOptions once = redis::SetOptions().if_absent().expire_in(30s);
    auto taken = client.value()->wait(redis::set("desk:7", "token of Ada", once), deadline);
    auto foreign =
        hf::wait(*runtime.value(), returned(*client.value(), "desk:7", "token of Bob", deadline));
    auto own =
        hf::wait(*runtime.value(), returned(*client.value(), "desk:7", "token of Ada", deadline));
    if (!taken.ok() || !foreign.ok() || !own.ok()) {
        return 1;
    }
    std::printf(
        "taken %s, Bob gave it back: %s, Ada gave it back: %s\n",
        taken.value() ? "yes" : "no",
        foreign.value() ? "yes" : "no",
        own.value() ? "yes" : "no"
    );
    return taken.value() && !foreign.value() && own.value() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? argv[1] : "redis://127.0.0.1:6379");
}
