// Which node a subscription listens to.
#include "loop_side.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/random.h>

#include <algorithm>

namespace holdfast::redis {

void LoopSide::suspect(Suspicion why) {
    if (watching_ != nullptr && !closed_) {
        watching_->begin();
        watching_->suspect(why);
    }
}

std::optional<Endpoint> LoopSide::node_for_messages(std::int32_t slot, const Endpoint& avoided) {
    watching_->begin();
    if (slot >= 0 || options_->shape() != Shape::cluster) {
        const ShardSides* shard = shard_of(slot);
        if (shard == nullptr || shard->primary == nullptr) {
            return std::nullopt;
        }
        return shard->primary->node();
    }
    std::vector<Endpoint> all;
    for (const ShardSides& shard : shards_) {
        if (shard.primary != nullptr) {
            all.push_back(shard.primary->node());
        }
    }
    if (all.size() > 1) {
        std::erase(all, avoided);
    }
    if (all.empty()) {
        return std::nullopt;
    }
    return all[random_->next() % all.size()];
}

// Where nobody is known to serve it, whoever did goes on.
bool LoopSide::serves_messages(const Endpoint& node, std::int32_t slot) {
    if (fault("redis.subscription_stays")) {
        return true;
    }
    if (slot >= 0 || options_->shape() != Shape::cluster) {
        const ShardSides* shard = shard_of(slot);
        return shard == nullptr || shard->primary == nullptr || shard->primary->node() == node;
    }
    return std::ranges::any_of(shards_, [&](const ShardSides& shard) {
        return shard.primary != nullptr && shard.primary->node() == node;
    });
}

}  // namespace holdfast::redis
