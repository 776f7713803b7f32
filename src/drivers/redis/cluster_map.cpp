#include "cluster_map.h"

#include "cluster_answer.h"
#include "cluster_learning.h"

#include <holdfast/redis/client_limits.h>

#include <algorithm>
#include <set>
#include <utility>

namespace holdfast::redis {
namespace {

Error not_learnt(std::string_view what, const Endpoint& asked) {
    ErrorContext context;
    context.node = asked.text();
    return Error(Code::unreachable, Effect::none, what).with(std::move(context));
}

bool same(const Topology& one, const Topology& other) {
    const auto same_nodes = [](const ShardNodes& a, const ShardNodes& b) {
        return a.primary == b.primary && a.replicas == b.replicas &&
               a.replicas_known == b.replicas_known;
    };
    if (!std::ranges::equal(one.shards(), other.shards(), same_nodes)) {
        return false;
    }
    for (std::int32_t slot = 0; std::cmp_less(slot, cluster_slots_count); ++slot) {
        if (one.shard_of(slot) != other.shard_of(slot)) {
            return false;
        }
    }
    return true;
}

}  // namespace

ClusterMap::ClusterMap(std::vector<Endpoint> seeds)
    : seeds_(std::move(seeds)), slots_(cluster_slots_count) {}

Result<bool> ClusterMap::learn(
    RespView slots_reply, std::string_view nodes_text, const Endpoint& asked, SteadyTime now
) {
    auto answer = read_cluster_answer(slots_reply, nodes_text, asked);
    if (!answer.ok()) {
        return std::move(answer).error();
    }
    return adopt(answer.value(), asked, now);
}

Result<bool> ClusterMap::adopt(const ClusterAnswer& answer, const Endpoint& asked, SteadyTime now) {
    if (answer.ranges.empty()) {
        return not_learnt("the node that was asked knows no slots", asked);
    }
    if (is_foreign(answer)) {
        if (now - heard_ < foreign_cluster_after) {
            return not_learnt("the node that was asked belongs to another cluster", asked);
        }
        owners_.clear();
        slots_.assign(cluster_slots_count, Slot());
    }
    const auto before = topology();
    Learning(*this, answer, asked, now).run();
    tidy();
    heard_ = now;
    ids_ = answer.ids;
    auto after = built();
    if (before != nullptr && same(*before, *after)) {
        return false;
    }
    topology_ = std::move(after);
    return true;
}

bool ClusterMap::is_foreign(const ClusterAnswer& answer) const {
    const auto ours = [this](const std::string& id) {
        return std::ranges::binary_search(ids_, id);
    };
    return !ids_.empty() && !answer.ids.empty() && std::ranges::none_of(answer.ids, ours);
}

bool ClusterMap::moved(std::uint16_t slot, const Endpoint& owner, SteadyTime now) {
    if (slot >= cluster_slots_count || owner.host.empty() || owner.is_unix_socket()) {
        return false;
    }
    Slot& held = slots_[slot];
    const std::uint16_t place = owner_at(owner);
    if (place == nobody) {
        return false;
    }
    held.by_moved = true;
    held.moved_at = now;
    held.epoch = std::max(held.epoch, owners_[place].epoch);
    if (held.owner == place) {
        return false;
    }
    give(slot, place);
    tidy();
    topology_.reset();
    return true;
}

std::uint16_t ClusterMap::owner_at(const Endpoint& node) {
    const auto at = std::ranges::find(owners_, node, &Owner::node);
    if (at != owners_.end()) {
        return static_cast<std::uint16_t>(at - owners_.begin());
    }
    if (owners_.size() >= cluster_shards_max) {
        return nobody;
    }
    Owner owner;
    owner.node = node;
    owners_.push_back(std::move(owner));
    return static_cast<std::uint16_t>(owners_.size() - 1);
}

void ClusterMap::give(std::size_t number, std::uint16_t place) {
    Slot& slot = slots_[number];
    Owner& heir = owners_[place];
    if (slot.owner != nobody) {
        Owner& loser = owners_[slot.owner];
        --loser.slots;
        const bool promoted = std::ranges::find(loser.replicas, heir.node) != loser.replicas.end();
        if (promoted && heir.slots == 0) {
            heir.replicas = loser.replicas;
            std::erase(heir.replicas, heir.node);
            heir.replicas_known = std::max(heir.replicas_known, loser.replicas_known);
            heir.ousted = loser.ousted;
            heir.ousted.push_back(loser.id);
        }
    }
    slot.owner = place;
    ++heir.slots;
}

// Two owners have turned out to be one.
void ClusterMap::merge(std::uint16_t into, std::uint16_t from) {
    for (Slot& slot : slots_) {
        if (slot.owner == from) {
            slot.owner = into;
        }
    }
    owners_[into].slots += std::exchange(owners_[from].slots, 0);
    owners_[from].node = Endpoint();
    owners_[from].id.clear();
}

// Drops owners that own nothing.
void ClusterMap::tidy() {
    std::vector<std::uint16_t> places(owners_.size(), nobody);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < owners_.size(); ++i) {
        if (owners_[i].slots == 0) {
            continue;
        }
        places[i] = static_cast<std::uint16_t>(kept);
        if (kept != i) {
            owners_[kept] = std::move(owners_[i]);
        }
        ++kept;
    }
    if (kept == owners_.size()) {
        return;
    }
    owners_.resize(kept);
    for (Slot& slot : slots_) {
        if (slot.owner != nobody) {
            slot.owner = places[slot.owner];
        }
    }
}

std::shared_ptr<const Topology> ClusterMap::topology() const {
    if (topology_ == nullptr && !owners_.empty()) {
        topology_ = built();
    }
    return topology_;
}

// Shards stand in the order of their lowest slots.
std::shared_ptr<const Topology> ClusterMap::built() const {
    std::vector<ShardNodes> shards;
    std::vector<std::uint16_t> places(owners_.size(), nobody);
    std::vector<std::uint16_t> owners(cluster_slots_count, nobody);
    for (std::size_t slot = 0; slot < cluster_slots_count; ++slot) {
        const std::uint16_t owner = slots_[slot].owner;
        if (owner == nobody) {
            continue;
        }
        if (places[owner] == nobody) {
            places[owner] = static_cast<std::uint16_t>(shards.size());
            ShardNodes& shard = shards.emplace_back();
            shard.primary = owners_[owner].node;
            shard.replicas = owners_[owner].replicas;
            shard.replicas_known = owners_[owner].replicas_known;
        }
        owners[slot] = places[owner];
    }
    return std::make_shared<const Topology>(std::move(shards), std::move(owners));
}

bool ClusterMap::knows(const Endpoint& node) const {
    return std::ranges::any_of(owners_, [&](const Owner& owner) {
        return owner.node == node ||
               std::ranges::find(owner.replicas, node) != owner.replicas.end();
    });
}

std::vector<Endpoint> ClusterMap::nodes() const {
    std::vector<Endpoint> all;
    std::set<std::pair<std::string, std::uint16_t>> seen;
    const auto add = [&](const Endpoint& node) {
        if (seen.emplace(node.host, node.port).second) {
            all.push_back(node);
        }
    };
    for (const Owner& owner : owners_) {
        add(owner.node);
    }
    for (const Owner& owner : owners_) {
        std::ranges::for_each(owner.replicas, add);
    }
    std::ranges::for_each(seeds_, add);
    return all;
}

}  // namespace holdfast::redis
