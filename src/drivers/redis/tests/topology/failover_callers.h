#pragma once
// Callers of a deployment whose primaries fail: what each asks, what it was told, and when.

#include "tests/faults_scene.h"

#include <array>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace holdfast::redis {

enum class Told : std::uint8_t { not_asked, done, none, unknown };

// An increment that was answered.
class Answered {
public:
    Answered(SteadyTime from, SteadyTime to, std::size_t of) : begun(from), ended(to), part(of) {}
    SteadyTime begun;
    SteadyTime ended;
    std::size_t part;
};

// Of one round, any thread.
class FailoverCounts {
public:
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> foreign = 0;  // a value of another key
    std::atomic<std::uint64_t> strange = 0;  // an error that a failover gives no cause for
    std::atomic<std::uint64_t> late = 0;     // ended long after its deadline
    std::atomic<std::int64_t> latest_ms = 0;

    void answered(const Answered& one) {
        const std::lock_guard lock(mutex_);
        answered_.push_back(one);
    }
    std::vector<Answered> all_answered() const {
        const std::lock_guard lock(mutex_);
        return answered_;
    }
    std::size_t answered_of(std::size_t part) const;
    // The first that begun after this moment and was answered.
    std::optional<SteadyTime> first_after(SteadyTime moment, std::size_t part) const;
    // Of the parts but this one, a second.
    double rate_of_others(std::size_t part, SteadyTime from, SteadyTime to) const;

private:
    mutable std::mutex mutex_;
    std::vector<Answered> answered_;
};

// What the surviving primaries say of a round.
class FailoverVerdict {
public:
    std::uint64_t done = 0;
    std::uint64_t none = 0;
    std::uint64_t unknown = 0;
    std::uint64_t unknown_that_ran = 0;
    std::uint64_t none_that_ran = 0;
    std::uint64_t twice = 0;
    std::uint64_t lost = 0;  // acknowledged: Redis copies to replicas later than it answers

    void add(const FailoverVerdict& other);
};

class FailoverCaller {
public:
    // A call that ends later than this after its deadline was not ended by it: a loaded machine
    // and sanitizers need less.
    static constexpr Duration late_after{3'000};

    // `tags`: of each part of the deployment a hash tag whose keys it has. `part`: whose keys the
    // caller uses; nothing: of all, and what is split over them.
    FailoverCaller(
        Client& client,
        int number,
        std::uint64_t seed,
        std::vector<std::string> tags,
        std::optional<std::size_t> part
    )
        : client_(&client), name_("c" + std::to_string(number)), tags_(std::move(tags)),
          part_(part), random_(seed + static_cast<std::uint64_t>(number)) {}

    // Until `ending`; the last call runs to its end.
    Task<> run(int round, FailoverCounts* counts, const std::atomic<bool>* ending);
    // Of the keys of this part, and forgets them.
    FailoverVerdict judge(RawRedis& redis, std::size_t part, int round);

private:
    class Increment {
    public:
        std::string key;
        Told told = Told::not_asked;
    };

    std::uint64_t draw(std::uint64_t below) { return random_() % below; }
    std::size_t any_part() { return part_.has_value() ? *part_ : draw(tags_.size()); }
    std::string own_key(std::size_t part) {
        return "{" + tags_[part] + "}:" + name_ + ":" + std::to_string(draw(16));
    }
    template <class T>
    void count(const Result<T>& outcome, Deadline deadline, SteadyTime now);
    Task<> increment(int round, Deadline deadline);
    Task<> write_and_read(Deadline deadline);
    Task<> read_many(Deadline deadline);

    Client* client_;
    FailoverCounts* counts_ = nullptr;
    std::string name_;
    std::vector<std::string> tags_;
    std::optional<std::size_t> part_;
    std::mt19937_64 random_;
    std::array<std::vector<Increment>, 3> increments_;  // by part
};

}  // namespace holdfast::redis
