#include "tracked_node.h"

#include "resp_kinds.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/commands/clients.h>

namespace holdfast::redis {
namespace {

AnyCommand tracking(const std::vector<std::string>& prefixes) {
    TrackingOptions options;
    if (!prefixes.empty()) {
        options.broadcast();
        for (const std::string& prefix : prefixes) {
            options.prefix(prefix);
        }
    }
    return client_tracking(options).any();
}

}  // namespace

TrackedNode::TrackedNode(
    Loop& loop,
    Random& random,
    const RedisOptions& options,
    TrackedNodeOptions node,
    TrackedWatcher& watcher
)
    : watcher_(&watcher) {
    NodeLinkOptions link;
    link.target = std::move(node.target);
    link.target.first_commands.push_back(tracking(node.prefixes));
    link.watcher = this;
    link.redial = Redial::always;
    link.probe = node.probe;
    link.mux.probe = node.probe.get();
    link.mux.in_flight_max = options.in_flight_max();
    link.mux.queue_bytes_max = options.queue_bytes_max();
    link.mux.wait_when_full = options.when_full() == WhenFull::wait;
    link.mux.silent_max = tracked_ping_patience;
    // RESP2 cannot say anything unasked.
    const auto resp3 = std::make_shared<const RedisOptions>(RedisOptions(options).protocol(3));
    link_ = std::make_shared<NodeLink>(loop, random, resp3, link);
}

void TrackedNode::opened() {
    up_ = was_up_ = true;
    refusal_.reset();
}

void TrackedNode::lost() {
    if (std::exchange(up_, false) && !fault("redis.cache_flush")) {
        watcher_->all_changed();
    }
}

void TrackedNode::not_opened(const Error& error) {
    if (!beyond_waiting(error.code())) {
        return;
    }
    if (error.code() == Code::unsupported) {
        refusal_.emplace(no_tracking());
    } else {
        refusal_.emplace(error.code(), Effect::none, error.what());
    }
}

void TrackedNode::tick() {
    if (up_ && !ping_.pending()) {
        ping_.send(link_->loop().now() + tracked_ping_patience);
    }
}

void TrackedNode::silent() {
    if (up_) {
        lost();  // at once, not when the link comes to know
        link_->drop();
    }
}

void TrackedNode::pushed(RespView push) {
    auto at = push.begin();
    if (push.size() < 2 || (*at).text() != "invalidate") {
        return;
    }
    ++at;
    const RespView keys = *at;
    if (!keys.is_aggregate()) {  // null: FLUSHALL or FLUSHDB
        watcher_->all_changed();
        return;
    }
    for (const RespView key : keys) {
        watcher_->changed(key.text());
    }
}

}  // namespace holdfast::redis
