// Primaries that are killed and paused under load, of a Sentinel's group and of a cluster side by
// side. HOLDFAST_FAILOVER_ROUNDS says how many rounds in all (30; by hand: 300).
#include "tests/topology/failover_callers.h"

#include <faults/client_side.h>
#include <live/redis_cluster.h>
#include <live/redis_sentinels.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <thread>

namespace holdfast::redis {
namespace {

using holdfast::testing::ClientSide;
using holdfast::testing::RawFailure;
using holdfast::testing::RedisCluster;
using holdfast::testing::RedisClusterOptions;
using holdfast::testing::RedisSentinels;
using holdfast::testing::RedisSentinelsOptions;

constexpr int callers_count = 32;
constexpr int mixed_every = 8;              // of them one uses keys of all parts
constexpr std::size_t warm = 300;           // increments of each part before anything fails
constexpr std::uint64_t unheard_count = 8;  // increments without an answer
constexpr Duration failover_time{60'000};   // sentinels whose vote was split begin again after 10 s

SteadyTime now() {
    return system_clock().steady_now();
}

std::vector<Endpoint> seen_by_clients(const std::vector<std::uint16_t>& ports) {
    std::vector<Endpoint> all;
    for (const std::uint16_t port : ports) {
        all.emplace_back(ClientSide::host(), port);
    }
    return all;
}

std::uint64_t increments_run(RawRedis& redis) {
    const std::string all = redis.call({"INFO", "commandstats"}).text;
    const std::string name = "cmdstat_incr:calls=";
    const std::size_t at = all.find(name);
    return at == std::string::npos ? 0 : std::stoull(all.substr(at + name.size()));
}

// A Sentinel's group or a cluster, in parts that fail by themselves.
class Deployment {
public:
    Deployment() = default;
    virtual ~Deployment() = default;
    Deployment(const Deployment&) = delete;
    Deployment& operator=(const Deployment&) = delete;

    virtual const char* name() const = 0;
    virtual RedisOptions options() const = 0;
    virtual std::vector<std::string> tags() const = 0;
    virtual std::size_t primary_of(std::size_t part) const = 0;
    virtual std::vector<std::size_t> heirs_of(std::size_t primary) const = 0;
    virtual RedisServer& node(std::size_t number) const = 0;
    virtual const ClientSide& side() const = 0;  // by the same numbers
    // After a failover: `old` is whole again, and is a replica.
    virtual void repair(std::size_t old) = 0;
};

class Group final : public Deployment {
public:
    const char* name() const override { return "sentinel"; }
    RedisOptions options() const override {
        return RedisOptions().sentinels(
            seen_by_clients(set_.sentinel_ports()), RedisSentinels::name()
        );
    }
    std::vector<std::string> tags() const override { return {"all"}; }
    std::size_t primary_of(std::size_t) const override { return set_.primary(); }
    std::vector<std::size_t> heirs_of(std::size_t primary) const override {
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < set_.size(); ++i) {
            if (i != primary) {
                others.push_back(i);
            }
        }
        return others;
    }
    RedisServer& node(std::size_t number) const override { return set_.node(number); }
    const ClientSide& side() const override { return side_; }
    void repair(std::size_t) override { set_.wait_until_whole(); }

private:
    RedisSentinels set_{RedisSentinelsOptions().quick().servers(RedisServerOptions().memory_only())
    };
    ClientSide side_{set_.server_ports()};
    ClientSide sentinels_{set_.sentinel_ports()};
};

class Six final : public Deployment {
public:
    Six() {
        for (std::size_t part = 0; part < 3; ++part) {
            const auto slots = cluster_.slots_of(part);
            for (int i = 0;; ++i) {
                const std::string tag = "t" + std::to_string(i);
                if (std::ranges::find(slots, holdfast::testing::slot_of(tag)) != slots.end()) {
                    tags_.push_back(tag);
                    break;
                }
            }
        }
    }
    const char* name() const override { return "cluster"; }
    RedisOptions options() const override {
        return RedisOptions().cluster(seen_by_clients(cluster_.ports()));
    }
    std::vector<std::string> tags() const override { return tags_; }
    std::size_t primary_of(std::size_t part) const override {
        return cluster_.owner_of(tags_[part]);
    }
    std::vector<std::size_t> heirs_of(std::size_t primary) const override {
        return cluster_.replicas_of(primary);
    }
    RedisServer& node(std::size_t number) const override { return cluster_.node(number); }
    const ClientSide& side() const override { return side_; }
    void repair(std::size_t) override { cluster_.wait_until_ok(); }

private:
    RedisCluster cluster_{RedisClusterOptions().servers(
        // The slots of the others are served on.
        RedisServerOptions().memory_only().option("cluster-require-full-coverage", "no")
    )};
    ClientSide side_{cluster_.ports()};
    std::vector<std::string> tags_;
};

// Unheard: killed when it has run, and copied to a replica, what callers have no answer to.
enum class How : std::uint8_t { kill, pause, unheard };
constexpr std::array names{"kill", "pause", "kill before the answers"};

// Of the rounds of one kind, for people.
class Figures {
public:
    void round(double first_success_ms, double before, double during) {
        first_success_.push_back(first_success_ms);
        if (before > 0) {
            kept_.push_back(during / before * 100);
        }
    }
    void print(const char* where, const char* how) {
        if (first_success_.empty()) {
            return;
        }
        std::ranges::sort(first_success_);
        std::printf(
            "failover: %s by %s: %zu rounds; from promotion to the first success p50 %.0f ms, max "
            "%.0f ms",
            where,
            how,
            first_success_.size(),
            first_success_[first_success_.size() / 2],
            first_success_.back()
        );
        if (!kept_.empty()) {
            std::ranges::sort(kept_);
            std::printf(
                "; healthy shards during the outage: median %.0f %%, least %.0f %% of before",
                kept_[kept_.size() / 2],
                kept_.front()
            );
        }
        std::printf("\n");
    }

private:
    std::vector<double> first_success_;
    std::vector<double> kept_;  // percent
};

class Rounds {
public:
    explicit Rounds(Deployment& deployment)
        : deployment_(&deployment),
          runtime_(std::move(open_runtime(RuntimeOptions().loops(2))).value()),
          client_(std::move(open_redis(*runtime_, deployment.options())).value()) {
        const std::vector<std::string> tags = deployment.tags();
        for (int i = 0; i < callers_count; ++i) {
            const bool mixed = tags.size() > 1 && i % mixed_every == 0;
            callers_.emplace_back(
                *client_,
                i,
                system_random().next(),
                tags,
                mixed ? std::nullopt
                      : std::optional<std::size_t>(static_cast<std::size_t>(i) % tags.size())
            );
        }
    }

