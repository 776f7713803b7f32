// A read that client-side caching answers, beside the lookup in a hash table that it stands for.

#include "counted.h"
#include "machine.h"
#include "program.h"
#include "redis_child.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/tracked_reads.h>

#include <algorithm>
#include <functional>
#include <random>
#include <unordered_map>

namespace holdfast::bench {
namespace {

constexpr Duration call_time{30'000};
constexpr std::size_t value_bytes = 32;
constexpr std::size_t order_length = 1U << 16U;
constexpr std::uint64_t reads_a_turn = 4'000'000;

struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
        return std::hash<std::string_view>()(text);
    }
};
using Table = std::unordered_map<std::string, std::string, TextHash, std::equal_to<>>;

// Keys in the order in which they are read: any of them, as often as any other.
struct World {
    Runtime* runtime = nullptr;
    redis::TrackedReads* reads = nullptr;
    std::vector<std::string> order;
    Table table;
};

Task<Run> views(const World* world, std::uint64_t count) {
    Loop& loop = (co_await this_scope()).loop();
    const Deadline deadline = Deadline::in(call_time, loop.now());
    const Counted counted;
    for (std::uint64_t i = 0; i < count; ++i) {
        auto got = co_await world->reads->view(world->order[i % order_length], deadline);
        if (!got.ok() || got.value()->size() != value_bytes) {
            fail("a read failed");
        }
    }
    co_return counted.run(count);
}

Task<Run> copies(const World* world, std::uint64_t count) {
    Loop& loop = (co_await this_scope()).loop();
    const Deadline deadline = Deadline::in(call_time, loop.now());
    const Counted counted;
    for (std::uint64_t i = 0; i < count; ++i) {
        auto got = co_await world->reads->get(world->order[i % order_length], deadline);
        if (!got.ok() || got.value()->size() != value_bytes) {
            fail("a read failed");
        }
    }
    co_return counted.run(count);
}

Run lookups(const World& world, std::uint64_t count) {
    const Counted counted;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto found = world.table.find(std::string_view(world.order[i % order_length]));
        if (found == world.table.end() || found->second.size() != value_bytes) {
            fail("a key is not in the table");
        }
    }
    return counted.run(count);
}

Run copied_lookups(const World& world, std::uint64_t count) {
    const Counted counted;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto found = world.table.find(std::string_view(world.order[i % order_length]));
        const std::string copy = found->second;
        if (copy.size() != value_bytes) {
            fail("a key is not in the table");
        }
    }
    return counted.run(count);
}

// All keys are set, in the table and read once, so that each later read is a hit.
void prepare(World& world, redis::Client& client, std::size_t keys) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < keys; ++i) {
        const std::string digits = std::to_string(i);
        names.push_back("key:" + std::string(12 - digits.size(), '0') + digits);
        world.table[names.back()] = std::string(value_bytes, 'x');
        const Deadline deadline = Deadline::in(call_time, system_clock());
        if (!client.wait(redis::set(names.back(), world.table[names.back()]), deadline).ok()) {
            fail("the keys cannot be set");
        }
    }
    std::mt19937_64 random(1);
    world.order = names;
    std::shuffle(world.order.begin(), world.order.end(), random);
    while (world.order.size() < order_length) {
        world.order.push_back(names[random() % keys]);
    }
    (void)wait(*world.runtime, views(&world, order_length));
}

int run(int argc, char** argv) {
    Program program("redis_cache", read_options(argc, argv));
    const RedisChild server;
    auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
    auto client =
        std::move(redis::open_redis(*runtime, redis::RedisOptions().port(server.port()))).value();
    for (const std::size_t keys : {std::size_t{1'000}, std::size_t{50'000}}) {
        auto reads = std::move(redis::open_tracked_reads(*client, redis::TrackedOptions())).value();
        World world;
        world.runtime = runtime.get();
        world.reads = reads.get();
        prepare(world, *client, keys);
        const std::uint64_t misses = reads->counts().misses;
        // The bar: at most one and a half of the lookup.
        program.run(Case("hit of " + std::to_string(keys))
                        .ours(
                            "co_await reads.view()",
                            reads_a_turn,
                            [&](std::uint64_t n) {
                                return wait(*runtime, views(&world, n)).value();
                            }
                        )
                        .peer(
                            "unordered_map::find()",
                            reads_a_turn,
                            [&](std::uint64_t n) { return lookups(world, n); }
                        )
                        .ratio_at_least(1 / 1.5)
                        .counter_at_most(allocations_each, 0.001));
        program.run(Case("copied hit of " + std::to_string(keys))
                        .ours(
                            "co_await reads.get()",
                            reads_a_turn,
                            [&](std::uint64_t n) {
                                return wait(*runtime, copies(&world, n)).value();
                            }
                        )
                        .peer("find() and a copy", reads_a_turn, [&](std::uint64_t n) {
                            return copied_lookups(world, n);
                        }));
        if (reads->counts().misses != misses) {
            fail("not every read was a hit");
        }
    }
    return program.finish();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    return holdfast::bench::run(argc, argv);
}
