// Many commands in one write, each with its own answer; and commands that happen together or not at
// all, on a key that others change too.
// Usage: example [redis://127.0.0.1:6379]

#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/from_uri.h>
#include <holdfast/redis/read.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace hf = holdfast;
namespace redis = holdfast::redis;
using std::chrono_literals::operator""s;

namespace {

// begin batch
// Counts a visit. A batch is no transaction: an error of one command is that command's alone.
hf::Task<std::int64_t> count_visit(redis::Client& client, std::string page, hf::Deadline deadline) {
    redis::Batch batch;
    auto visits = batch.add(redis::incr("visits:" + page));
    batch.add(redis::sadd("pages", page));
    batch.add(redis::expire("visits:" + page, std::chrono::hours(24)));
    auto sent = co_await client.run(batch, deadline);
    if (!sent.ok()) {
        co_return std::move(sent).error();  // the answers that came before it are still in `batch`
    }
    co_return batch.get(visits);
}
// end batch

// begin transaction
// Takes one from the stock if there is one: watches it, reads it, and writes only if nobody else
// has. The answer: what is left; -1: nothing was there.
hf::Task<std::int64_t> take_one(redis::Client& client, std::string item, hf::Deadline deadline) {
    const std::string key = "stock:" + item;
    auto lease = client.lease((co_await hf::this_scope()).loop());  // a connection of our own
    if (!lease.ok()) {
        co_return std::move(lease).error();
    }
    for (int attempt = 0; attempt < 10; ++attempt) {
        auto watched = co_await lease.value().run(redis::watch(key), deadline);
        if (!watched.ok()) {
            co_return std::move(watched).error();
        }
        auto stock = co_await lease.value().run(redis::get(key).as(redis::read_integer), deadline);
        if (!stock.ok()) {
            co_return std::move(stock).error();
        }
        if (stock.value() <= 0) {
            co_return -1;
        }
        redis::Transaction transaction;
        auto left = transaction.add(redis::decr(key));
        auto end = co_await lease.value().run(transaction, deadline);
        if (!end.ok()) {
            co_return std::move(end).error();  // unknown: look before you take another
        }
        if (end.value() == redis::TransactionEnd::committed) {
            co_return transaction.get(left);
        }
    }
    co_return hf::Error(hf::Code::overloaded, hf::Effect::none, "too many take from this stock");
}
// end transaction

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
    auto visits = hf::wait(*runtime.value(), count_visit(*client.value(), "home", deadline));
    auto stocked = client.value()->wait(redis::set("stock:book", "3"), deadline);
    auto left = hf::wait(*runtime.value(), take_one(*client.value(), "book", deadline));
    if (!visits.ok() || !stocked.ok() || !left.ok()) {
        return 1;
    }
    std::printf(
        "visits %d, books left %d\n",
        static_cast<int>(visits.value()),
        static_cast<int>(left.value())
    );
    return left.value() == 2 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? argv[1] : "redis://127.0.0.1:6379");
}
