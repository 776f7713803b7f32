// The Redis driver beside hiredis and a bare socket: GET of 32 bytes, one server, loopback.

#include "counted.h"
#include "hiredis_callers.h"
#include "machine.h"
#include "program.h"
#include "redis_child.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/blocking_client.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/strings.h>

#include <thread>

namespace holdfast::bench {
namespace {

constexpr Duration call_time{30'000};
constexpr std::size_t key_count = 10'000;
constexpr std::size_t pipeline_size = 64;

struct World {
    std::vector<std::string> keys;
    Runtime* runtime;
    redis::Client* client;
    redis::BlockingClient* blocking;
};

struct Work {
    std::uint64_t next = 0;
    std::uint64_t count;
};

// The answer is copied into memory that the caller keeps.
Task<> reader_of_views(const World* world, Work* work) {
    Loop& loop = (co_await this_scope()).loop();
    const Deadline deadline = Deadline::in(call_time, loop.now());
    std::string value;
    while (work->next < work->count) {
        const std::string& key = world->keys[work->next++ % key_count];
        auto got = co_await world->client->run(redis::get(key).as(redis::read_view), deadline);
        if (!got.ok()) {
            fail("a call failed");
        }
        value.assign(got.value().text());
        if (value.size() != 32) {
            fail("another answer");
        }
    }
    co_return Done();
}

// The answer is a value of its own: a string of 32 bytes is one allocation.
Task<> reader_of_values(const World* world, Work* work) {
    Loop& loop = (co_await this_scope()).loop();
    const Deadline deadline = Deadline::in(call_time, loop.now());
    while (work->next < work->count) {
        const std::string& key = world->keys[work->next++ % key_count];
        auto got = co_await world->client->run(redis::get(key), deadline);
        if (!got.ok() || !got.value().has_value() || got.value()->size() != 32) {
            fail("a call failed");
        }
    }
    co_return Done();
}

Task<Run> all_callers(const World* world, std::size_t callers, std::uint64_t count, bool views) {
    Work work{0, count};
    std::vector<Task<>> tasks;
    for (std::size_t i = 0; i < callers; ++i) {
        tasks.push_back(views ? reader_of_views(world, &work) : reader_of_values(world, &work));
    }
    const Counted counted;
    auto outcomes = co_await when_all(std::move(tasks));
    co_return counted.run(count);
}

Task<Run> pipelines(const World* world, std::uint64_t count) {
    Loop& loop = (co_await this_scope()).loop();
    const Deadline deadline = Deadline::in(call_time, loop.now());
    redis::Batch batch;
    const Counted counted;
    for (std::uint64_t i = 0; i < count; i += pipeline_size) {
        batch.clear();
        for (std::size_t k = 0; k < pipeline_size; ++k) {
            batch.add_any(redis::get(world->keys[(i + k) % key_count]).any());
        }
        auto done = co_await world->client->run(batch, deadline);
        if (!done.ok() || batch.replies()[pipeline_size - 1].text().size() != 32) {
            fail("a pipeline failed");
        }
    }
    co_return counted.run(count);
}

Run one_thread(const World& world, std::uint64_t count) {
    const Counted counted;
    for (std::uint64_t i = 0; i < count; ++i) {
        const Deadline deadline = Deadline::in(call_time, system_clock());
        auto got = world.blocking->run(redis::get(world.keys[i % key_count]), deadline);
        if (!got.ok() || got.value()->size() != 32) {
            fail("a call failed");
        }
    }
    return counted.run(count);
}

Run threads(const World& world, std::size_t callers, std::uint64_t count) {
    const Counted counted;
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < callers; ++i) {
        all.emplace_back([&] { (void)one_thread(world, count / callers); });
    }
    for (std::thread& thread : all) {
        thread.join();
    }
    return counted.run(count / callers * callers);
}

// What users do with hiredis: a connection for each thread.
Run hiredis_threads(
    std::uint16_t port,
    const std::vector<std::string>& keys,
    std::size_t callers,
    std::uint64_t count
) {
    const Counted counted;
    std::vector<std::thread> all;
    for (std::size_t i = 0; i < callers; ++i) {
        all.emplace_back([&] { (void)hiredis_blocking(port, keys, count / callers); });
    }
    for (std::thread& thread : all) {
        thread.join();
    }
    return counted.run(count / callers * callers);
}

void load(const World& world) {
    const std::string value(32, 'x');
    for (const std::string& key : world.keys) {
        if (!world.client->wait(redis::set(key, value), Deadline::in(call_time, system_clock()))
                 .ok()) {
            fail("the keys cannot be set");
        }
    }
}

int run(int argc, char** argv) {
    Program program("redis", read_options(argc, argv));
    const RedisChild server;
    const std::uint16_t port = server.port();
    auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
    auto options = redis::RedisOptions().port(port).in_flight_max(2'000);
    auto client = std::move(redis::open_redis(*runtime, options)).value();
    auto blocking = std::move(redis::open_blocking_redis(options)).value();
    World world{{}, runtime.get(), client.get(), blocking.get()};
    for (std::size_t i = 0; i < key_count; ++i) {
        std::string digits = std::to_string(i);
        world.keys.push_back("key:" + std::string(12 - digits.size(), '0') + digits);
    }
    load(world);

    for (const std::size_t callers : {std::size_t{1}, std::size_t{64}, std::size_t{256}}) {
        const std::uint64_t count = callers == 1 ? 10'000 : 200'000;
        Case subject("coroutines " + std::to_string(callers));
        subject
            .ours(
                "client, views",
                count,
                [&, callers](std::uint64_t n) {
                    return wait(*runtime, all_callers(&world, callers, n, true)).value();
                }
            )
            .peer("hiredis async", count, [&, callers](std::uint64_t n) {
                return hiredis_async(port, world.keys, callers, n);
            });
        if (callers != 1) {
            subject.ratio_at_least(1.1).counter_at_most(allocations_each, 0.01);
        }
        program.run(std::move(subject));
    }
    program.run(Case("values 64")
                    .ours(
                        "client, values",
                        200'000,
                        [&](std::uint64_t n) {
                            return wait(*runtime, all_callers(&world, 64, n, false)).value();
                        }
                    )
                    .peer("hiredis async", 200'000, [&](std::uint64_t n) {
                        return hiredis_async(port, world.keys, 64, n);
                    }));
    program.run(Case("pipeline 64")
                    .ours(
                        "client, batch",
                        200'000,
                        [&](std::uint64_t n) {
                            return wait(*runtime, pipelines(&world, n)).value();
                        }
                    )
                    .peer(
                        "hiredis",
                        200'000,
                        [&](std::uint64_t n) {
                            return hiredis_pipeline(port, world.keys, pipeline_size, n);
                        }
                    )
                    .ratio_at_least(1.2));
    program.run(
        Case("blocking 1")
            .ours("blocking client", 10'000, [&](std::uint64_t n) { return one_thread(world, n); })
            .peer(
                "hiredis",
                10'000,
                [&](std::uint64_t n) { return hiredis_blocking(port, world.keys, n); }
            )
            .ratio_at_least(0.97)
    );
    program.run(Case("blocking 16")
                    .ours(
                        "blocking client, one socket",
                        50'000,
                        [&](std::uint64_t n) { return threads(world, 16, n); }
                    )
                    .peer("hiredis, 16 sockets", 50'000, [&](std::uint64_t n) {
                        return hiredis_threads(port, world.keys, 16, n);
                    }));
    program.run(Case("floor 1")
                    .ours(
                        "blocking client",
                        10'000,
                        [&](std::uint64_t n) { return one_thread(world, n); }
                    )
                    .peer("bare socket", 10'000, [&](std::uint64_t n) {
                        return raw_blocking(port, world.keys, n);
                    }));
    return program.finish();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    return holdfast::bench::run(argc, argv);
}
