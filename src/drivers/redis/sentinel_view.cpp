#include "sentinel_view.h"

#include "node_address.h"
#include "sentinel_answer.h"
#include "uri_parts.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>

#include <algorithm>
#include <array>
#include <utility>

namespace holdfast::redis {

SentinelView::SentinelView(std::string name, std::vector<Endpoint> given)
    : name_(std::move(name)), given_(std::move(given)) {}

Result<bool> SentinelView::learn(
    const Endpoint& sentinel,
    RespView id_reply,
    RespView master_reply,
    RespView replicas_reply,
    RespView sentinels_reply,
    SteadyTime now
) {
    auto read =
        read_sentinel_answer(sentinel, id_reply, master_reply, replicas_reply, sentinels_reply);
    if (!read.ok()) {
        return std::move(read).error();
    }
    const SentinelAnswer& answer = read.value();
    keep(sentinel, answer, now);
    if (announced_ && !announced_at_.has_value()) {
        announced_at_ = now;
    }
    const bool same = topology_ != nullptr && topology_->shards().front().primary == answer.primary;
    disputed_ = topology_ != nullptr && !same && !wins(answer, now);
    if (disputed_ || (same && answer.epoch < epoch_)) {
        return false;
    }
    return adopt(answer, same);
}

// One vote for each sentinel, by however many names it is asked. What others said longer ago is
// forgotten.
void SentinelView::keep(const Endpoint& sentinel, const SentinelAnswer& answer, SteadyTime now) {
    std::erase_if(said_, [&](const Said& said) {
        const bool same = said.by == sentinel || (!said.id.empty() && said.id == answer.id);
        return same || now - said.at > sentinel_said_kept;
    });
    if (said_.size() == sentinels_max) {
        said_.erase(said_.begin());
    }
    Said said;
    said.by = sentinel;
    said.id = answer.id;
    said.primary = answer.primary;
    said.epoch = answer.epoch;
    said.replicas = answer.replicas;
    said.replicas_listed = answer.replicas_listed;
    said.sentinels = answer.sentinels;
    said.at = now;
    said_.push_back(std::move(said));
}

// Of another primary than ours.
bool SentinelView::wins(const SentinelAnswer& answer, SteadyTime now) {
    if (answer.epoch > epoch_ || fault("redis.sentinel_epoch")) {
        return true;
    }
    if (announced_ && now - *announced_at_ < switch_trusted) {
        return false;
    }
    const std::size_t votes = say(answer.primary);
    if (votes * 2 <= said_.size()) {
        return false;
    }
    const bool several = votes > 1 || sentinels().size() == 1;
    return answer.epoch == epoch_ || (several && say(topology_->shards().front().primary) == 0);
}

std::size_t SentinelView::say(const Endpoint& primary) const {
    return static_cast<std::size_t>(std::ranges::count(said_, primary, &Said::primary));
}

// Those that one of the sentinels reaches. By the last answer alone they would come and go where a
// sentinel is cut off from a replica.
std::optional<std::vector<Endpoint>> SentinelView::replicas_of(const SentinelAnswer& answer) const {
    std::optional<std::vector<Endpoint>> all;
    for (const Said& said : said_) {
        if (said.primary == answer.primary && said.epoch == answer.epoch &&
            said.replicas.has_value()) {
            if (!all.has_value()) {
                all.emplace();
            }
            all->insert(all->end(), said.replicas->begin(), said.replicas->end());
        }
    }
    if (all.has_value()) {
        put_in_order(*all);
        all->resize(std::min(all->size(), sentinel_replicas_max));
    }
    return all;
}

bool SentinelView::adopt(const SentinelAnswer& answer, bool same_primary) {
    // The epoch of an announced primary is not known yet if the answer has the one before.
    if (!same_primary || answer.epoch > epoch_) {
        announced_ = false;
        announced_at_.reset();
    }
    epoch_ = answer.epoch;
    ShardNodes nodes;
    nodes.primary = answer.primary;
    if (auto replicas = replicas_of(answer); replicas.has_value()) {
        nodes.replicas = std::move(*replicas);
    } else if (topology_ != nullptr) {
        nodes.replicas = topology_->shards().front().replicas;
        std::erase(nodes.replicas, answer.primary);
    }
    nodes.replicas_known = nodes.replicas.size();
    for (const Said& said : said_) {
        if (said.primary == answer.primary) {
            nodes.replicas_known = std::max(nodes.replicas_known, said.replicas_listed);
        }
    }
    if (!answer.replicas.has_value() && topology_ != nullptr) {
        nodes.replicas_known =
            std::max(nodes.replicas_known, topology_->shards().front().replicas_known);
    }
    return publish(std::move(nodes));
}

bool SentinelView::publish(ShardNodes nodes) {
    if (topology_ != nullptr) {
        const ShardNodes& old = topology_->shards().front();
        if (old.primary == nodes.primary && old.replicas == nodes.replicas &&
            old.replicas_known == nodes.replicas_known) {
            return false;
        }
    }
    topology_ = std::make_shared<const Topology>(Shape::sentinel, std::move(nodes));
    return true;
}

Result<bool> SentinelView::switched(std::string_view payload) {
    const std::string_view name = cut(payload, ' ');
    std::array<Endpoint, 2> ends;  // the old primary, the new one
    for (Endpoint& end : ends) {
        const std::string_view host = cut(payload, ' ');
        const auto port = small_number(cut(payload, ' '), 65'535);
        auto said = said_endpoint(host, port.value_or(0), Endpoint());
        if (!said.has_value()) {
            return not_of_a_sentinel(Endpoint());
        }
        end = std::move(*said);
    }
    if (name.empty() || !payload.empty()) {
        return not_of_a_sentinel(Endpoint());
    }
    if (name != name_ || topology_ == nullptr || topology_->shards().front().primary != ends[0] ||
        ends[0] == ends[1]) {
        return false;
    }
    for (Said& said : said_) {
        said.primary = Endpoint();  // no vote against what it could not know
    }
    announced_ = true;
    announced_at_.reset();
    ShardNodes nodes = topology_->shards().front();  // the old primary is counted as a replica
    nodes.primary = ends[1];
    std::erase(nodes.replicas, ends[1]);
    return publish(std::move(nodes));
}

std::vector<Endpoint> SentinelView::sentinels() const {
    std::vector<Endpoint> all;
    const auto add = [&](const Endpoint& sentinel) {
        if (all.size() < sentinels_max && std::ranges::find(all, sentinel) == all.end()) {
            all.push_back(sentinel);
        }
    };
    std::ranges::for_each(given_, add);
    for (const Said& said : said_) {
        std::ranges::for_each(said.sentinels, add);
    }
    return all;
}

}  // namespace holdfast::redis
