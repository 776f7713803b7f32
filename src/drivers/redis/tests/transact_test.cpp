// Transactions that depend on what they read.
#include "client_bench.h"

#include <holdfast/redis/transact.h>

namespace holdfast::redis {
namespace {

Task<TransactionEnd> take_one(Lease& lease, Deadline deadline) {
    Command<Done> watch(
        std::move(AnyCommand("WATCH").add_key("stock").set_lane(Lane::lease)), read_ok
    );
    auto watched = co_await lease.run(std::move(watch), deadline);
    if (!watched.ok()) {
        co_return std::move(watched).error();
    }
    auto left = co_await lease.run(get_of("stock").as(read_integer), deadline);
    if (!left.ok()) {
        co_return std::move(left).error();
    }
    Transaction transaction;
    transaction.add(set_of("stock", std::to_string(left.value() - 1)));
    co_return co_await lease.run(transaction, deadline);
}

struct Shop : Bench {
    explicit Shop(int lost_races) : races(lost_races) {
        server.values["stock"] = "7";
        server.script = [this](const ServerWords& words) -> ServerAnswer {
            if (words[0] == "EXEC") {
                return {races-- > 0 ? "_\r\n" : "*1\r\n+OK\r\n"};
            }
            return server.usual(words);
        };
    }
    Result<TransactionEnd> sell(Client& seller, int attempts) {
        const Deadline deadline = in(10'000);
        return wait(transact(&seller, attempts, deadline, [deadline](Lease& lease) {
            return take_one(lease, deadline);
        }));
    }
    int races;
};

TEST(Transact, a_lost_race_is_run_again_from_its_beginning) {
    Shop shop(2);
    Client& client = shop.open();
    EXPECT_EQ(shop.sell(client, 5).value(), TransactionEnd::committed);
    EXPECT_EQ(shop.server.count("WATCH"), 3U);
    EXPECT_EQ(shop.server.count("GET"), 3U);
    EXPECT_EQ(shop.server.count("UNWATCH"), 0U);
    EXPECT_EQ(shop.server.connections, 1);
}

TEST(Transact, attempts_are_bounded) {
    Shop shop(100);
    Client& client = shop.open();
    EXPECT_EQ(shop.sell(client, 3).value(), TransactionEnd::aborted);
    EXPECT_EQ(shop.server.count("EXEC"), 3U);
}

TEST(Transact, an_error_is_not_tried_again) {
    Shop shop(0);
    Client& client = shop.open();
    shop.server.values["stock"] = "many";
    EXPECT_EQ(shop.sell(client, 3).error().code(), Code::corrupt);
    EXPECT_EQ(shop.server.count("WATCH"), 1U);
    shop.pass(100);
    EXPECT_EQ(shop.server.count("UNWATCH"), 1U);
}

}  // namespace
}  // namespace holdfast::redis
