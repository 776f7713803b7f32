// The Redis driver beside hiredis and a bare socket: GET of 32 bytes, one server, loopback.

#include "counted.h"
#include "hiredis_callers.h"
#include "machine.h"
#include "program.h"
#include "redis_child.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/blocking_client.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/server.h>
#include <holdfast/redis/commands/strings.h>

#include <cstdio>
#include <functional>
#include <thread>
#include <utility>

namespace holdfast::bench {
namespace {

constexpr Duration call_time{30'000};
constexpr std::size_t key_count = 10'000;
constexpr std::size_t pipeline_size = 64;
constexpr const char* server_share = "server time of the peer's";

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

// The writes of one connection share the server's flushes.
Task<> writer(const World* world, Work* work) {
    Loop& loop = (co_await this_scope()).loop();
    const Deadline deadline = Deadline::in(call_time, loop.now());
    const std::string value(32, 'y');
    while (work->next < work->count) {
        const std::string& key = world->keys[work->next++ % key_count];
        auto done = co_await world->client->run(redis::set(key, value), deadline);
        if (!done.ok()) {
            fail("a write failed");
        }
    }
    co_return Done();
}

Task<Run> all_writers(const World* world, std::size_t callers, std::uint64_t count) {
    Work work{0, count};
    std::vector<Task<>> tasks;
    for (std::size_t i = 0; i < callers; ++i) {
        tasks.push_back(writer(world, &work));
    }
    const Counted counted;
    auto outcomes = co_await when_all(std::move(tasks));
    co_return counted.run(count);
}

// What the server's core spent, in seconds.
double server_seconds(const World& world) {
    auto info = world.client->wait(redis::info("cpu"), Deadline::in(call_time, system_clock()));
    double seconds = 0;
    for (const std::string_view name : {"used_cpu_sys", "used_cpu_user"}) {
        const auto value = info.ok() ? info.value().find(name) : std::nullopt;
        if (!value.has_value()) {
            fail("the server does not say what it spent");
        }
        seconds += std::stod(std::string(*value));
    }
    return seconds;
}

// As the other side: one that speaks the protocol alone and reads no answer.
Run redis_benchmark(
    std::uint16_t port, const std::string& test, int callers, int pipeline, std::uint64_t count
) {
    const std::string command = "redis-benchmark -p " + std::to_string(port) + " -t " + test +
                                " -c " + std::to_string(callers) + " -P " +
                                std::to_string(pipeline) + " -n " + std::to_string(count) +
                                " -r 10000 -d 32 --csv";
    std::FILE* output = ::popen(command.c_str(), "r");
    std::string last;
    char line[512];
    while (output != nullptr && std::fgets(line, sizeof line, output) != nullptr) {
        last = line;
    }
    if (output == nullptr || ::pclose(output) != 0) {
        fail("redis-benchmark failed: is it installed?");
    }
    const std::size_t comma = last.find("\",\"");  // "GET","412371.12",..
    Run run;
    run.operations = count;
    run.seconds = static_cast<double>(count) / std::stod(last.substr(comma + 3));
    return run;
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

void flushed_writes(Program& program, Runtime& runtime, const std::vector<std::string>& keys) {
    if (!program.wants("flushed 50")) {
        return;
    }
    const RedisChild server(RedisChild::Keeps::each_write);
    const std::uint16_t port = server.port();
    auto client = std::move(redis::open_redis(runtime, redis::RedisOptions().port(port))).value();
    const World world{keys, &runtime, client.get(), nullptr};
    program.run(Case("flushed 50")
                    .ours(
                        "client, one connection",
                        10'000,
                        [&](std::uint64_t n) {
                            return wait(runtime, all_writers(&world, 50, n)).value();
                        }
                    )
                    .peer(
                        "redis-benchmark -c 50",
                        10'000,
                        [&](std::uint64_t n) { return redis_benchmark(port, "set", 50, 1, n); }
                    )
                    .ratio_at_least(0.9));
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
    // A turn of the peer's goes before, so that there is something to compare with.
    double peer_spent = 0;
    const auto with_server = [&](std::uint64_t n, const std::function<Run()>& side) {
        const double before = server_seconds(world);
        Run run = side();
        return std::pair(run, (server_seconds(world) - before) / static_cast<double>(n));
    };
    const auto sixteen_sockets = [&](std::uint64_t n) {
        auto [run, spent] =
            with_server(n, [&] { return hiredis_threads(port, world.keys, 16, n); });
        peer_spent = spent;
        return run;
    };
    constexpr std::uint64_t threaded = 50'000;
    if (program.wants("blocking 16")) {
        (void)sixteen_sockets(threaded);
    }
    program.run(Case("blocking 16")
                    .ours(
                        "blocking client, one socket",
                        threaded,
                        [&](std::uint64_t n) {
                            auto [run, spent] =
                                with_server(n, [&] { return threads(world, 16, n); });
                            run.counters[server_share] = spent / peer_spent;
                            return run;
                        }
                    )
                    .peer("hiredis, 16 sockets", threaded, sixteen_sockets)
                    .ratio_at_least(1.3)
                    .counter_at_most(server_share, 0.5));
    program.run(Case("coroutines 1024")
                    .ours(
                        "client, views",
                        400'000,
                        [&](std::uint64_t n) {
                            return wait(*runtime, all_callers(&world, 1'024, n, true)).value();
                        }
                    )
                    .peer(
                        "redis-benchmark -c 50 -P 64",
                        400'000,
                        [&](std::uint64_t n) { return redis_benchmark(port, "get", 50, 64, n); }
                    )
                    .ratio_at_least(0.8));
    program.run(Case("floor 1")
                    .ours(
                        "blocking client",
                        10'000,
                        [&](std::uint64_t n) { return one_thread(world, n); }
                    )
                    .peer("bare socket", 10'000, [&](std::uint64_t n) {
                        return raw_blocking(port, world.keys, n);
                    }));
    flushed_writes(program, *runtime, world.keys);
    return program.finish();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    return holdfast::bench::run(argc, argv);
}
