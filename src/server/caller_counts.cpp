#include "caller_counts.h"

#include <algorithm>
#include <bit>

namespace holdfast {
namespace {

// One caller's namespace, apart from the same namespace of others: both are keyed hashes already.
std::uint64_t set_of(std::uint64_t caller, std::uint64_t name) {
    return std::rotl(caller, 31) * 0x9e3779b97f4a7c15U ^ name;
}

}  // namespace

CallerCounts::Use::Use(
    CallerCounts& counts,
    std::uint64_t caller,
    std::string_view name,
    std::string_view key,
    SteadyTime now
)
    : counts_(&counts), caller_(caller) {
    const CountRule& names = counts.namespaces_;
    const CountRule& keys = counts.keys_;
    if (names.names_max == 0 && keys.names_max == 0) {
        return;
    }
    name_ = counts.hash_->of(name);
    const Entered named = enter(counts.by_caller_, names, caller_, name_, now);
    if (named == Entered::full) {
        refusal_ = Refusal::too_many_namespaces;
        return;
    }
    name_fresh_ = named == Entered::fresh;
    if (keys.names_max == 0) {
        return;
    }
    key_ = counts.hash_->of(key);
    const Entered keyed = enter(counts.by_namespace_, keys, set_of(caller_, name_), key_, now);
    key_fresh_ = keyed == Entered::fresh;
    if (keyed == Entered::full) {
        refusal_ = Refusal::too_many_keys;
    }
}

CallerCounts::Use::~Use() {
    if (name_fresh_) {
        settle(counts_->by_caller_, caller_, name_, kept_);
    }
    if (key_fresh_) {
        settle(counts_->by_namespace_, set_of(caller_, name_), key_, kept_);
    }
}

Entered CallerCounts::enter(
    Shards& all, const CountRule& rule, std::uint64_t set, std::uint64_t name, SteadyTime now
) {
    if (rule.names_max == 0) {
        return Entered::known;
    }
    Shard& shard = shard_of(all, set);
    const std::lock_guard lock(shard.mutex);
    auto found = shard.sets.find(set);
    if (found == shard.sets.end()) {
        if (shard.sets.size() >= shard.sweep_at) {
            std::erase_if(shard.sets, [&](const auto& one) { return one.second.idle(rule, now); });
            shard.sweep_at = std::max<std::size_t>(16, shard.sets.size() * 2);
        }
        found = shard.sets.try_emplace(set).first;
    }
    return found->second.enter(rule, name, now);
}

void CallerCounts::settle(Shards& all, std::uint64_t set, std::uint64_t name, bool used) {
    Shard& shard = shard_of(all, set);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.sets.find(set);
    if (found == shard.sets.end()) {
        return;
    }
    found->second.settle(name, used);
    if (found->second.size() == 0) {
        shard.sets.erase(found);
    }
}

std::size_t CallerCounts::bytes() const {
    std::size_t bytes = 0;
    for (const Shards* all : {&by_caller_, &by_namespace_}) {
        for (const Shard& shard : *all) {
            const std::lock_guard lock(shard.mutex);
            for (const auto& [set, names] : shard.sets) {
                bytes += names.bytes() + sizeof(set) + sizeof(names) + 3 * sizeof(void*);
            }
        }
    }
    return bytes;
}

}  // namespace holdfast
