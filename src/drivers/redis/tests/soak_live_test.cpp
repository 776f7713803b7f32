// Many callers, one server, and everything between them that can go wrong. HOLDFAST_SOAK_SECONDS
// says how long (scripts/test: 30; by hand: 600), HOLDFAST_SOAK_SEED which faults come, and
// HOLDFAST_SOAK_FSYNC what the server flushes: with anything but `always` it loses what it has
// acknowledged when it is killed, and the soak says which.
//
// One fault is left out: a reply that vanishes alone in the middle of a connection that goes on
// (FaultProxy::swallow_reply). TCP does not do that, and no client that matches replies by place
// can notice it.

#include "soak_callers.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace holdfast::redis {

namespace {

// No such answer was to be had: it belongs to something else. (A script may be forgotten twice: the
// server was killed between.)
bool strange(const Error& error) {
    switch (error.code()) {
    case Code::timed_out:
    case Code::unreachable:
    case Code::overloaded:
    case Code::closed:
    case Code::cancelled:
        return false;
    default:
        if (script_unknown(error)) {
            return false;
        }
        std::printf(
            "soak: strange: %s: %s\n",
            std::string(error.what()).c_str(),
            error.context() == nullptr ? "" : error.context()->server_text.c_str()
        );
        return true;
    }
}

}  // namespace

template <class T>
void SoakCaller::count(const Result<T>& outcome, Deadline deadline, SteadyTime now) {
    ++counts_->calls;
    if (outcome.ok()) {
        ++counts_->good;
    } else {
        ++counts_->by_code[static_cast<std::size_t>(outcome.error().code())];
        counts_->strange += strange(outcome.error()) ? 1U : 0U;
    }
    const std::int64_t over = (now - deadline.time()).count();
    std::int64_t latest = counts_->latest_ms;
    while (over > latest && !counts_->latest_ms.compare_exchange_weak(latest, over)) {
    }
    counts_->late += over > late_after.count() ? 1U : 0U;
}

