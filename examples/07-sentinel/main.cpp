// A primary that sentinels watch: who it is, and what a caller does while they make another one.
// Usage: example redis-sentinel://127.0.0.1:26379#orders
// With servers of its own: python3 examples/with_redis.py sentinel path/to/example

#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/copies_by_shard.h>
#include <holdfast/redis/from_uri.h>
#include <holdfast/redis/nodes.h>
#include <holdfast/redis/transact.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace hf = holdfast;
namespace redis = holdfast::redis;
using std::chrono_literals::operator""s;

namespace {

// begin count
// Counts an order by its number. Adding it to a set twice does no more than once, so that it may be
// sent again after a lost answer: a failover in the middle costs time, as long as the deadline is
// longer than that.
hf::Task<std::int64_t>
count_order(redis::Client& client, std::string number, hf::Deadline deadline) {
    auto added = co_await client.run(
        redis::sadd("orders", number).repeat(redis::Repeat::idempotent), deadline
    );
    if (!added.ok()) {
        co_return std::move(added).error();  // unknown: it may be counted; none: it is not
    }
    co_return co_await client.run(redis::scard("orders"), deadline);
}
// end count

// begin take
// One of the stock, if there is one. Watched and tried again while others are faster; what has
// happened on a primary that is lost before EXEC is tried again on its successor.
hf::Task<redis::TransactionEnd> take_one(redis::Client& client, hf::Deadline deadline) {
    auto attempt = [deadline](redis::Lease& lease) -> hf::Task<redis::TransactionEnd> {
        return [](redis::Lease* on, hf::Deadline until) -> hf::Task<redis::TransactionEnd> {
            auto watched = co_await on->run(redis::watch("stock"), until);
            if (!watched.ok()) {
                co_return std::move(watched).error();
            }
            auto stock = co_await on->run(redis::get("stock"), until);
            if (!stock.ok()) {
                co_return std::move(stock).error();
            }
            if (stock.value().value_or("0") == "0") {
                co_return hf::Error(
                    hf::Code::invalid_argument, hf::Effect::none, "nothing is left"
                );
            }
            redis::Transaction transaction;
            transaction.add(redis::decr("stock"));
            co_return co_await on->run(transaction, until);
        }(&lease, deadline);
    };
    co_return co_await redis::transact(&client, "stock", 10, deadline, attempt);
}
// end take

// begin keep
// A payment that every replica has which may be promoted. Where too few are there it is refused,
// `none`, or `unknown` if they went meanwhile. `shards` lives as long as the program: what it has
// seen is what the next write needs.
hf::Task<std::int64_t>
pay(redis::Client& client, redis::CopiesByShard& shards, hf::Deadline deadline) {
    const redis::Copies all(shards, 1s);
    auto paid = co_await client.run_durable(redis::incr("paid"), all, deadline);
    if (!paid.ok()) {
        co_return std::move(paid).error();
    }
    co_return paid.value().value;
}
// end keep

hf::Task<int> sell(redis::Client& client, hf::Deadline deadline) {
    auto nodes = co_await redis::nodes_of(&client, deadline);
    auto stocked = co_await client.run(redis::set("stock", "3"), deadline);
    auto counted = co_await count_order(client, "17", deadline);
    auto again = co_await count_order(client, "17", deadline);
    auto taken = co_await take_one(client, deadline);
    auto left = co_await client.run(redis::get("stock"), deadline);
    redis::CopiesByShard shards(redis::WaitRule::automatic());
    auto paid = co_await pay(client, shards, deadline);
    if (!paid.ok()) {
        co_return 1;
    }
    if (!nodes.ok() || !stocked.ok() || !counted.ok() || !again.ok() || !taken.ok() || !left.ok()) {
        co_return 1;
    }
    std::printf(
        "%zu nodes, %d order, stock %s, %d payment\n",
        nodes.value().size(),
        static_cast<int>(again.value()),
        left.value().value_or("none").c_str(),
        static_cast<int>(paid.value())
    );
    co_return again.value() == 1 && left.value() == "2" ? 0 : 1;
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
    auto done = hf::wait(*runtime.value(), sell(*client.value(), deadline));
    return done.ok() ? done.value() : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? argv[1] : "redis-sentinel://127.0.0.1:26379#orders");
}
