#pragma once
// What each caller uses of the store, over all loops of the process: the namespaces of its range
// keys, and its keys in each. Any thread.

#include "counted_names.h"

#include <holdfast/io/keyed_hash.h>

#include <array>
#include <mutex>
#include <string_view>
#include <unordered_map>

namespace holdfast {

class CallerCounts {
public:
    CallerCounts(const KeyedHash& hash, CountRule namespaces, CountRule keys)
        : hash_(&hash), namespaces_(namespaces), keys_(keys) {}

    enum class Refusal : std::uint8_t { none, too_many_namespaces, too_many_keys };

    // One call's use of a key: it counts if the call kept it, else not.
    class Use {
    public:
        Use(CallerCounts& counts,
            std::uint64_t caller,
            std::string_view name,
            std::string_view key,
            SteadyTime now);
        ~Use();
        Use(const Use&) = delete;
        Use& operator=(const Use&) = delete;

        Refusal refusal() const { return refusal_; }
        void kept() { kept_ = true; }

    private:
        CallerCounts* counts_;
        std::uint64_t caller_;
        std::uint64_t name_ = 0;
        std::uint64_t key_ = 0;
        Refusal refusal_ = Refusal::none;
        bool name_fresh_ = false;
        bool key_fresh_ = false;
        bool kept_ = false;
    };

    // Of the tables alone; for tests.
    std::size_t bytes() const;

private:
    // Enough that two cores rarely meet; a power of two.
    static constexpr std::size_t shards = 64;
    struct alignas(64) Shard {
        mutable std::mutex mutex;
        std::unordered_map<std::uint64_t, CountedNames> sets;  // by a hash of whose they are
        std::size_t sweep_at = 16;  // so many sets: look for forgotten ones
    };
    using Shards = std::array<Shard, shards>;

    static Entered enter(
        Shards& all, const CountRule& rule, std::uint64_t set, std::uint64_t name, SteadyTime now
    );
    static void settle(Shards& all, std::uint64_t set, std::uint64_t name, bool used);
    static Shard& shard_of(Shards& all, std::uint64_t set) { return all[(set >> 32) % shards]; }

    const KeyedHash* hash_;
    CountRule namespaces_;
    CountRule keys_;
    Shards by_caller_;     // the namespaces of a caller
    Shards by_namespace_;  // the keys of a caller in a namespace
};

}  // namespace holdfast