Task<> SoakCaller::run() {
    const Scope& scope = co_await this_scope();
    while (!scope.cancelled()) {
        const SteadyTime begin = scope.loop().now();
        const Duration most(draw(4) == 0 ? 1 + draw(30) : 200 + draw(1'000));
        const Deadline deadline = Deadline::in(most, begin);
        if (draw(8) == 0) {  // leaves in the middle
            const Deadline leaving = Deadline::in(Duration(draw(10)), begin);
            (void)co_await with_deadline(one(deadline), leaving);
        } else {
            (void)co_await one(deadline);
        }
        (void)co_await sleep(scope.loop().now() + Duration(draw(10)));
    }
    co_return Done();
}

Task<> SoakCaller::one(Deadline deadline) {
    switch (draw(8)) {
    case 0:
    case 1:
        return increment(deadline);
    case 2:
    case 3:
        return write_and_read(deadline);
    case 4:
        return read_many(deadline);
    case 5:
        return transact(deadline);
    case 6:
        return echo(deadline);
    default:
        return watch_and_write(deadline);
    }
}

Task<> SoakCaller::increment(Deadline deadline) {
    if (increments_ == increments_max) {
        co_return Done();
    }
    const std::size_t number = increments_++;
    auto value = co_await client_->run(incr(increment_key(number)), deadline);
    count(value, deadline, (co_await this_scope()).loop().now());
    if (value.ok()) {
        counts_->foreign += value.value() == 1 ? 0U : 1U;
        told_[number] = Told::done;
        told_at_[number] = (co_await this_scope()).loop().now();
    } else {
        told_[number] = value.error().effect() == Effect::none ? Told::none : Told::unknown;
    }
    co_return Done();
}

Task<> SoakCaller::write_and_read(Deadline deadline) {
    const std::string key = own_key();
    auto written = co_await client_->run(set(key, value_of(key)), deadline);
    count(written, deadline, (co_await this_scope()).loop().now());
    auto value = co_await client_->run(get(key), deadline);
    count(value, deadline, (co_await this_scope()).loop().now());
    if (value.ok()) {
        expect_own(key, value.value());
    }
    co_return Done();
}

Task<> SoakCaller::read_many(Deadline deadline) {
    Batch batch;
    std::vector<std::pair<std::string, Slot<std::optional<std::string>>>> asked;
    for (std::uint64_t i = 1 + draw(20); i != 0; --i) {
        std::string key = own_key();
        if (draw(6) == 0) {
            (void)batch.add(raw("NO.SUCH", words("an error in the middle"), no_keys()));
        }
        auto slot = batch.add(get(key));
        asked.emplace_back(std::move(key), slot);
    }
    auto done = co_await client_->run(batch, deadline);
    count(done, deadline, (co_await this_scope()).loop().now());
    for (const auto& [key, slot] : asked) {
        auto value = batch.get(slot);  // also of a batch that was cut off
        if (value.ok()) {
            expect_own(key, value.value());
        }
    }
    co_return Done();
}

Task<> SoakCaller::transact(Deadline deadline) {
    const std::string key = own_key();
    Transaction transaction;
    (void)transaction.add(set(key, value_of(key)));
    auto slot = transaction.add(get(key));
    auto end = co_await client_->run(transaction, deadline);
    count(end, deadline, (co_await this_scope()).loop().now());
    if (end.ok()) {
        auto value = transaction.get(slot);
        counts_->foreign += value.ok() && value.value().has_value() ? 0U : 1U;
        if (value.ok()) {
            expect_own(key, value.value());
        }
    }
    co_return Done();
}

Task<> SoakCaller::echo(Deadline deadline) {
    static const Script script("return ARGV[1]", Repeat::read);
    const std::string said = value_of(name_);
    ScriptCall<std::string> call = script.call({}, said).as(read_text);
    auto heard = co_await run_script(*client_, std::move(call), deadline);
    count(heard, deadline, (co_await this_scope()).loop().now());
    counts_->foreign += heard.ok() && heard.value() != said ? 1U : 0U;
    co_return Done();
}

Task<> SoakCaller::watch_and_write(Deadline deadline) {
    const std::string key = own_key();
    auto lease = client_->lease((co_await this_scope()).loop());
    if (!lease.ok()) {
        co_return std::move(lease).error();
    }
    auto watched = co_await lease.value().run(watch(key), deadline);
    if (!watched.ok()) {
        co_return std::move(watched).error();
    }
    auto value = co_await lease.value().run(get(key), deadline);
    if (value.ok()) {
        expect_own(key, value.value());
    }
    Transaction transaction;
    (void)transaction.add(set(key, value_of(key)));
    auto end = co_await lease.value().run(transaction, deadline);
    count(end, deadline, (co_await this_scope()).loop().now());
    co_return Done();
}

namespace {

constexpr int callers_count = 64;

struct Sample {
    double seconds;
    double resident_kb;
    double descriptors;  // of the client's connections
};

// The client's own: the proxy and the servers of the test have descriptors too.
int connections_to(std::uint16_t port) {
    int found = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        sockaddr_in peer{};
        socklen_t size = sizeof peer;
        const int fd = std::stoi(entry.path().filename());
        const bool named = getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &size) == 0;
        found += named && peer.sin_family == AF_INET && ntohs(peer.sin_port) == port ? 1 : 0;
    }
    return found;
}

Sample sample_now(double seconds, std::uint16_t port) {
    std::ifstream statm("/proc/self/statm");
    double pages = 0;
    statm >> pages >> pages;
    return {
        seconds,
        pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1'024,
        static_cast<double>(connections_to(port))
    };
}

// Of the second half, by least squares, a minute.
double slope(const std::vector<Sample>& samples, double Sample::* what) {
    const auto begin = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (auto at = begin; at != samples.end(); ++at) {
        n += 1;
        x += at->seconds;
        y += (*at).*what;
        xx += at->seconds * at->seconds;
        xy += at->seconds * ((*at).*what);
    }
    const double under = n * xx - x * x;
    return under == 0 ? 0 : 60 * (n * xy - x * y) / under;
}

// One thing goes wrong; what lasts is healed by the next call.
class Trouble {
public:
    Trouble(RedisServer& server, FaultProxy& proxy, std::uint64_t seed)
        : server_(&server), proxy_(&proxy), random_(seed) {}

    void next() {
        ++made_;
        const auto near = 1 + random_() % 200;
        const auto bytes = 1 + random_() % 20;
        const auto how = random_() % 2 == 0 ? testing::Cut::reset : testing::Cut::close;
        const Toward toward = random_() % 2 == 0 ? Toward::server : Toward::client;
        switch (random_() % 16) {
        case 0:
            return proxy_->latency(Duration(1 + random_() % 40));
        case 1:
            return proxy_->slice(toward, bytes * 10);
        case 2:
            vanishing_ = true;
            return proxy_->black_hole(toward);
        case 3:
            return proxy_->stall(toward);
        case 4:
            return proxy_->refuse();
        case 5:
            return proxy_->reset_all();
        case 6:
            return proxy_->half_close(toward);
        case 7:
            return proxy_->cut_after_request(near, how);
        case 8:
            return proxy_->cut_inside_request(near, bytes, how);
        case 9:
            return proxy_->cut_after_reply(near, how);
        case 10:
            return proxy_->cut_inside_reply(near, bytes, how);
        case 11:
            return proxy_->lose_reply(near, how);
        case 12:
            return server_->stop();
        case 13:
            kills_.push_back(system_clock().steady_now());
            return server_->restart();
        case 14:
            kills_.push_back(system_clock().steady_now());
            return server_->kill();
        default:
            return;  // a quiet moment
        }
    }
    void heal() {
        if (!server_->runs()) {
            server_->start();
        }
        server_->resume();
        if (std::exchange(vanishing_, false)) {
            // TCP delivers what was lost, or nothing more: no connection goes on behind a hole.
            proxy_->refuse();
            proxy_->reset_all();
        }
        proxy_->heal();
    }
    // Between 20 and 420 ms.
    Duration pause() { return Duration(20 + random_() % 400); }
    int made() const { return made_; }
    const std::vector<SteadyTime>& kills() const { return kills_; }

private:
    RedisServer* server_;
    FaultProxy* proxy_;
    std::mt19937_64 random_;
    int made_ = 0;
    std::vector<SteadyTime> kills_;
    bool vanishing_ = false;
};

// What the server says of the keys that were to be incremented once.
struct Verdict {
    std::uint64_t done = 0, none = 0, unknown = 0, unknown_that_ran = 0;
    std::uint64_t none_that_ran = 0, done_that_did_not = 0, twice = 0;
    std::uint64_t wrong() const { return none_that_ran + done_that_did_not + twice; }
};

// One that was told `done` and is not there. An answer may be read after the kill that loses it.
void print_lost(const SoakCaller& caller, std::size_t i, const std::vector<SteadyTime>& kills) {
    const SteadyTime told = caller.told_at(i);
    const auto nearest = std::ranges::min_element(kills, {}, [&](SteadyTime kill) {
        return std::chrono::abs(kill - told);
    });
    std::printf(
        "soak: lost: %s, told %+lld ms from a kill\n",
        caller.increment_key(i).c_str(),
        nearest == kills.end() ? 0LL : static_cast<long long>((told - *nearest).count())
    );
}

void judge(
    RawRedis& redis,
    const SoakCaller& caller,
    const std::vector<SteadyTime>& kills,
    Verdict& verdict
) {
    for (std::size_t at = 0; at < caller.increments();) {
        std::vector<std::string> words{"MGET"};
        const std::size_t begin = at;
        for (; at < std::min(caller.increments(), begin + 500); ++at) {
            words.push_back(caller.increment_key(at));
        }
        const auto values = redis.call(words);
        for (std::size_t i = begin; i < at; ++i) {
            const auto& value = values[i - begin];
            const bool absent = value.is_null();
            const bool once = !absent && value.text == "1";
            switch (caller.told()[i]) {
            case Told::done:
                ++verdict.done;
                if (absent) {
                    ++verdict.done_that_did_not;
                    print_lost(caller, i, kills);
                }
                break;
            case Told::none:
                ++verdict.none;
                verdict.none_that_ran += absent ? 0U : 1U;
                break;
            default:  // a caller that left in the middle was told nothing
                ++verdict.unknown;
                verdict.unknown_that_ran += once ? 1U : 0U;
            }
            verdict.twice += absent || once ? 0U : 1U;
        }
    }
}

void report(const SoakCounts& counts, const Verdict& verdict, const Trouble& trouble) {
    std::printf(
        "soak: %d faults (%d kills); %llu calls, %llu answered; foreign %llu; late %llu, the "
        "latest %lld ms after its deadline\n",
        trouble.made(),
        static_cast<int>(trouble.kills().size()),
        static_cast<unsigned long long>(counts.calls),
        static_cast<unsigned long long>(counts.good),
        static_cast<unsigned long long>(counts.foreign),
        static_cast<unsigned long long>(counts.late),
        static_cast<long long>(counts.latest_ms)
    );
    std::printf("soak: errors");
    for (std::size_t code = 0; code <= static_cast<std::size_t>(Code::internal); ++code) {
        if (counts.by_code[code] != 0) {
            std::printf(
                " %s %llu",
                std::string(name_of(static_cast<Code>(code))).c_str(),
                static_cast<unsigned long long>(counts.by_code[code])
            );
        }
    }
    std::printf(
        "\nsoak: increments: %llu done, %llu none, %llu unknown (of them %llu ran); %llu none "
        "that ran, %llu done that did not, %llu twice\n",
        static_cast<unsigned long long>(verdict.done),
        static_cast<unsigned long long>(verdict.none),
        static_cast<unsigned long long>(verdict.unknown),
        static_cast<unsigned long long>(verdict.unknown_that_ran),
        static_cast<unsigned long long>(verdict.none_that_ran),
        static_cast<unsigned long long>(verdict.done_that_did_not),
        static_cast<unsigned long long>(verdict.twice)
    );
}

TEST(RedisSoak, callers_get_their_own_replies_and_true_effects_whatever_happens) {
    const char* told = std::getenv("HOLDFAST_SOAK_SECONDS");
    const Duration length = std::chrono::seconds(told == nullptr ? 4 : std::stoi(told));
    const char* seed_told = std::getenv("HOLDFAST_SOAK_SEED");
    const std::uint64_t seed =
        seed_told == nullptr ? system_random().next() : std::stoull(seed_told);
    std::printf("soak: seed %llu\n", static_cast<unsigned long long>(seed));

    const char* fsync = std::getenv("HOLDFAST_SOAK_FSYNC");
    RedisServer server(
        RedisServerOptions().option("appendfsync", fsync == nullptr ? "always" : fsync)
    );
    FaultProxy proxy(server.port());
    // What the tasks use goes after them, however this ends.
    SoakCounts counts;
    std::vector<std::unique_ptr<SoakCaller>> callers;
    std::atomic<int> running = callers_count;
    std::vector<Stop> stops(callers_count);  // each stops one task
    auto runtime = std::move(open_runtime(RuntimeOptions().loops(2))).value();
    auto client = std::move(open_redis(
                                *runtime,
                                RedisOptions()
                                    .port(proxy.port())
                                    .in_flight_max(200)
                                    .silent_max(Duration(300))
                                    .dial_time(Duration(500))
                            ))
                      .value();
    for (int i = 0; i < callers_count; ++i) {
        callers.push_back(std::make_unique<SoakCaller>(*client, i, seed, counts));
        spawn(
            runtime->loop(static_cast<std::size_t>(i) % 2),
            callers.back()->run(),
            [&running](Result<Done>) { --running; },
            &stops[static_cast<std::size_t>(i)]
        );
    }

    Trouble trouble(server, proxy, seed);
    std::vector<Sample> samples;
    const SteadyTime begin = runtime->clock().steady_now();
    const Deadline end = Deadline::in(length, begin);
    for (SteadyTime now = begin; !end.passed(now); now = runtime->clock().steady_now()) {
        trouble.next();
        poll(nullptr, 0, static_cast<int>(trouble.pause().count()));
        trouble.heal();
        poll(nullptr, 0, static_cast<int>(trouble.pause().count()) / 2);
        samples.push_back(
            sample_now(static_cast<double>((now - begin).count()) / 1'000, proxy.port())
        );
    }
    for (const Stop& stop : stops) {
        stop.request();
    }
    EXPECT_TRUE(eventually([&] { return running == 0; })) << running << " callers hang";
    client.reset();

    Verdict verdict;
    RawRedis redis = server.raw();
    for (const auto& caller : callers) {
        judge(redis, *caller, trouble.kills(), verdict);
    }
    report(counts, verdict, trouble);
    std::printf(
        "soak: resident %.0f KB, %+.1f KB a minute; connections of the client %.0f, %+.2f a "
        "minute\n",
        samples.back().resident_kb,
        slope(samples, &Sample::resident_kb),
        samples.back().descriptors,
        slope(samples, &Sample::descriptors)
    );
    EXPECT_EQ(counts.foreign, 0U);
    EXPECT_EQ(counts.strange, 0U);
    EXPECT_EQ(counts.late, 0U);
    EXPECT_EQ(verdict.wrong(), 0U);
    EXPECT_GT(counts.good, 0U);
    EXPECT_GT(verdict.done, 0U);
    // Two loops; of each one that is shared and 16 that are held, and as many that are dying.
    const auto most = std::ranges::max_element(samples, {}, &Sample::descriptors);
    EXPECT_LE(most->descriptors, 2 * 2 * 17);
}

}  // namespace
}  // namespace holdfast::redis
