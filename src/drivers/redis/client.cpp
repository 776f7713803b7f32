#include "cluster_watch.h"
#include "loop_side.h"
#include "sentinel_watch.h"
#include "subscription_state.h"

#include <holdfast/io/random.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/read.h>

#include <atomic>
#include <mutex>

namespace holdfast::redis {
namespace {

// Ends all calls of one loop, on that loop. Owns itself.
class Closing final : public Work {
public:
    explicit Closing(std::shared_ptr<LoopSide> side) : side_(std::move(side)) {}
    void run() override {
        side_->close(closed_error());
        delete this;
    }

private:
    std::shared_ptr<LoopSide> side_;
};

Task<bool> draining(std::shared_ptr<LoopSide> side, Deadline deadline) {
    side->close_door();
    while (!side->drained() && !deadline.passed(side->loop().now())) {
        auto slept = co_await sleep(side->loop().now() + Duration(1));
        if (!slept.ok()) {
            break;
        }
    }
    const bool all = side->drained();
    side->close(closed_error());
    co_return all;
}

// What of these options cannot be; null: nothing.
const char* fault_of(const RedisOptions& options) {
    if (options.in_flight_max() == 0) {
        return "options of a server that cannot be: in_flight_max";
    }
    if (options.shape() == Shape::single) {
        const bool nowhere = options.host().empty() && options.unix_path().empty();
        return options.port() == 0 || nowhere ? "options of a server that cannot be" : nullptr;
    }
    if (options.endpoints().empty()) {
        return "nobody to ask where the servers are";
    }
    if (options.shape() == Shape::cluster && options.database() != 0) {
        return "a cluster has database 0 alone";
    }
    if (options.shape() == Shape::sentinel && options.sentinel_master().empty()) {
        return "sentinels need the name of the master";
    }
    return nullptr;
}

class KeyOf {
public:
    explicit KeyOf(std::string_view key) : key_(key) {}
    std::int32_t slot() const { return key_.empty() ? slot_of_no_key : key_slot(key_); }

private:
    std::string_view key_;
};

std::unique_ptr<TopologyWatch> make_watch(
    Loop& loop,
    Random& random,
    const std::shared_ptr<const RedisOptions>& options,
    Watching& watching  // owns it
) {
    const std::vector<Endpoint>& asked = options->endpoints();
    const auto publish = [to = &watching](const std::shared_ptr<const Topology>& topology) {
        to->publish(topology);
    };
    const auto failed = [to = &watching](const Error& why) {
        to->failed(why);
    };
    if (options->shape() == Shape::cluster) {
        return std::make_unique<ClusterWatch>(loop, random, options, asked, publish, failed);
    }
    return std::make_unique<SentinelWatch>(
        loop, random, options, asked, options->sentinel_master(), publish, failed
    );
}

Task<> authenticate(std::shared_ptr<NodeLink> link, Credentials credentials, Deadline deadline) {
    AnyCommand any("AUTH", Repeat::idempotent);
    if (!credentials.user.empty()) {  // servers before 6.0 take the password alone
        any.add(credentials.user);
    }
    any.add(credentials.password.reveal());
    Run<Done> run(Route(*link), Command<Done>(std::move(any), read_ok), deadline);
    co_return co_await run;
}

Task<>
authenticate_all(std::shared_ptr<LoopSide> side, Credentials credentials, Deadline deadline) {
    const std::vector<std::shared_ptr<NodeLink>> links = side->open_links();
    for (const auto& link : links) {
        auto done = co_await authenticate(link, credentials, deadline);
        if (!done.ok()) {
            co_return std::move(done).error();
        }
    }
    for (const auto& subscription : side->listeners().all()) {
        auto done = co_await SubscriptionState::authenticate(subscription, credentials, deadline);
        if (!done.ok()) {
            co_return std::move(done).error();
        }
    }
    co_return Done();
}

// What of these channels cannot be; null: nothing.
const char* fault_of(const Channels& channels) {
    const std::vector<std::string>& sharded = channels.shard_channels();
    if (channels.empty()) {
        return "no channel";
    }
    if (!sharded.empty() && !(channels.channels().empty() && channels.patterns().empty())) {
        return "channels of a slot are subscribed to by themselves";
    }
    for (const std::string& name : sharded) {
        if (key_slot(name) != key_slot(sharded.front())) {
            return "the channels have different slots";
        }
    }
    return nullptr;
}

struct Authenticated {
    std::atomic<std::size_t> left;
    std::mutex mutex;
    std::optional<Error> first;
};

struct Drained {
    std::atomic<std::size_t> left;
    std::atomic<bool> all = true;
};

}  // namespace

Client::Client(Runtime& runtime, RedisOptions options)
    : runtime_(&runtime), random_(&runtime.random()),
      options_(std::make_shared<const RedisOptions>(std::move(options))) {
    std::vector<Loop*> loops;
    for (std::size_t i = 0; i < runtime.loop_count(); ++i) {
        loops.push_back(&runtime.loop(i));
    }
    build(loops);
}

Client::Client(Loop& loop, Random& random, RedisOptions options)
    : random_(&random), options_(std::make_shared<const RedisOptions>(std::move(options))) {
    build({&loop});
}

void Client::build(const std::vector<Loop*>& loops) {
    Loop& first = *loops.front();
    if (options_->shape() != Shape::single) {
        watching_ = std::make_shared<Watching>(first);
    }
    for (Loop* loop : loops) {
        sides_.push_back(std::make_shared<LoopSide>(*loop, *random_, options_, watching_));
    }
    if (watching_ != nullptr) {
        watching_->attach(
            make_watch(first, *random_, options_, *watching_), {sides_.begin(), sides_.end()}
        );
    }
}

Loop& Client::home() const {
    return runtime_ == nullptr ? sides_.front()->loop() : runtime_->pick();
}

Client::~Client() {
    if (watching_ != nullptr) {
        watching_->stop();
    }
    for (auto& side : sides_) {
        Loop& loop = side->loop();
        loop.send(*new Closing(std::move(side)));
    }
}

Task<bool> Client::close(Deadline deadline) {
    auto drained = std::make_shared<Drained>();
    drained->left = sides_.size();
    for (const auto& side : sides_) {
        holdfast::spawn(side->loop(), draining(side, deadline), [drained](Result<bool> all) {
            if (!all.ok() || !all.value()) {
                drained->all = false;
            }
            --drained->left;
        });
    }
    const std::shared_ptr<Watching> watching = watching_;  // we may be gone when it is over
    Loop& loop = (co_await this_scope()).loop();
    while (drained->left != 0) {
        auto slept = co_await sleep(loop.now() + Duration(1));
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
    if (watching != nullptr) {
        watching->stop();
    }
    co_return drained->all.load();
}

Task<> Client::reauthenticate(Deadline deadline) {
    if (!options_->credentials()) {
        co_return Error(Code::invalid_argument, Effect::none, "a client without credentials");
    }
    auto credentials = options_->credentials()();
    if (!credentials.ok()) {
        co_return std::move(credentials).error();
    }
    auto state = std::make_shared<Authenticated>();
    state->left = sides_.size();
    for (const auto& side : sides_) {
        holdfast::spawn(
            side->loop(),
            authenticate_all(side, credentials.value(), deadline),
            [state](Result<Done> done) {
                if (!done.ok()) {
                    const std::lock_guard lock(state->mutex);
                    if (!state->first.has_value()) {
                        state->first.emplace(std::move(done).error());
                    }
                }
                --state->left;
            }
        );
    }
    Loop& loop = (co_await this_scope()).loop();
    while (state->left != 0) {
        auto slept = co_await sleep(loop.now() + Duration(1));
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
    if (state->first.has_value()) {
        co_return std::move(*state->first);
    }
    co_return Done();
}

LoopSide* Client::side_of(const Loop& loop) const {
    for (const auto& side : sides_) {
        if (&side->loop() == &loop) {
            return side.get();
        }
    }
    return nullptr;
}

Result<Lease> Client::lease(Loop& loop, std::string_view key) {
    LoopSide* side = side_of(loop);
    if (side == nullptr) {
        return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    const KeyOf of(key);
    std::optional<Error> refused;
    NodeSide* node = side->primary_of(Whereto(of, Repeat::once, Lane::lease, false), refused);
    if (node == nullptr) {
        return std::move(*refused);
    }
    return node->lease();
}

Task<Lease> Client::lease_of(std::string key, Deadline deadline) {
    Loop& loop = (co_await this_scope()).loop();
    // Of a cluster a command with the key: a node that has lost it says who has it now.
    const bool cluster = options_->shape() == Shape::cluster;
    AnyCommand any(cluster ? "EXISTS" : "PING", Repeat::idempotent);
    if (cluster) {
        any.add_key(key);
    }
    Run<OwnedReply> look(Route(*this), Command<OwnedReply>(std::move(any), read_reply), deadline);
    auto answered = co_await look;
    if (!answered.ok() && answered.error().code() != Code::denied) {
        co_return std::move(answered).error();
    }
    co_return lease(loop, key);
}

Result<Subscription> Client::subscribe(Loop& loop, Channels channels) {
    LoopSide* side = side_of(loop);
    if (side == nullptr) {
        return Error(Code::invalid_argument, Effect::none, "a loop of another runtime");
    }
    if (const char* fault = fault_of(channels)) {
        return Error(Code::invalid_argument, Effect::none, fault);
    }
    auto state = std::make_shared<SubscriptionState>(
        side->shared_from_this(), options_, *random_, std::move(channels)
    );
    holdfast::spawn(loop, SubscriptionState::live(state), [state](Result<Done>) {}, &state->root);
    return Subscription(std::move(state));
}

Lease::Lease(std::shared_ptr<NodeSide> side, std::shared_ptr<NodeLink> link)
    : side_(std::move(side)), link_(std::move(link)) {}

Lease::~Lease() {
    if (side_ != nullptr) {
        side_->give_back(std::move(link_), watched_, !in_multi_ && !spoiled_);
    }
}

void Lease::before(const AnyCommand& command) {
    const std::string_view name = command.name();
    const bool only_looks =
        command.repeat() == Repeat::read || name == "WATCH" || name == "UNWATCH";
    may_have_done_ = may_have_done_ || !only_looks;
    if (command.lane() == Lane::shared) {
        return;
    }
    if (name == "WATCH") {
        watched_ = true;
    } else if (name == "MULTI") {
        in_multi_ = true;
    } else if (name == "EXEC" || name == "DISCARD") {
        in_multi_ = watched_ = false;
    } else if (name != "UNWATCH") {
        spoiled_ = true;  // a mode that we cannot undo
    }
}

Result<std::unique_ptr<Client>> open_redis(Runtime& runtime, RedisOptions options) {
    if (const char* fault = fault_of(options)) {
        return Error(Code::invalid_argument, Effect::none, fault);
    }
    return std::make_unique<Client>(runtime, std::move(options));
}

Result<std::unique_ptr<Client>> open_redis(Loop& loop, RedisOptions options) {
    if (const char* fault = fault_of(options)) {
        return Error(Code::invalid_argument, Effect::none, fault);
    }
    return std::make_unique<Client>(loop, system_random(), std::move(options));
}

}  // namespace holdfast::redis
