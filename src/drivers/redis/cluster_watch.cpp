#include "cluster_watch.h"

#include "resp_kinds.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/commands/cluster.h>
#include <holdfast/redis/errors.h>

#include <algorithm>

namespace holdfast::redis {

ClusterWatch::ClusterWatch(
    Loop& loop,
    Random& random,
    std::shared_ptr<const RedisOptions> options,
    std::vector<Endpoint> seeds,
    Publish publish,
    Failed failed
)
    : loop_(&loop), random_(&random), options_(std::move(options)), publish_(std::move(publish)),
      failed_(std::move(failed)), map_(std::move(seeds)), pace_(random), backoff_(random) {
    question_.add(cluster_slots().any()).add(cluster_nodes().any());
}

ClusterWatch::~ClusterWatch() = default;

void ClusterWatch::start() {
    doubts_ = answers_without_news;  // the first answer is what one node knows, perhaps since now
    loop_->post(timer_);
}

void ClusterWatch::suspect(Suspicion) {
    if (stopped_) {
        return;
    }
    doubts_ = answers_without_news;
    pace_.suspect(loop_->now());
    wake();
}

void ClusterWatch::moved(std::uint16_t slot, const Endpoint& owner) {
    if (stopped_) {
        return;
    }
    // Many at once are published together.
    changed_ = map_.moved(slot, owner, loop_->now()) || changed_;
    suspect(Suspicion::moved);
}

void ClusterWatch::stop() {
    stopped_ = true;
    nodes_.clear();
    timer_.unlink();  // an io_context would run on for it
    answered_.unlink();
}

std::optional<Error> ClusterWatch::last_failure() const {
    if (!failure_.has_value()) {
        return std::nullopt;
    }
    return copy_of(*failure_);
}

void ClusterWatch::turn() {
    take_answers();
    if (!refreshing_ && next_turn() <= loop_->now()) {
        begin();
    }
    ask_on();
    prune();
    const bool changed = std::exchange(changed_, false);
    const bool in_vain = std::exchange(untold_, false);
    wake();
    if (changed) {
        publish_(map_.topology());
    } else if (in_vain) {
        failed_(*failure_);
    }
}

// Also those that come late: the map judges by epochs.
void ClusterWatch::take_answers() {
    for (const auto& node : nodes_) {
        if (!node->take_ended()) {
            continue;
        }
        node->judge(learn(*node));
        if (node->useful()) {
            end(true);
        } else {
            hedge_at_ = loop_->now();  // another one in its place
        }
    }
}

bool ClusterWatch::learn(NodeAsk& node) {
    if (node.failure() != nullptr) {
        fail(copy_of(*node.failure()));
        return false;
    }
    const RespView slots = node.replies()[0];
    const RespView nodes = node.replies()[1];
    if (slots.is_error()) {
        fail(error_at(node.node(), error_of(slots, cluster_slots().any())));
        return false;
    }
    const std::string_view lines = nodes.is_error() ? std::string_view() : nodes.text();
    auto learnt = map_.learn(slots, lines, node.node(), loop_->now());
    if (!learnt.ok()) {
        fail(error_at(node.node(), learnt.error()));
        return false;
    }
    failure_.reset();
    if (learnt.value()) {
        changed_ = true;
        doubts_ = doubts_ == 0 ? 0 : answers_without_news + 1;
    }
    return true;
}

// What waiting cannot cure is told rather than what it can.
void ClusterWatch::fail(Error why) {
    if (!worst_.has_value() || !beyond_waiting(worst_->code())) {
        worst_.emplace(std::move(why));
    }
}

void ClusterWatch::begin() {
    refreshing_ = true;
    worst_.reset();
    left_ = candidates();
    hedge_at_ = loop_->now();
    pace_.begun(loop_->now());
}

void ClusterWatch::ask_on() {
    const SteadyTime now = loop_->now();
    while (refreshing_) {
        const std::size_t asked = busy();
        if (left_.empty() && asked == 0) {
            take_answers();  // of asks that ended where they began
            end(false);
            return;
        }
        const bool patient = asked != 0 && (now < hedge_at_ || fault("redis.28"));
        if (left_.empty() || patient || asked >= asks_at_once_max) {
            return;
        }
        NodeAsk& node = node_at(left_.back());
        left_.pop_back();
        if (!node.busy()) {  // else it still owes its answer of the last time
            node.ask(question_, now + (fault("redis.28") ? Duration(3'600'000) : ask_time));
        }
        hedge_at_ = now + ask_patience;
    }
}

void ClusterWatch::end(bool learnt) {
    if (!std::exchange(refreshing_, false)) {
        return;
    }
    const SteadyTime now = loop_->now();
    left_.clear();
    if (learnt) {
        backoff_.succeeded();
        not_before_ = now;
        doubts_ -= doubts_ == 0 ? 0 : 1;
        if (doubts_ != 0) {
            pace_.suspect(now);
        }
    } else {
        not_before_ = now + backoff_.next();
        failure_ = std::exchange(worst_, std::nullopt);
        untold_ = failure_.has_value() && map_.topology() == nullptr;
    }
    pace_.ended(now, learnt);
}

// Closes what nobody needs any more.
void ClusterWatch::prune() {
    if (fault("redis.44")) {
        return;
    }
    const bool known = map_.topology() != nullptr;
    std::erase_if(nodes_, [&](const auto& node) {
        return known && !node->busy() && !map_.knows(node->node());
    });
    while (nodes_.size() > asked_kept_max) {
        const auto oldest = std::ranges::min_element(nodes_, {}, [](const auto& node) {
            return node->busy() ? SteadyTime::max() : node->asked_at();
        });
        nodes_.erase(oldest);
    }
}

SteadyTime ClusterWatch::next_turn() const {
    if (!refreshing_) {
        return std::max(pace_.due(), not_before_);
    }
    const bool waits = left_.empty() || busy() >= asks_at_once_max || fault("redis.28");
    return waits ? SteadyTime::max() : hedge_at_;
}

void ClusterWatch::wake() {
    const SteadyTime next = next_turn();
    if (changed_) {
        loop_->post(timer_);
    } else if (next == SteadyTime::max()) {
        timer_.unlink();
    } else {
        loop_->arm(timer_, std::max(next, loop_->now()));
    }
}

std::size_t ClusterWatch::busy() const {
    return static_cast<std::size_t>(std::ranges::count_if(nodes_, [](const auto& node) {
        return node->busy();
    }));
}

// Those that answered the last time before those that did not, seeds that are no nodes at the very
// end; else by chance, so that many clients do not ask the same one.
std::vector<Endpoint> ClusterWatch::candidates() {
    std::vector<Endpoint> all = map_.nodes();
    for (std::size_t left = all.size(); left > 1; --left) {
        std::swap(all[left - 1], all[random_->next() % left]);
    }
    const auto known = std::partition(all.begin(), all.end(), [&](const Endpoint& node) {
        return !map_.knows(node);
    });
    std::partition(known, all.end(), [&](const Endpoint& node) {
        return std::ranges::any_of(nodes_, [&](const auto& asked) {
            return asked->node() == node && !asked->useful();
        });
    });
    return all;
}

NodeAsk& ClusterWatch::node_at(const Endpoint& endpoint) {
    for (const auto& node : nodes_) {
        if (node->node() == endpoint && !fault("redis.44")) {
            return *node;
        }
    }
    nodes_.push_back(std::make_unique<NodeAsk>(*loop_, *random_, options_, endpoint, answered_));
    return *nodes_.back();
}

}  // namespace holdfast::redis
