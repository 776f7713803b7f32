#pragma once
// The callers of the soak: what each asks, and what it may be told.

#include "faults_scene.h"

#include <holdfast/io/random.h>
#include <holdfast/redis/script.h>

#include <random>

namespace holdfast::redis {

// What a caller was told about one increment of a key that nobody else has.
enum class Told : std::uint8_t { not_asked, done, none, unknown };

class SoakCounts {
public:
    std::atomic<std::uint64_t> calls = 0;
    std::atomic<std::uint64_t> good = 0;
    std::atomic<std::uint64_t> foreign = 0;  // a reply that belongs to another call
    std::atomic<std::uint64_t> strange = 0;  // an error that nothing here gives cause for
    std::atomic<std::uint64_t> late = 0;     // ended long after its deadline
    std::atomic<std::int64_t> latest_ms = 0;
    std::array<std::atomic<std::uint64_t>, 16> by_code{};
};

class SoakCaller {
public:
    static constexpr std::size_t increments_max = 20'000;  // bounds the server's memory
    // A call that ends later than this after its deadline was not ended by it: a loaded machine and
    // sanitizers need less.
    static constexpr Duration late_after{3'000};

    SoakCaller(Client& client, int number, std::uint64_t seed, SoakCounts& counts)
        : client_(&client), counts_(&counts), name_("c" + std::to_string(number)),
          random_(seed + static_cast<std::uint64_t>(number)), told_(increments_max),
          told_at_(increments_max) {}

    // Until it is stopped.
    Task<> run();
    std::string increment_key(std::size_t i) const { return name_ + ":once:" + std::to_string(i); }
    const std::vector<Told>& told() const { return told_; }
    // When it was told; of those that were told `done`.
    SteadyTime told_at(std::size_t i) const { return told_at_[i]; }
    std::size_t increments() const { return increments_; }

private:
    std::uint64_t draw(std::uint64_t below) { return random_() % below; }
    std::string own_key() { return name_ + ":" + std::to_string(draw(16)); }
    std::string value_of(const std::string& key) {
        return key + "=" + std::string(draw(8) == 0 ? 3'000 : draw(60), 'v');
    }
    template <class T>
    void count(const Result<T>& outcome, Deadline deadline, SteadyTime now);
    void expect_own(const std::string& key, const std::optional<std::string>& value) {
        if (value.has_value() && !value->starts_with(key + "=")) {
            ++counts_->foreign;
        }
    }
    Task<> one(Deadline deadline);
    Task<> increment(Deadline deadline);
    Task<> write_and_read(Deadline deadline);
    Task<> read_many(Deadline deadline);
    Task<> transact(Deadline deadline);
    Task<> echo(Deadline deadline);
    Task<> watch_and_write(Deadline deadline);

    Client* client_;
    SoakCounts* counts_;
    std::string name_;
    std::mt19937_64 random_;
    std::vector<Told> told_;
    std::vector<SteadyTime> told_at_;
    std::size_t increments_ = 0;
};

}  // namespace holdfast::redis