    void run(int rounds) {
        rounds_ = rounds;
        for (int i = 0; i < rounds && !::testing::Test::HasFatalFailure(); ++i) {
            const auto how = static_cast<How>(i % 3);
            one(i, how, static_cast<std::size_t>(i / 3) % deployment_->tags().size());
        }
    }
    void report() {
        for (std::size_t how = 0; how < names.size(); ++how) {
            figures_[how].print(deployment_->name(), names[how]);
        }
        std::printf(
            "failover: %s: %llu calls, the latest ended %lld ms after its deadline; increments: "
            "%llu done (Redis lost %llu), %llu none, %llu unknown (%llu ran)\n",
            deployment_->name(),
            static_cast<unsigned long long>(calls_),
            static_cast<long long>(latest_ms_),
            static_cast<unsigned long long>(verdict_.done),
            static_cast<unsigned long long>(verdict_.lost),
            static_cast<unsigned long long>(verdict_.none),
            static_cast<unsigned long long>(verdict_.unknown),
            static_cast<unsigned long long>(verdict_.unknown_that_ran)
        );
        EXPECT_EQ(verdict_.none_that_ran, 0U) << deployment_->name();
        EXPECT_EQ(verdict_.twice, 0U) << deployment_->name();
        EXPECT_GT(verdict_.done, 0U);
        if (rounds_ >= 3) {  // each kind; else nothing of it could have run twice
            EXPECT_GT(verdict_.unknown_that_ran, 0U) << deployment_->name();
        }
    }

private:
    void one(int round, How how, std::size_t part) {
        FailoverCounts counts;
        std::atomic<bool> ending = false;
        std::atomic<int> running = callers_count;
        for (std::size_t i = 0; i < callers_.size(); ++i) {
            spawn(
                runtime_->loop(i % 2),
                callers_[i].run(round, &counts, &ending),
                [&running](Result<Done>) { --running; }
            );
        }
        const SteadyTime begin = now();
        std::string trouble;
        try {
            fail(counts, how, part, begin);
        } catch (const RawFailure& failure) {
            trouble = failure.what();
        }
        ending = true;
        ASSERT_TRUE(eventually([&] { return running == 0; })) << running << " callers hang";
        if (!trouble.empty()) {
            throw RawFailure(trouble);
        }
        judge(counts, round);
        RedisServer& old = deployment_->node(failed_);
        if (how == How::pause) {
            old.resume();
        } else {
            old.restart();
        }
        deployment_->side().heal(failed_);
        deployment_->repair(failed_);
    }

