// Faults of other clients, in virtual time. The numbers are those of the list in
// tests/faults/README.md; more of them stand where the promise is tested: `grep -r fault_`.

#include "fault_from_environment.h"
#include "read_buffer.h"
#include "scripted_server.h"

#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/script.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

class VirtualScene {
public:
    explicit VirtualScene(RedisOptions options = RedisOptions())
        : runtime(open_virtual_runtime(VirtualOptions())), server(*runtime),
          client(std::move(open_redis(*runtime, options.port(server.port()))).value()) {}
    ~VirtualScene() {
        client.reset();
        server.down();
        runtime->run(runtime->now() + Duration(20'000));
    }
    Deadline in(int ms) const { return Deadline::in(Duration(ms), runtime->clock()); }
    void pass(int ms) { runtime->run(runtime->now() + Duration(ms)); }

    std::unique_ptr<VirtualRuntime> runtime;
    ScriptedServer server;
    std::unique_ptr<Client> client;
};

Task<> borrowing(Client* client, Deadline deadline) {
    auto lease = client->lease((co_await this_scope()).loop());
    if (!lease.ok()) {
        co_return std::move(lease).error();
    }
    auto watched = co_await lease.value().run(watch("key"), deadline);
    auto value = co_await lease.value().run(get("key"), deadline);
    Transaction transaction;
    transaction.add(set("key", "next"));
    (void)co_await lease.value().run(transaction, deadline);
    co_return Done();
}

Task<> losing_a_lease(VirtualScene* scene) {
    auto lease = scene->client->lease((co_await this_scope()).loop());
    auto watched = co_await lease.value().run(watch("key"), scene->in(1'000));
    EXPECT_TRUE(watched.ok());
    scene->server.break_connections();
    (void)co_await sleep(scene->runtime->now() + Duration(100));
    auto after = co_await lease.value().run(get("key"), scene->in(1'000));
    EXPECT_FALSE(after.ok());
    if (!after.ok()) {
        EXPECT_EQ(after.error().code(), Code::unreachable);
        EXPECT_EQ(after.error().effect(), Effect::none);
    }
    co_return Done();
}

TEST(RedisFaults, a_lease_whose_connection_was_lost_says_so) {
    VirtualScene scene;
    EXPECT_TRUE(wait(*scene.runtime, losing_a_lease(&scene)).ok());
}

Task<int> leases_to_be_had(Client* client) {
    Loop& loop = (co_await this_scope()).loop();
    std::vector<Lease> held;
    for (;;) {
        auto lease = client->lease(loop);
        if (!lease.ok()) {
            co_return static_cast<int>(held.size());
        }
        held.push_back(std::move(lease).value());
    }
}

// redis-py: a cancel during the UNWATCH never gives the connection back.
TEST(RedisFaults, fault_12_a_lease_that_is_cancelled_at_any_step_is_given_back) {
    VirtualScene scene(RedisOptions().leases_max(3));
    scene.server.values["key"] = "first";
    for (int steps = 0; steps < 60; ++steps) {
        const Stop stop;
        bool ended = false;
        spawn(
            scene.runtime->loop(0),
            borrowing(scene.client.get(), scene.in(10'000)),
            [&](Result<Done>) { ended = true; },
            &stop
        );
        for (int i = 0; i < steps && !ended; ++i) {
            scene.runtime->step(scene.runtime->now() + Duration(1'000));
        }
        stop.request();
        scene.pass(20'000);
        ASSERT_TRUE(ended) << steps;
        auto free = wait(*scene.runtime, leases_to_be_had(scene.client.get()));
        ASSERT_EQ(free.value(), 3) << steps;
        scene.pass(1'000);
    }
}

// valkey-glide: a whole core is busy when a blocking command's connection ends, or when what it
// waited for comes after the end.
TEST(RedisFaults, fault_20_a_blocking_command_whose_connection_ends_costs_no_turns) {
    VirtualScene scene;
    bool answers = false;
    scene.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words[0] == "BLPOP") {
            return {answers ? "*2\r\n$1\r\nl\r\n$1\r\nv\r\n" : "", true, Duration(1'000)};
        }
        return scene.server.usual(words);
    };
    const auto pop = [&](std::optional<Code>& code) {
        const Deadline deadline = scene.in(90'000);
        scene.client->spawn(blpop("l", Duration(60'000)), deadline, [&](auto popped) {
            code = popped.ok() ? Code::internal : popped.error().code();
        });
    };
    std::optional<Code> lost;
    pop(lost);
    scene.pass(3'000);
    EXPECT_EQ(lost, Code::unreachable);
    std::uint64_t before = scene.runtime->steps();
    scene.pass(20'000);
    EXPECT_LT(scene.runtime->steps() - before, 100U);

    answers = true;
    std::optional<Code> closed;
    pop(closed);
    scene.pass(500);
    scene.client.reset();
    scene.pass(3'000);
    EXPECT_EQ(closed, Code::closed);
    before = scene.runtime->steps();
    scene.pass(20'000);
    EXPECT_LT(scene.runtime->steps() - before, 100U);
}

// StackExchange.Redis: one huge reply makes all behind it late.
TEST(RedisFaults, fault_49_a_large_reply_keeps_no_small_one_waiting) {
    bool large = false;
    VirtualScene scene;
    scene.server.values["small"] = "s";
    scene.server.script = [&](const ServerWords& words) -> ServerAnswer {
        if (words.size() == 2 && words[1] == "large") {
            return {bulk_reply(std::string(10'000, 'l')), false, Duration(1'000)};
        }
        return scene.server.usual(words);
    };
    scene.client->spawn(get("large").bulky(), scene.in(60'000), [&](auto value) {
        large = value.ok() && value.value()->size() == 10'000;
    });
    scene.pass(100);
    for (int i = 0; i < 10; ++i) {
        auto small = wait(*scene.runtime, scene.client->task(get("small"), scene.in(400)));
        ASSERT_TRUE(small.ok());
    }
    EXPECT_FALSE(large);
    scene.pass(50'000);
    EXPECT_TRUE(large);
}

// Boost.Redis: reads of 4 KiB.
TEST(RedisFaults, F8_every_read_offers_room_for_a_thousand_replies) {
    ReadBuffer buffer;
    for (int i = 0; i < 100; ++i) {
        ASSERT_GE(buffer.space().size(), std::size_t{64} * 1'024);
        buffer.received(40'000);
        buffer.parsed(30'000);
    }
}

// g++ 12 destroys an aggregate twice that is made in a co_await expression: what our verbs take by
// value is none.
template <class... Types>
constexpr bool none_is_an_aggregate = (!std::is_aggregate_v<Types> && ...);

static_assert(none_is_an_aggregate<
              RedisOptions,
              Credentials,
              AnyCommand,
              Command<Done>,
              Batch,
              Transaction,
              Script,
              SetOptions,
              GetexOptions,
              ScanOptions,
              HelloOptions,
              XaddOptions,
              XreadOptions,
              StreamTrim,
              Words,
              WordPairs,
              KeysAt,
              Deadline>);

Task<> one_expression_each(Client* client, Deadline deadline) {
    auto set_once = co_await client->run(
        set("a key that is on the heap, not inside its string",
            std::string(100, 'v'),
            SetOptions().expire_in(Duration(60'000))),
        deadline
    );
    auto count = co_await client->run(
        eval("return 1", words("a key that is on the heap", "and another one of them")), deadline
    );
    co_return Done();
}

TEST(RedisFaults, F11_temporaries_in_a_co_await_are_destroyed_once) {
    VirtualScene scene;
    EXPECT_TRUE(wait(*scene.runtime, one_expression_each(scene.client.get(), scene.in(1'000))).ok()
    );
    EXPECT_EQ(scene.server.count("SET"), 1U);
}

}  // namespace
}  // namespace holdfast::redis
