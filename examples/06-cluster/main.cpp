// A cluster: keys that belong together, keys that do not, and what is asked of every node.
// Usage: example redis://127.0.0.1:7000?cluster=true
// With servers of its own: python3 examples/with_redis.py cluster path/to/example

#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/from_uri.h>
#include <holdfast/redis/nodes.h>
#include <holdfast/redis/scan.h>

#include <chrono>
#include <cstdio>
#include <set>
#include <string>

namespace hf = holdfast;
namespace redis = holdfast::redis;
using std::chrono_literals::operator""s;

namespace {

// begin basket
// What stands in braces decides the node: all keys of one customer are on one, so that they can
// change together.
hf::Task<> put_in_basket(
    redis::Client& client, std::string customer, std::string item, hf::Deadline deadline
) {
    const std::string tag = "{" + customer + "}";
    redis::Transaction together;
    together.add(redis::rpush("basket:" + tag, item));
    together.add(redis::incr("items:" + tag));
    auto end = co_await client.run(together, deadline);
    if (!end.ok()) {
        co_return std::move(end).error();
    }
    co_return hf::Done();
}
// end basket

// begin many
// Keys of many customers are on many nodes: one command for each slot, one answer. It is no
// snapshot, and an error says of each slot what became of it.
hf::Task<std::vector<std::optional<std::string>>>
counts_of(redis::Client& client, std::vector<std::string> keys, hf::Deadline deadline) {
    co_return co_await client.run(redis::mget(keys), deadline);
}

// Every key of every primary; one may come twice while slots move.
hf::Task<std::set<std::string>> all_keys(redis::Client& client, hf::Deadline deadline) {
    std::set<std::string> keys;
    auto scan = redis::scan_keys(redis::ScanOptions().match("items:*").count(100));
    while (!scan.done()) {
        auto page = co_await redis::next_page(client, scan, deadline);
        if (!page.ok()) {
            co_return std::move(page).error();
        }
        keys.insert(page.value().begin(), page.value().end());
    }
    co_return keys;
}

// What has no key is asked of each primary.
hf::Task<std::int64_t> count_everything(redis::Client& client, hf::Deadline deadline) {
    auto sizes = co_await redis::run_on_each(&client, redis::dbsize(), deadline);
    if (!sizes.ok()) {
        co_return std::move(sizes).error();
    }
    std::int64_t sum = 0;
    for (auto& one : sizes.value()) {
        if (!one.outcome.ok()) {
            co_return std::move(one.outcome).error();  // one.node says who
        }
        sum += one.outcome.value();
    }
    co_return sum;
}
// end many

hf::Task<std::size_t> shop(redis::Client& client, hf::Deadline deadline) {
    std::vector<std::string> items;
    for (int i = 0; i < 30; ++i) {
        const std::string customer = "c" + std::to_string(i);
        auto put = co_await put_in_basket(client, customer, "book", deadline);
        if (!put.ok()) {
            co_return std::move(put).error();
        }
        items.push_back("items:{" + customer + "}");
    }
    auto counts = co_await counts_of(client, items, deadline);
    auto keys = co_await all_keys(client, deadline);
    auto everything = co_await count_everything(client, deadline);
    if (!counts.ok() || !keys.ok() || !everything.ok()) {
        co_return hf::Error(hf::Code::unreachable, hf::Effect::none, "not all was read");
    }
    std::size_t full = 0;
    for (const auto& count : counts.value()) {
        full += count == "1" ? 1U : 0U;
    }
    std::printf(
        "%zu baskets with a book, %zu keys found by the walk, %d keys in all\n",
        full,
        keys.value().size(),
        static_cast<int>(everything.value())
    );
    co_return full == 30 && keys.value().size() == 30 ? 0 : 1;
}

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
    const hf::Deadline deadline = hf::Deadline::in(10s, runtime.value()->clock());
    auto done = hf::wait(*runtime.value(), shop(*client.value(), deadline));
    if (!done.ok()) {
        std::printf("%s\n", std::string(done.error().what()).c_str());
        return 1;
    }
    return static_cast<int>(done.value());
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? argv[1] : "redis://127.0.0.1:7000?cluster=true");
}
