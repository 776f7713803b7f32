#include "cluster_learning.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

// Of two epochs of which either may be unknown.
bool is_older(std::uint64_t epoch, std::uint64_t than) {
    return epoch != 0 && than != 0 && epoch < than;
}

}  // namespace

void ClusterMap::Learning::run() {
    places_.reserve(answer_->shards.size());
    for (const AnsweredShard& shard : answer_->shards) {
        places_.push_back(owner_of(shard));
    }
    for (const AnsweredRange& range : answer_->ranges) {
        for (std::size_t slot = range.first; slot <= range.last; ++slot) {
            say(slot, places_[range.shard], answer_->shards[range.shard].epoch);
        }
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        describe(map_->owners_[places_[i]], answer_->shards[i]);
    }
}

std::uint16_t ClusterMap::Learning::find(const AnsweredShard& shard) const {
    const std::vector<Owner>& owners = map_->owners_;
    std::uint16_t at_address = nobody;
    for (std::size_t i = 0; i < owners.size(); ++i) {
        const std::size_t place = (hint_ + i) % owners.size();
        if (!shard.id.empty() && owners[place].id == shard.id) {
            hint_ = place + 1;
            return static_cast<std::uint16_t>(place);
        }
        if (owners[place].node == shard.primary) {
            at_address = static_cast<std::uint16_t>(place);
        }
    }
    return at_address;
}

// Whoever answers at an address is one process: an owner that was known there by another id, or
// by none, is this one.
std::uint16_t ClusterMap::Learning::owner_of(const AnsweredShard& shard) {
    std::vector<Owner>& owners = map_->owners_;
    std::uint16_t place = find(shard);
    if (place == nobody) {
        Owner owner;
        owner.id = shard.id;
        owner.node = shard.primary;
        owners.push_back(std::move(owner));
        return static_cast<std::uint16_t>(owners.size() - 1);
    }
    Owner& owner = owners[place];
    if (!shard.id.empty() && shard.id != owner.id) {
        owner.epoch = owner.id.empty() ? owner.epoch : 0;
        owner.id = shard.id;
    }
    if (owner.node != shard.primary && !is_older(shard.epoch, owner.epoch)) {
        const auto other = std::ranges::find(owners, shard.primary, &Owner::node);
        if (other != owners.end()) {
            const auto from = static_cast<std::uint16_t>(other - owners.begin());
            map_->merge(place, from);
            std::ranges::replace(places_, from, place);
        }
        owners[place].node = shard.primary;
    }
    return place;
}

void ClusterMap::Learning::say(std::size_t number, std::uint16_t owner, std::uint64_t epoch) {
    Slot& slot = map_->slots_[number];
    if (slot.owner == owner) {
        const bool first_hand = epoch != 0 && is_owners_own(map_->owners_[owner]);
        if (first_hand || epoch > slot.epoch) {
            slot.epoch = epoch;
            slot.by_moved = false;
        }
    } else if (slot.owner == nobody || wins(slot, epoch)) {
        map_->give(number, owner);
        slot.epoch = epoch;
        slot.by_moved = false;
    }
}

bool ClusterMap::Learning::wins(Slot& slot, std::uint64_t epoch) const {
    const Owner& held = map_->owners_[slot.owner];
    if (is_owners_own(held)) {
        return true;  // it knows best that it does not own the slot
    }
    if (slot.by_moved && now_ - slot.moved_at >= moved_trusted) {
        slot.by_moved = false;
        slot.epoch = held.epoch;  // what MOVED stood above is not what its owner has
    }
    if (slot.by_moved && !fault("redis.34")) {
        return slot.epoch != 0 && epoch > slot.epoch;
    }
    return !is_older(epoch, slot.epoch);
}

void ClusterMap::Learning::describe(Owner& owner, const AnsweredShard& shard) const {
    const bool first_hand = is_owners_own(owner);
    if (is_older(shard.epoch, owner.epoch) && !first_hand) {
        return;
    }
    owner.epoch = first_hand && shard.epoch != 0 ? shard.epoch : std::max(shard.epoch, owner.epoch);
    owner.replicas = shard.replicas;
    std::erase(owner.replicas, owner.node);
    if (!answer_->has_nodes) {
        owner.replicas_known = std::max(owner.replicas_known, shard.replicas_listed);
        owner.ousted.clear();
        return;
    }
    // A primary that was ousted and is not back counts: it will be a replica, and may be one
    // already that the others have not heard of.
    std::erase_if(owner.ousted, [this](const std::string& id) {
        return !std::ranges::binary_search(answer_->idle, id);
    });
    owner.replicas_known = shard.replicas_listed + owner.ousted.size();
}

}  // namespace holdfast::redis
