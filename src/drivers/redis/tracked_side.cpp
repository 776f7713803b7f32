#include "tracked_side.h"

#include "loop_side.h"
#include "tracked_commands.h"
#include "tracked_flight.h"

#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/metric_names.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

AnyCommand get_of(std::string_view key) {
    return get(key).any();
}

bool serves(const Topology& topology, std::string_view node) {
    return std::any_of(
        topology.shards().begin(),
        topology.shards().end(),
        [&](const ShardNodes& shard) { return shard.primary.text() == node; }
    );
}

}  // namespace

TrackedCells::TrackedCells(Metrics* metrics) {
    const auto cell = [&](std::size_t at, const MetricFamily& family) {
        return metrics == nullptr ? &own_.at(at) : &metrics->counter(family);
    };
    hits = cell(0, redis_metrics::tracked_hits);
    misses = cell(1, redis_metrics::tracked_misses);
    joined = cell(2, redis_metrics::tracked_joined);
    untracked = cell(3, redis_metrics::tracked_untracked);
    invalidations = cell(4, redis_metrics::tracked_invalidations);
    flushes = cell(5, redis_metrics::tracked_flushes);
    evictions = cell(6, redis_metrics::tracked_evictions);
    bytes = metrics == nullptr ? &own_bytes_ : &metrics->gauge(redis_metrics::tracked_bytes);
}

TrackedSide::TrackedSide(
    Client& client, LoopSide& of_client, Random& random, const TrackedOptions& options
)
    : client_(&client), of_client_(&of_client), loop_(&of_client.loop()), random_(&random),
      prefixes_(options.prefixes()), cache_(options.bytes_max(), random.next()),
      cells_(options.metrics()) {
    if (options.age_max() != Duration::zero()) {
        // find() sees the time of the last ping.
        cache_.set_age_max(options.age_max() - tracked_ping_every);
    }
    note_size();
}

void TrackedSide::close() {
    closed_ = true;
    unlink();
    auto nodes = std::exchange(nodes_, {});
    nodes.clear();
    cache_.flush();
    note_size();
}

bool TrackedSide::miss(TrackedWait& wait) {
    cells_.misses->add();
    if (wait.command_.has_value() && !answers_by_its_key_alone(*wait.command_)) {
        wait.fail(Error(
            Code::invalid_argument,
            Effect::none,
            "not a read that answers by its one key alone: it cannot be kept"
        ));
        return false;
    }
    return read(wait);
}

bool TrackedSide::read(TrackedWait& wait) {
    if (closed_) {
        wait.fail(closed_error());
        return false;
    }
    cache_.set_time(loop_->now());
    if (CacheFlight* flying = cache_.flying(wait.key(), wait.command())) {
        cells_.joined->add();
        static_cast<TrackedFlight*>(flying)->join(wait);
        return true;
    }
    const bool is_get = wait.command().empty();
    AnyCommand command = wait.command_.has_value() ? *wait.command_ : get_of(wait.key());
    std::optional<Error> refused;
    TrackedNode* node = broadcast(wait.key()) ? node_of(command, refused) : nullptr;
    if (refused.has_value()) {
        wait.fail(std::move(*refused));
        return false;
    }
    auto flight =
        std::make_unique<TrackedFlight>(*this, std::move(command), is_get, wait.deadline_);
    if (node == nullptr) {
        flight->join(wait);
        flight.release()->read_untracked();
        return true;
    }
    refused = node->submit(*flight);
    if (refused.has_value()) {
        wait.fail(std::move(*refused));
        return false;
    }
    cache_.begin(*flight);
    flight.release()->join(wait);
    return true;
}

bool TrackedSide::broadcast(std::string_view key) const {
    return prefixes_.empty() ||
           std::any_of(prefixes_.begin(), prefixes_.end(), [&](const std::string& prefix) {
               return key.starts_with(prefix);
           });
}

TrackedNode* TrackedSide::node_of(const AnyCommand& command, std::optional<Error>& refused) {
    std::optional<Error> unknown;
    const NodeSide* owner = of_client_->primary_of(Whereto(command), unknown);
    if (owner == nullptr) {
        return nullptr;  // the client waits until it is known, or says why it will not be
    }
    const std::string name = owner->node().text();
    const auto found = nodes_.find(name);
    TrackedNode* node = found == nodes_.end() ? open(owner->node()) : found->second.get();
    if (node->refusal().has_value()) {
        const Error& refusal = *node->refusal();
        refused.emplace(refusal.code(), Effect::none, refusal.what());
    }
    return node->takes_reads() ? node : nullptr;
}

TrackedNode* TrackedSide::open(const Endpoint& endpoint) {
    const RedisOptions& options = client_->options();
    TrackedNodeOptions node;
    node.target = DialTarget(
        endpoint, options.shape() == Shape::sentinel ? NodeRole::primary : NodeRole::any
    );
    node.prefixes = prefixes_;
    node.probe = options.probe() ? options.probe()() : nullptr;
    topology_ = of_client_->topology();
    wind();
    return nodes_
        .emplace(
            endpoint.text(),
            std::make_unique<TrackedNode>(
                *loop_, *random_, options, std::move(node), static_cast<TrackedWatcher&>(*this)
            )
        )
        .first->second.get();
}

void TrackedSide::wind() {
    if (!linked()) {
        loop_->arm(*this, loop_->now() + tracked_ping_every);
    }
}

void TrackedSide::run() {
    const auto self = shared_from_this();
    cache_.set_time(loop_->now());
    std::vector<std::unique_ptr<TrackedNode>> gone;
    if (const auto& now = of_client_->topology(); now != topology_ && now != nullptr) {
        // Whoever served a key may not any more, and would not say so.
        all_changed();
        topology_ = now;
        for (auto at = nodes_.begin(); at != nodes_.end();) {
            if (serves(*now, at->first)) {
                ++at;
            } else {
                gone.push_back(std::move(at->second));
                at = nodes_.erase(at);
            }
        }
    }
    for (const auto& [name, node] : nodes_) {
        node->tick();
    }
    wind();
    gone.clear();
}

void TrackedSide::land(TrackedFlight& flight, RespView reply) {
    cache_.set_time(loop_->now());
    cache_.land(flight, reply);
    note_size();
}

void TrackedSide::note_size() {
    cells_.evictions->add(cache_.evictions() - cells_.evictions->value());
    cells_.bytes->set(static_cast<double>(cache_.bytes()));
}

void TrackedSide::changed(std::string_view key) {
    cells_.invalidations->add();
    cache_.invalidate(key);
    note_size();
}

void TrackedSide::all_changed() {
    cells_.flushes->add();
    cache_.flush();
    note_size();
}

}  // namespace holdfast::redis
