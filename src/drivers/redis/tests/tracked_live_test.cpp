// Tracked reads against servers of their own: what a scripted server cannot prove.
#include "fault_from_environment.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/commands/hashes.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/tracked_reads.h>

#include <gtest/gtest.h>
#include <live/redis_server.h>

#include <atomic>
#include <random>
#include <thread>

namespace holdfast::redis {
namespace {

using holdfast::testing::eventually;
using holdfast::testing::RawRedis;
using holdfast::testing::RedisServer;
using holdfast::testing::RedisServerOptions;

Deadline in(int ms) {
    return Deadline::in(Duration(ms), system_clock());
}

Task<std::string> getting(TrackedReads* reads, std::string key, int ms = 5'000) {
    auto got = co_await reads->get(key, in(ms));
    if (!got.ok()) {
        co_return std::string(name_of(got.error().code()));
    }
    co_return got.value().value_or("-");
}

struct TrackedLive {
    explicit TrackedLive(
        const RedisServer& server, const TrackedOptions& options = {}, std::size_t loops = 1
    )
        : runtime(std::move(open_runtime(RuntimeOptions().loops(loops))).value()),
          client(std::move(open_redis(*runtime, RedisOptions().port(server.port()))).value()),
          reads(std::move(open_tracked_reads(*client, options)).value()) {}
    std::string get(std::string key, int ms = 5'000) {
        return wait(*runtime, getting(reads.get(), std::move(key), ms)).value();
    }
    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<Client> client;
    std::unique_ptr<TrackedReads> reads;
};

void changes_are_heard(const TrackedOptions& options, const std::string& key) {
    const RedisServer server(RedisServerOptions().memory_only());
    RawRedis raw = server.raw();
    TrackedLive live(server, options);
    EXPECT_EQ(live.get(key), "-");
    for (const char* value : {"one", "two", "three"}) {
        raw.call({"SET", key, value});
        EXPECT_TRUE(eventually([&] { return live.get(key) == value; })) << value;
        const std::uint64_t misses = live.reads->counts().misses;
        EXPECT_EQ(live.get(key), value);
        EXPECT_EQ(live.reads->counts().misses, misses);
    }
    raw.call({"DEL", key});
    EXPECT_TRUE(eventually([&] { return live.get(key) == "-"; }));
    raw.call({"SET", key, "again", "PX", "50"});  // and its end is a change too
    EXPECT_TRUE(eventually([&] { return live.get(key) == "again"; }));
    EXPECT_TRUE(eventually([&] { return live.get(key) == "-"; }));
    raw.call({"SET", key, "four"});
    EXPECT_TRUE(eventually([&] { return live.get(key) == "four"; }));
    raw.call({"FLUSHALL"});
    EXPECT_TRUE(eventually([&] { return live.get(key) == "-"; }));
    EXPECT_GE(live.reads->counts().flushes, 1U);
}

TEST(TrackedLive, changes_of_others_are_heard) {
    changes_are_heard(TrackedOptions(), "k");
}

TEST(TrackedLive, changes_of_others_are_heard_by_prefix) {
    changes_are_heard(TrackedOptions().prefix("user:"), "user:7");
}

TEST(TrackedLive, a_dead_server_answers_nothing_and_its_successor_what_it_has) {
    RedisServer server(RedisServerOptions().memory_only());
    server.raw().call({"SET", "k", "of the dead"});
    TrackedLive live(server);
    EXPECT_EQ(live.get("k"), "of the dead");
    server.kill();
    EXPECT_TRUE(eventually([&] { return live.reads->counts().flushes == 1; }));
    EXPECT_NE(live.get("k", 100), "of the dead");
    server.start();
    EXPECT_TRUE(eventually([&] { return live.get("k") == "-"; }));
    server.raw().call({"SET", "k", "new"});
    EXPECT_TRUE(eventually([&] { return live.get("k") == "new"; }));
}

TEST(TrackedLive, a_killed_connection_is_a_loss_too) {
    const RedisServer server(RedisServerOptions().memory_only());
    RawRedis raw = server.raw();
    TrackedLive live(server);
    for (int round = 0; round < 20; ++round) {
        const std::string value = std::to_string(round);
        raw.call({"SET", "k", value});
        ASSERT_TRUE(eventually([&] { return live.get("k") == value; })) << round;
        // One transaction: nobody can be told of the change.
        raw.call({"MULTI"});
        raw.call({"CLIENT", "KILL", "TYPE", "NORMAL"});
        raw.call({"SET", "k", value + "+"});
        raw.call({"EXEC"});
        ASSERT_TRUE(eventually([&] { return live.get("k") == value + "+"; })) << round;
    }
}

struct Race {
    TrackedReads* reads = nullptr;
    std::atomic<bool> over{false};
    std::atomic<int> backwards{0};
    std::atomic<std::uint64_t> read{0};
};

std::string race_key(std::size_t number) {
    return "race-" + std::to_string(number);
}

// A value, once read from the server or from here, is followed by no older one on the same loop.
Task<> racing(Race* race, std::size_t seed) {
    std::mt19937_64 random(seed);
    std::array<int, 8> last{};
    while (!race->over) {
        const std::size_t number = random() % last.size();
        auto got = co_await race->reads->get(race_key(number), in(20'000));
        if (!got.ok()) {
            co_return std::move(got).error();
        }
        const int value = std::stoi(got.value().value_or("0"));
        race->backwards += value < last.at(number) ? 1 : 0;
        last.at(number) = value;
        if (++race->read % 16 == 0) {
            co_await yield();
        }
    }
    co_return Done();
}

Task<> race_of(Race* race, std::size_t callers) {
    std::vector<Task<>> all;
    for (std::size_t i = 0; i < callers; ++i) {
        all.push_back(racing(race, i + 1));
    }
    auto ended = co_await when_all(std::move(all));
    for (auto& one : ended.value()) {
        if (!one.ok()) {
            co_return std::move(one).error();
        }
    }
    co_return Done();
}

TEST(TrackedLive, callers_see_no_value_go_back_and_all_end_with_the_last) {
    for (const bool broadcast : {false, true}) {
        const RedisServer server(RedisServerOptions().memory_only());
        TrackedLive live(server, broadcast ? TrackedOptions().prefix("race-") : TrackedOptions());
        Race race;
        race.reads = live.reads.get();
        auto ended = start(*live.runtime, race_of(&race, 64));
        RawRedis raw = server.raw();
        std::mt19937_64 random(7);
        std::array<int, 8> last{};
        for (int i = 1; i <= 3'000; ++i) {
            const std::size_t number = random() % last.size();
            raw.call({"SET", race_key(number), std::to_string(i)});
            last.at(number) = i;
        }
        race.over = true;
        EXPECT_TRUE(ended.get().ok());
        EXPECT_EQ(race.backwards, 0);
        const TrackedCounts counts = live.reads->counts();
        EXPECT_GT(counts.hits, 0U);
        EXPECT_GT(counts.invalidations, 0U);
        for (std::size_t number = 0; number < last.size(); ++number) {
            EXPECT_TRUE(eventually([&] {
                return live.get(race_key(number)) == std::to_string(last.at(number));
            })) << number;
            // What was heard stays heard.
            EXPECT_EQ(live.get(race_key(number)), std::to_string(last.at(number)));
        }
    }
}

// The writer waits until its change was heard of (a hit of the old value ends): from then on
// nobody of that loop reads an older one, also while reads and changes cross.
TEST(TrackedLive, a_change_that_was_heard_of_is_never_followed_by_the_value_before_it) {
    const RedisServer server(RedisServerOptions().memory_only());
    TrackedLive live(server);
    RawRedis raw = server.raw();
    for (int i = 0; i < 500; ++i) {
        const std::string value = std::to_string(i);
        const std::uint64_t before = live.reads->counts().invalidations;
        (void)live.get("k");  // so that the server has something to say
        raw.call({"SET", "k", value});
        ASSERT_TRUE(eventually([&] { return live.reads->counts().invalidations > before; }));
        ASSERT_EQ(live.get("k"), value);
        ASSERT_EQ(live.get("k"), value);
    }
}

// begin reads
// Three ways to read; a second call asks nobody until the key is changed.
Task<std::string> describe(TrackedReads& reads, std::string user, Deadline deadline) {
    auto name = co_await reads.get(user + ":name", deadline);     // Result<optional<string>>
    auto fields = co_await reads.run(hgetall(user), deadline);    // any read of one key
    auto motto = co_await reads.view(user + ":motto", deadline);  // no copy, until the next await
    if (!name.ok() || !fields.ok() || !motto.ok()) {
        co_return Error(Code::unreachable, Effect::none, "one of them was not read");
    }
    co_return name.value().value_or("nobody") + ", " + std::to_string(fields.value().size()) +
        " fields: " + std::string(motto.value().value_or("none"));
}
// end reads

TEST(TrackedLive, the_ways_to_read_on_the_page_work) {
    const RedisServer server(RedisServerOptions().memory_only());
    RawRedis raw = server.raw();
    TrackedLive live(server);
    const auto text = [&] {
        return wait(*live.runtime, describe(*live.reads, "user:7", in(5'000))).value();
    };
    EXPECT_EQ(text(), "nobody, 0 fields: none");
    raw.call({"SET", "user:7:name", "Ada"});
    raw.call({"HSET", "user:7", "born", "1815", "died", "1852"});
    raw.call({"SET", "user:7:motto", "weave"});
    EXPECT_TRUE(eventually([&] { return text() == "Ada, 2 fields: weave"; }));
    const std::uint64_t misses = live.reads->counts().misses;
    EXPECT_EQ(text(), "Ada, 2 fields: weave");
    EXPECT_EQ(live.reads->counts().misses, misses);
}

TEST(TrackedLive, each_loop_hears_for_itself) {
    const RedisServer server(RedisServerOptions().memory_only());
    TrackedLive live(server, TrackedOptions(), 2);
    RawRedis raw = server.raw();
    for (const char* value : {"one", "two"}) {
        raw.call({"SET", "k", value});
        for (std::size_t loop = 0; loop < 2; ++loop) {
            EXPECT_TRUE(eventually([&] {
                return wait(*live.runtime, live.runtime->loop(loop), getting(live.reads.get(), "k"))
                           .value() == value;
            }));
        }
    }
    EXPECT_EQ(live.reads->counts().invalidations, 2U);
}

}  // namespace
}  // namespace holdfast::redis