    void fail(const FailoverCounts& counts, How how, std::size_t part, SteadyTime begin) {
        const std::size_t parts = deployment_->tags().size();
        for (std::size_t i = 0; i < parts; ++i) {
            EXPECT_TRUE(eventually([&] { return counts.answered_of(i) >= warm; })) << i;
        }
        failed_ = deployment_->primary_of(part);
        const std::vector<std::size_t> heirs = deployment_->heirs_of(failed_);
        if (how == How::unheard) {
            run_unheard();
        }
        if (how == How::pause) {
            deployment_->node(failed_).stop();
        } else {
            deployment_->node(failed_).kill();
        }
        const SteadyTime failed = now();
        EXPECT_TRUE(eventually([&] { return promoted(heirs); }, failover_time));
        const SteadyTime promotion = now();
        EXPECT_TRUE(eventually([&] { return counts.first_after(failed, part).has_value(); }));
        const SteadyTime first = counts.first_after(failed, part).value_or(now());
        const std::size_t then = counts.answered_of(part) + warm;
        EXPECT_TRUE(eventually([&] { return counts.answered_of(part) >= then; }));
        figures_[static_cast<std::size_t>(how)].round(
            std::max(0.0, static_cast<double>((first - promotion).count())),
            counts.rate_of_others(part, begin, failed),
            counts.rate_of_others(part, failed, first)
        );
    }
    void run_unheard() const {
        RawRedis redis = deployment_->node(failed_).raw();
        deployment_->side().proxy(failed_).black_hole(Toward::client);
        const std::uint64_t before = increments_run(redis);
        EXPECT_TRUE(eventually([&] { return increments_run(redis) >= before + unheard_count; }));
        EXPECT_TRUE(eventually([&] { return redis.call({"WAIT", "1", "1000"}).number >= 1; }));
    }
    bool promoted(const std::vector<std::size_t>& heirs) const {
        return std::ranges::any_of(heirs, [&](std::size_t heir) {
            try {
                RawRedis redis = deployment_->node(heir).raw();
                return redis.call({"ROLE"})[0].text == "master";
            } catch (const RawFailure&) {  // a server ends connections when its role changes
                return false;
            }
        });
    }
    void judge(const FailoverCounts& counts, int round) {
        EXPECT_EQ(counts.foreign, 0U);
        EXPECT_EQ(counts.strange, 0U);
        EXPECT_EQ(counts.late, 0U);
        calls_ += counts.calls;
        latest_ms_ = std::max<std::int64_t>(latest_ms_, counts.latest_ms);
        for (std::size_t part = 0; part < deployment_->tags().size(); ++part) {
            RawRedis redis = deployment_->node(deployment_->primary_of(part)).raw();
            for (FailoverCaller& caller : callers_) {
                verdict_.add(caller.judge(redis, part, round));
            }
            redis.call({"FLUSHALL"});
        }
    }

    Deployment* deployment_;
    std::deque<FailoverCaller> callers_;  // the client's calls end in them
    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<Client> client_;
    std::size_t failed_ = 0;
    int rounds_ = 0;
    std::uint64_t calls_ = 0;
    std::int64_t latest_ms_ = 0;
    FailoverVerdict verdict_;
    std::array<Figures, names.size()> figures_;
};

template <class Kind>
void rounds_of(int count) {
    try {
        Kind deployment;
        Rounds rounds(deployment);
        rounds.run(count);
        rounds.report();
    } catch (const RawFailure& failure) {
        ADD_FAILURE() << failure.what();
    }
}

TEST(Failover, nothing_runs_twice_and_what_is_said_not_to_have_run_has_not) {
    const char* told = std::getenv("HOLDFAST_FAILOVER_ROUNDS");
    const int rounds = told == nullptr ? 30 : std::stoi(told);
    // Servers end with the thread that started them.
    std::thread group([&] { rounds_of<Group>((rounds + 1) / 2); });
    rounds_of<Six>(rounds / 2);
    group.join();
}

}  // namespace
}  // namespace holdfast::redis
