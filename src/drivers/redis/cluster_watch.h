#pragma once
// Keeps the map of a cluster true: asks its nodes over connections of its own, so that neither a
// mute node nor a full data connection delays it.

#include "backoff.h"
#include "cluster_map.h"
#include "node_ask.h"
#include "pace.h"
#include "topology.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace holdfast::redis {

class ClusterWatch final : public TopologyWatch {
public:
    using Publish = std::function<void(std::shared_ptr<const Topology>)>;
    using Failed = std::function<void(const Error&)>;

    // `publish`: the map is another. `failed`: nothing is known, and waiting cannot cure why
    // (denied, unsupported). Both on the loop's thread, in turns of their own.
    ClusterWatch(
        Loop& loop,
        Random& random,
        std::shared_ptr<const RedisOptions> options,
        std::vector<Endpoint> seeds,
        Publish publish,
        Failed failed
    );
    // After stop(): any thread.
    ~ClusterWatch() override;

    void start() override;
    void suspect(Suspicion why) override;
    void moved(std::uint16_t slot, const Endpoint& owner) override;
    void stop() override;

    // Why the last refresh learnt nothing; empty: it did. For callers who end without a topology.
    std::optional<Error> last_failure() const;
    std::size_t connections() const { return nodes_.size(); }

private:
    class Turn final : public Work {
    public:
        explicit Turn(ClusterWatch& watch) : watch_(&watch) {}
        void run() override { watch_->turn(); }

    private:
        ClusterWatch* watch_;
    };

    // Everything that is due.
    void turn();
    void take_answers();
    // False: it was no map.
    bool learn(NodeAsk& node);
    void begin();
    // Asks on as long as nobody has answered.
    void ask_on();
    void end(bool learnt);
    void fail(Error why);
    void prune();
    void wake();
    SteadyTime next_turn() const;
    std::size_t busy() const;
    // Whom to ask, the first at the back.
    std::vector<Endpoint> candidates();
    NodeAsk& node_at(const Endpoint& endpoint);

    Loop* loop_;
    Random* random_;
    std::shared_ptr<const RedisOptions> options_;
    Publish publish_;
    Failed failed_;
    Question question_;
    ClusterMap map_;
    RefreshPace pace_;
    Backoff backoff_;
    Turn timer_{*this};
    Turn answered_{*this};  // posted when an ask has ended
    std::vector<std::unique_ptr<NodeAsk>> nodes_;
    std::vector<Endpoint> left_;  // of this refresh
    SteadyTime hedge_at_{};       // when the next is asked as well
    SteadyTime not_before_{};     // while nobody answers
    std::optional<Error> worst_;  // of this refresh
    std::optional<Error> failure_;
    int doubts_ = 0;  // answers without news that end the suspicion
    bool refreshing_ = false;
    bool changed_ = false;  // and not yet published
    bool untold_ = false;   // why nothing is known
    bool stopped_ = false;
};

}  // namespace holdfast::redis
