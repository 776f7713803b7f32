// Walks over all keys, scripts and transactions while slots of a real cluster move.
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/commands/server.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/commands/transactions.h>
#include <holdfast/redis/nodes.h>
#include <holdfast/redis/read.h>
#include <holdfast/redis/scan.h>
#include <holdfast/redis/script.h>
#include <holdfast/redis/transact.h>

#include <gtest/gtest.h>
#include <live/redis_cluster.h>

#include <set>

namespace holdfast::redis {
namespace {

using holdfast::testing::RedisCluster;
using holdfast::testing::RedisClusterOptions;
using holdfast::testing::SlotMigration;

class Deployment {
public:
    Deployment()
        : cluster(RedisClusterOptions().primaries(3).replicas(0)),
          runtime(std::move(open_runtime(RuntimeOptions().loops(1))).value()),
          client(std::move(open_redis(
                               *runtime,
                               RedisOptions().cluster({Endpoint{"127.0.0.1", cluster.ports()[0]}})
                           )
          ).value()) {}
    Deadline soon() const { return Deadline::in(Duration(20'000), runtime->clock()); }
    void fill(int keys) {
        Batch batch;
        for (int i = 0; i < keys; ++i) {
            all.insert("key" + std::to_string(i));
            (void)batch.add(set("key" + std::to_string(i), "v"));
        }
        struct Runs {
            static Task<> one(Client* client, Batch* batch, Deadline deadline) {
                co_return co_await client->run(*batch, deadline);
            }
        };
        ASSERT_TRUE(wait(*runtime, Runs::one(client.get(), &batch, soon())).ok());
    }
    // What a walk saw; `between` is called after each page.
    std::set<std::string> walk(const std::function<void(int page)>& between) {
        std::set<std::string> seen;
        auto scan = scan_keys(ScanOptions().count(20));
        for (int page = 0; !scan.done(); ++page) {
            auto keys = wait(*runtime, next_page(*client, scan, soon()));
            if (!keys.ok()) {
                ADD_FAILURE() << keys.error().what();
                break;
            }
            seen.insert(keys.value().begin(), keys.value().end());
            between(page);
        }
        return seen;
    }

    RedisCluster cluster;
    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<Client> client;
    std::set<std::string> all;
};

TEST(NodesLive, a_walk_sees_every_key_whichever_way_slots_move_meanwhile) {
    for (const auto& [from, to] : {std::pair(0U, 2U), std::pair(2U, 0U), std::pair(1U, 2U)}) {
        Deployment live;
        live.fill(1'000);
        auto slots = live.cluster.slots_of(from);
        slots.resize(300);
        SlotMigration migration = live.cluster.migration(from, to);
        const auto seen = live.walk([&](int page) {
            if (page == 3) {
                migration.move({slots.begin(), slots.begin() + 100});
            } else if (page == 20) {
                migration.move({slots.begin() + 100, slots.begin() + 200});
            } else if (page == 40) {
                migration.move({slots.begin() + 200, slots.end()});
            }
        });
        EXPECT_EQ(seen, live.all) << from << " to " << to;
    }
}

TEST(NodesLive, a_walk_sees_keys_that_were_between_two_nodes_when_it_came_by) {
    Deployment live;
    live.fill(1'000);
    // The nodes are walked from the last to the first: what goes back is looked for again.
    auto slots = live.cluster.slots_of(0);
    slots.resize(200);
    SlotMigration migration = live.cluster.migration(0, 2);
    int finished_at = -1;
    const auto seen = live.walk([&](int page) {
        if (page == 10) {
            for (const std::uint16_t slot : slots) {
                migration.begin(slot);
                (void)migration.move_keys(slot, 1);
            }
        } else if (page == 45) {
            for (const std::uint16_t slot : slots) {
                migration.finish(slot);
            }
            finished_at = page;
        }
    });
    EXPECT_GE(finished_at, 0) << "the walk was over before";
    EXPECT_EQ(seen, live.all);
}

TEST(NodesLive, a_script_runs_where_a_migration_sends_it) {
    Deployment live;
    const Script add("return redis.call('INCR', KEYS[1])");
    const std::string key = "counter";
    const auto from = live.cluster.owner_of(key);
    SlotMigration migration = live.cluster.migration(from, (from + 1) % 3);
    const auto call = [&] {
        return wait(
            *live.runtime, run_script(*live.client, add.call(key).as(read_integer), live.soon())
        );
    };
    EXPECT_EQ(call().value(), 1);
    migration.begin(testing::slot_of(key));
    (void)migration.move_keys(testing::slot_of(key), 10);
    const auto between = call();
    ASSERT_TRUE(between.ok()) << between.error().what();
    EXPECT_EQ(between.value(), 2);
    migration.finish(testing::slot_of(key));
    EXPECT_EQ(call().value(), 3);
}

Task<TransactionEnd> add_one(Lease& lease, Deadline deadline) {
    auto watched = co_await lease.run(watch("stock"), deadline);
    if (!watched.ok()) {
        co_return std::move(watched).error();
    }
    auto stock = co_await lease.run(get("stock").as(read_integer), deadline);
    if (!stock.ok()) {
        co_return std::move(stock).error();
    }
    Transaction transaction;
    (void)transaction.add(set("stock", std::to_string(stock.value() + 1)));
    co_return co_await lease.run(transaction, deadline);
}

TEST(NodesLive, a_transaction_goes_on_where_its_key_has_gone) {
    Deployment live;
    ASSERT_TRUE(live.client->wait(set("stock", "0"), live.soon()).ok());
    const auto add = [&] {
        const Deadline deadline = live.soon();
        return wait(
            *live.runtime,
            transact(
                live.client.get(),
                "stock",
                5,
                deadline,
                [&](Lease& on) { return add_one(on, deadline); }
            )
        );
    };
    ASSERT_EQ(add().value(), TransactionEnd::committed);
    const auto from = live.cluster.owner_of("stock");
    live.cluster.migration(from, (from + 1) % 3).move({testing::slot_of("stock")});
    const auto end = add();
    ASSERT_TRUE(end.ok()) << end.error().what();
    EXPECT_EQ(live.client->wait(get("stock"), live.soon()).value(), "2");
}

TEST(NodesLive, a_command_for_each_node_reaches_them_all) {
    Deployment live;
    live.fill(300);
    const auto sizes = wait(*live.runtime, run_on_each(live.client.get(), dbsize(), live.soon()));
    ASSERT_TRUE(sizes.ok());
    std::int64_t sum = 0;
    for (const auto& one : sizes.value()) {
        EXPECT_GT(one.outcome.value(), 0);
        sum += one.outcome.value();
    }
    EXPECT_EQ(sum, 300);
}

}  // namespace
}  // namespace holdfast::redis
