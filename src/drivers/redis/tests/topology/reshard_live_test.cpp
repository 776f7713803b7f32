// A thousand slots that move while they are used.
#include "tests/faults_scene.h"

#include <live/redis_cluster.h>

#include <array>
#include <cstdio>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace holdfast::redis {
namespace {

using holdfast::testing::RedisCluster;
using holdfast::testing::RedisClusterOptions;

constexpr int callers_count = 32;
constexpr std::size_t moved_count = 1'000;
constexpr std::size_t keys_each = 40;
constexpr Duration call_time{20'000};

class Seen {
public:
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> foreign = 0;
    std::atomic<std::uint64_t> wrong_counts = 0;  // an increment that was lost or ran twice
    std::atomic<std::uint64_t> errors = 0;

    void failed(const Error& error) {
        ++errors;
        const std::lock_guard lock(mutex_);
        first_.insert(std::string(error.what()));
    }
    std::string which() const {
        const std::lock_guard lock(mutex_);
        std::string all;
        for (const std::string& one : first_) {
            all += one + "\n";
        }
        return all;
    }

private:
    mutable std::mutex mutex_;
    std::set<std::string> first_;
};

// Counts in keys that nobody else has, each answer is known before; and values with their names.
class Mover {
public:
    Mover(Client& client, int number, std::vector<std::string> tags, Seen& seen)
        : client_(&client), seen_(&seen), name_("c" + std::to_string(number)),
          tags_(std::move(tags)), counts_(keys_each), random_(static_cast<unsigned>(number)) {}

    Task<> run(const std::atomic<bool>* ending) {
        Loop& loop = (co_await this_scope()).loop();
        while (!*ending) {
            const Deadline deadline = Deadline::in(call_time, loop.now());
            switch (draw(5)) {
            case 0:
            case 1:
                (void)co_await count(deadline);
                break;
            case 2:
                (void)co_await write_and_read(deadline);
                break;
            case 3:
                (void)co_await many(deadline);
                break;
            default:
                (void)co_await batch(deadline);
            }
        }
        co_return Done();
    }
    std::string counter(std::size_t i) const { return key("n", i); }
    std::int64_t counted(std::size_t i) const { return counts_[i]; }

private:
    std::size_t draw(std::size_t below) { return random_() % below; }
    std::string key(const char* kind, std::size_t i) const {
        return "{" + tags_[i % tags_.size()] + "}" + kind + name_ + ":" + std::to_string(i);
    }
    template <class T>
    bool good(const Result<T>& outcome) {
        ++seen_->calls;
        if (!outcome.ok()) {
            seen_->failed(outcome.error());
        }
        return outcome.ok();
    }
    void own(const std::string& key, const std::optional<std::string>& value) {
        seen_->foreign += value.has_value() && !value->starts_with(key + "=") ? 1U : 0U;
    }
    Task<> count(Deadline deadline) {
        const std::size_t i = draw(keys_each);
        auto value = co_await client_->run(incr(counter(i)), deadline);
        if (good(value)) {
            seen_->wrong_counts += value.value() == ++counts_[i] ? 0U : 1U;
        }
        co_return Done();
    }
    Task<> write_and_read(Deadline deadline) {
        const std::string at = key("v", draw(keys_each));
        auto written = co_await client_->run(set(at, at + "=" + std::to_string(draw(9))), deadline);
        (void)good(written);
        auto value = co_await client_->run(get(at), deadline);
        if (good(value)) {
            own(at, value.value());
            seen_->foreign += value.value().has_value() ? 0U : 1U;
        }
        co_return Done();
    }
    // Split by slot; the keys of one slot may be at two nodes while it moves.
    Task<> many(Deadline deadline) {
        std::vector<std::string> keys;
        for (int i = 0; i < 12; ++i) {
            keys.push_back(key("v", draw(keys_each)));
        }
        auto values = co_await client_->run(mget(keys), deadline);
        if (good(values)) {
            for (std::size_t i = 0; i < keys.size(); ++i) {
                own(keys[i], values.value()[i]);
            }
        }
        co_return Done();
    }
    Task<> batch(Deadline deadline) {
        Batch batch;
        std::vector<std::pair<std::size_t, Slot<std::int64_t>>> counts;
        std::vector<std::pair<std::string, Slot<std::optional<std::string>>>> values;
        for (int i = 0; i < 10; ++i) {
            const std::size_t number = draw(keys_each);
            if (i % 2 == 0) {
                counts.emplace_back(number, batch.add(incr(counter(number))));
            } else {
                const std::string at = key("v", number);
                values.emplace_back(at, batch.add(get(at)));
            }
        }
        auto done = co_await client_->run(batch, deadline);
        if (good(done)) {
            // Several of one key may go different ways when it moves: their order is not told.
            for (const auto& [number, slot] : counts) {
                const auto value = batch.get(slot);
                seen_->wrong_counts += value.ok() ? 0U : 1U;
                ++counts_[number];
            }
            for (const auto& [at, slot] : values) {
                own(at, batch.get(slot).value());
            }
        }
        co_return Done();
    }

    Client* client_;
    Seen* seen_;
    std::string name_;
    std::vector<std::string> tags_;
    std::vector<std::int64_t> counts_;
    std::mt19937 random_;
};

// Of the slots that move and, as many, of those that stay.
std::vector<std::string> tags_in(const std::vector<std::uint16_t>& moving) {
    std::vector<bool> moves(holdfast::testing::cluster_slots);
    for (const std::uint16_t slot : moving) {
        moves[slot] = true;
    }
    std::array<std::vector<std::string>, 2> found;
    for (int i = 0; found[0].size() < keys_each / 2 || found[1].size() < keys_each / 2; ++i) {
        std::string tag = "t" + std::to_string(i);
        auto& kind = found[moves[holdfast::testing::slot_of(tag)] ? 0 : 1];
        if (kind.size() < keys_each / 2) {
            kind.push_back(std::move(tag));
        }
    }
    std::vector<std::string> all = found[0];
    all.insert(all.end(), found[1].begin(), found[1].end());
    return all;
}

std::string counter_in(const RedisCluster& cluster, const std::string& key) {
    RawRedis redis = cluster.node(cluster.owner_of(key)).raw();
    return redis.call({"GET", key}).text;
}

TEST(Resharding, a_thousand_slots_move_under_load_without_an_error_or_a_lost_count) {
    RedisCluster cluster(RedisClusterOptions().replicas(0).servers(RedisServerOptions().memory_only(
    )));
    std::vector<std::uint16_t> slots = cluster.slots_of(0);
    slots.resize(moved_count);
    const std::vector<std::string> tags = tags_in(slots);

    auto runtime = std::move(open_runtime(RuntimeOptions().loops(2))).value();
    RedisOptions options;
    options.cluster({{"127.0.0.1", cluster.node(0).port()}});
    auto client = std::move(open_redis(*runtime, std::move(options))).value();
    Seen seen;
    std::atomic<bool> ending = false;
    std::atomic<int> running = callers_count;
    std::vector<std::unique_ptr<Mover>> movers;
    for (int i = 0; i < callers_count; ++i) {
        movers.push_back(std::make_unique<Mover>(*client, i, tags, seen));
        spawn(
            runtime->loop(static_cast<std::size_t>(i) % 2),
            movers.back()->run(&ending),
            [&running](Result<Done>) { --running; }
        );
    }
    ASSERT_TRUE(eventually([&] { return seen.calls > 1'000; }));
    const std::uint64_t before = seen.calls;
    std::string trouble;
    std::size_t moved = 0;
    std::thread moves([&] {
        try {
            cluster.migration(0, 1).move(slots, [&moved](std::uint16_t) { ++moved; });
        } catch (const std::exception& failure) {
            trouble = failure.what();
        }
    });
    moves.join();
    const std::uint64_t during = seen.calls - before;
    ASSERT_TRUE(eventually([&] { return seen.calls > before + during + 500; }));
    ending = true;
    EXPECT_TRUE(eventually([&] { return running == 0; })) << running << " callers hang";

    std::printf(
        "reshard: %zu slots moved; %llu calls meanwhile, %llu errors, %llu foreign values\n",
        moved,
        static_cast<unsigned long long>(during),
        static_cast<unsigned long long>(seen.errors),
        static_cast<unsigned long long>(seen.foreign)
    );
    EXPECT_EQ(trouble, "");
    EXPECT_EQ(moved, moved_count);
    EXPECT_GT(during, 0U);
    EXPECT_EQ(seen.errors, 0U) << seen.which();
    EXPECT_EQ(seen.foreign, 0U);
    EXPECT_EQ(seen.wrong_counts, 0U);
    for (const auto& mover : movers) {
        for (std::size_t i = 0; i < keys_each; ++i) {
            if (mover->counted(i) != 0) {
                EXPECT_EQ(counter_in(cluster, mover->counter(i)), std::to_string(mover->counted(i)))
                    << mover->counter(i);
            }
        }
    }
}

}  // namespace
}  // namespace holdfast::redis
