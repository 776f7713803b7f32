// The Redis client before a cluster of six nodes: what a call costs beside one server, and what
// callers see of a failover.

#include "counted.h"
#include "machine.h"
#include "program.h"
#include "redis_child.h"
#include "redis_cluster_child.h"

#include <holdfast/io/compose.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands/strings.h>

#include <poll.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <mutex>

namespace holdfast::bench {
namespace {

constexpr Duration call_time{30'000};
constexpr std::size_t key_count = 10'000;
constexpr std::size_t callers = 256;
constexpr std::uint64_t calls_a_turn = 1'000'000;

constexpr const char* first_success = "first success ms after promotion";
constexpr const char* outage = "outage ms";
constexpr const char* healthy = "healthy shards %";

double processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// The part of it that the kernel spends for us.
double system_seconds() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_stime.tv_usec) / 1e6;
}

struct World {
    std::vector<std::string> keys;
    Runtime* runtime;
    redis::Client* client;
};

struct Work {
    std::uint64_t next = 0;
    std::uint64_t count;
};

Task<> reader(const World* world, Work* work) {
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

// Its seconds are those of the client's processor: the rate is that of a core of the client.
Task<Run> all_callers(const World* world, std::uint64_t count) {
    Work work{0, count};
    std::vector<Task<>> tasks;
    for (std::size_t i = 0; i < callers; ++i) {
        tasks.push_back(reader(world, &work));
    }
    const Counted counted;
    const double before = processor_seconds();
    const double system_before = system_seconds();
    auto outcomes = co_await when_all(std::move(tasks));
    const double spent = processor_seconds() - before;
    const double in_kernel = system_seconds() - system_before;
    Run run = counted.run(count);
    run.counters["calls a second"] = run.rate();
    run.counters["of them in the kernel, ns each"] = in_kernel / static_cast<double>(count) * 1e9;
    run.seconds = spent;
    co_return run;
}

void load(const World& world) {
    const std::string value(32, 'x');
    for (const std::string& key : world.keys) {
        const Deadline deadline = Deadline::in(call_time, system_clock());
        if (!world.client->wait(redis::set(key, value), deadline).ok()) {
            fail("the keys cannot be set");
        }
    }
}

// Callers of the three shards in equal number, each with a pause: no processor is the limit.
class Failover {
public:
    explicit Failover(RedisClusterChild& cluster, Runtime& runtime, redis::Client& client)
        : cluster_(&cluster), runtime_(&runtime), client_(&client) {}

    Run once() {
        choose_keys();
        answered_.clear();
        std::atomic<bool> ending = false;
        std::atomic<std::size_t> running = per_shard * shards;
        for (std::size_t i = 0; i < per_shard * shards; ++i) {
            spawn(runtime_->loop(0), caller(this, i % shards, &ending), [&](Result<Done>) {
                --running;
            });
        }
        const double begin = until([&] { return answered() >= warm; });
        const std::size_t victim = cluster_->owner_of(keys_[0]);
        const std::size_t heir = cluster_->replica_of(victim);
        cluster_->kill(victim);
        const double killed = watch_.seconds();
        const double promoted = until([&] { return cluster_->is_primary(heir); });
        (void)until([&] { return first_after(killed) > 0; });
        const double first = first_after(killed);
        ending = true;
        (void)until([&] { return running == 0; });
        cluster_->start(victim);
        cluster_->wait_until_ok();

        Run run;
        run.operations = 1;
        run.seconds = first - killed;
        run.counters[first_success] = std::max(0.0, first - promoted) * 1'000;
        run.counters[outage] = run.seconds * 1'000;
        run.counters[healthy] = 100 * rate(killed, first) / rate(begin / 2, killed);
        return run;
    }

private:
    static constexpr std::size_t shards = 3;
    static constexpr std::size_t per_shard = 16;
    static constexpr std::size_t warm = 10'000;
    struct Answered {
        double begun;
        double ended;
        std::size_t shard;
    };

    void choose_keys() {
        std::vector<std::size_t> owners;
        for (int i = 0; owners.size() < shards; ++i) {
            const std::string key = "shard" + std::to_string(i);
            const std::size_t owner = cluster_->owner_of(key);
            if (std::ranges::find(owners, owner) == owners.end()) {
                keys_[owners.size()] = key;
                owners.push_back(owner);
            }
        }
        // Each shard has its turn.
        std::ranges::rotate(keys_, keys_.begin() + static_cast<std::ptrdiff_t>(turn_++ % shards));
        watch_ = Stopwatch();
    }
    static Task<> caller(Failover* self, std::size_t shard, const std::atomic<bool>* ending) {
        Loop& loop = (co_await this_scope()).loop();
        while (!*ending) {
            const double begun = self->watch_.seconds();
            const Deadline deadline = Deadline::in(Duration(1'000), loop.now());
            auto done = co_await self->client_->run(redis::incr(self->keys_[shard]), deadline);
            if (done.ok()) {
                self->add({begun, self->watch_.seconds(), shard});
            }
            (void)co_await sleep(loop.now() + Duration(2));
        }
        co_return Done();
    }
    void add(const Answered& one) {
        const std::lock_guard lock(mutex_);
        answered_.push_back(one);
    }
    std::size_t answered() const {
        const std::lock_guard lock(mutex_);
        return answered_.size();
    }
    // 0: none yet.
    double first_after(double moment) const {
        const std::lock_guard lock(mutex_);
        double first = 0;
        for (const Answered& one : answered_) {
            if (one.shard == 0 && one.begun > moment && (first == 0 || one.ended < first)) {
                first = one.ended;
            }
        }
        return first;
    }
    double rate(double from, double to) const {
        const std::lock_guard lock(mutex_);
        const auto number = std::ranges::count_if(answered_, [&](const Answered& one) {
            return one.shard != 0 && one.ended >= from && one.ended < to;
        });
        return static_cast<double>(number) / (to - from);
    }
    template <class Condition>
    double until(Condition condition) const {
        for (int i = 0; !condition(); ++i) {
            if (i > 30'000) {
                fail("a failover did not end");
            }
            ::poll(nullptr, 0, 2);
        }
        return watch_.seconds();
    }

    RedisClusterChild* cluster_;
    Runtime* runtime_;
    redis::Client* client_;
    std::array<std::string, shards> keys_;
    std::size_t turn_ = 0;
    Stopwatch watch_;
    mutable std::mutex mutex_;
    std::vector<Answered> answered_;
};

int run(int argc, char** argv) {
    Program program("redis_cluster", read_options(argc, argv));
    const RedisChild server;
    RedisClusterChild cluster;
    auto runtime = std::move(open_runtime(RuntimeOptions().loops(1))).value();
    auto one =
        std::move(redis::open_redis(
                      *runtime, redis::RedisOptions().port(server.port()).in_flight_max(2'000)
                  ))
            .value();
    std::vector<redis::Endpoint> seeds;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        seeds.emplace_back("127.0.0.1", cluster.port(i));
    }
    auto six =
        std::move(redis::open_redis(
                      *runtime, redis::RedisOptions().cluster(std::move(seeds)).in_flight_max(2'000)
                  ))
            .value();
    World single{{}, runtime.get(), one.get()};
    for (std::size_t i = 0; i < key_count; ++i) {
        std::string digits = std::to_string(i);
        single.keys.push_back("key:" + std::string(12 - digits.size(), '0') + digits);
    }
    World many = single;
    many.client = six.get();
    load(single);
    load(many);

    program.run(
        Case("cluster 256")
            .ours(
                "six nodes",
                calls_a_turn,
                [&](std::uint64_t n) { return wait(*runtime, all_callers(&many, n)).value(); }
            )
            .peer(
                "one server",
                calls_a_turn,
                [&](std::uint64_t n) { return wait(*runtime, all_callers(&single, n)).value(); }
            )
            .ratio_at_least(0.9)
            .counter_at_most(allocations_each, 0.01)
    );
    Failover failover(cluster, *runtime, *six);
    program.run(Case("failover")
                    .ours("kill -9 of a primary", 1, [&](std::uint64_t) { return failover.once(); })
                    .counter_at_most(first_success, 3'000)
                    .counter_at_least(healthy, 95));
    return program.finish();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    return holdfast::bench::run(argc, argv);
}
