#include "topology.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/copies_by_shard.h>
#include <holdfast/redis/durable_limits.h>

#include <algorithm>
#include <map>

namespace holdfast::redis {
namespace {

bool contains(const std::vector<Endpoint>& all, const Endpoint& one) {
    return std::ranges::find(all, one) != all.end();
}

}  // namespace

struct CopiesByShard::Shard {
    Shard(WaitRule rule, Alone alone)
        : required(rule, alone), in_cluster(alone == Alone::must_flush) {}

    RequiredCopies required;
    bool in_cluster;
    bool flush_told = false;
    Endpoint primary;
    std::vector<Endpoint> nodes;  // of the last topology, and the primary before
};

CopiesByShard::CopiesByShard(WaitRule rule) : rule_(rule) {}
CopiesByShard::~CopiesByShard() = default;

CopiesByShard::Shard* CopiesByShard::make(bool in_cluster) {
    if (shards_.size() >= copies_shards_max) {
        return nullptr;
    }
    shards_.push_back(
        std::make_unique<Shard>(rule_, in_cluster ? Alone::must_flush : Alone::may_stand)
    );
    return shards_.back().get();
}

CopiesByShard::Shard* CopiesByShard::at_primary(const Endpoint& primary) const {
    for (std::size_t i = 0; i < present_.size(); ++i) {
        if (newest()->shards()[i].primary == primary) {
            return present_[i];
        }
    }
    return nullptr;
}

RequiredCopies*
CopiesByShard::at(const Endpoint& primary, const std::shared_ptr<const Topology>& topology) {
    const std::lock_guard lock(mutex_);
    if (topology == nullptr) {
        Shard* alone = shards_.empty() ? make(false) : shards_.front().get();
        return &alone->required;
    }
    if (std::ranges::find(seen_, topology) == seen_.end()) {
        adopt(topology);
    }
    Shard* shard = at_primary(primary);
    if (shard == nullptr) {
        return nullptr;
    }
    const bool judged = shard->flush_told || !rule_.waits() || shard->required.required() != 0;
    return shard->in_cluster && !judged ? nullptr : &shard->required;
}

void CopiesByShard::role_said(const Endpoint& primary, ReplicasSeen seen, SteadyTime now) {
    const std::lock_guard lock(mutex_);
    if (seen_.empty()) {
        if (!shards_.empty()) {
            shards_.front()->required.seen(seen, now);
        }
    } else if (Shard* shard = at_primary(primary); shard != nullptr) {
        shard->required.seen(seen, now);
    }
}

void CopiesByShard::flushes_always(const Endpoint& primary, bool yes) {
    const std::lock_guard lock(mutex_);
    if (Shard* shard = at_primary(primary); shard != nullptr) {
        shard->flush_told = true;
        shard->required.flushes_always(yes);
    }
}

// The surest sign first.
CopiesByShard::Shard* CopiesByShard::known_again(const ShardNodes& nodes) const {
    if (nodes.primary.host.empty() || fault("redis.copies_forgotten")) {
        return nullptr;
    }
    const auto find = [&](auto&& is) -> Shard* {
        const auto at = std::ranges::find_if(shards_, [&](const auto& one) { return is(*one); });
        return at == shards_.end() ? nullptr : at->get();
    };
    if (Shard* same = find([&](const Shard& one) { return one.primary == nodes.primary; })) {
        return same;
    }
    if (Shard* heir = find([&](const Shard& one) { return contains(one.nodes, nodes.primary); })) {
        return heir;
    }
    return find([&](const Shard& one) { return contains(nodes.replicas, one.primary); });
}

// All its nodes have other addresses: the shard where most of its slots were, if that has gone.
CopiesByShard::Shard* CopiesByShard::had_slots(
    const Topology& topology, std::size_t number, const std::vector<Shard*>& found
) const {
    if (seen_.empty() || fault("redis.copies_forgotten")) {
        return nullptr;
    }
    const std::vector<std::uint16_t>& before = newest()->owners();
    const std::vector<std::uint16_t>& now = topology.owners();
    std::map<std::uint16_t, std::size_t> from;
    for (std::size_t slot = 0; slot < std::min(now.size(), before.size()); ++slot) {
        if (now[slot] == number && before[slot] < present_.size()) {
            ++from[before[slot]];
        }
    }
    const auto most =
        std::ranges::max_element(from, {}, [](const auto& each) { return each.second; });
    Shard* old = most == from.end() ? nullptr : present_[most->first];
    return std::ranges::find(found, old) == found.end() ? old : nullptr;
}

void CopiesByShard::adopt(const std::shared_ptr<const Topology>& topology) {
    const std::vector<ShardNodes>& told = topology->shards();
    const bool in_cluster = topology->shape() == Shape::cluster;
    // Two may be the same one: while a failover is only half known.
    std::vector<Shard*> found(told.size(), nullptr);
    for (std::size_t i = 0; i < told.size(); ++i) {
        found[i] = in_cluster || shards_.empty() ? known_again(told[i]) : shards_.front().get();
    }
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (found[i] == nullptr && !told[i].primary.host.empty()) {
            Shard* old = had_slots(*topology, i, found);
            found[i] = old == nullptr ? make(in_cluster) : old;
        }
    }
    present_ = std::move(found);
    if (seen_.size() == topologies_remembered) {
        seen_.erase(seen_.begin());
    }
    seen_.push_back(topology);
    for (std::size_t i = 0; i < told.size(); ++i) {
        if (present_[i] != nullptr) {
            describe(*present_[i], told[i]);
        }
    }
    for (std::size_t i = 0; i < told.size(); ++i) {
        for (const auto& other : shards_) {
            if (other.get() != present_[i]) {  // what another has now is no heir of this one
                std::erase_if(other->nodes, [&](const Endpoint& node) {
                    return node == told[i].primary || contains(told[i].replicas, node);
                });
            }
        }
    }
}

void CopiesByShard::describe(Shard& shard, const ShardNodes& nodes) {
    shard.required.known(static_cast<std::int64_t>(nodes.replicas_known));
    const bool named = !nodes.primary.host.empty();
    std::vector<Endpoint> all = nodes.replicas;
    if (named && shard.primary != nodes.primary) {
        if (at_primary(shard.primary) == &shard) {  // half known: the old one is still named
            shard.nodes.push_back(nodes.primary);
            return;
        }
        shard.required.another_primary();
        shard.flush_told = false;
        if (!shard.primary.host.empty()) {
            all.push_back(shard.primary);
        }
        shard.primary = nodes.primary;
    }
    all.push_back(shard.primary);
    shard.nodes = std::move(all);
}

}  // namespace holdfast::redis
