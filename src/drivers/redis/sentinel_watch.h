#pragma once
// Keeps true who the primary of a Sentinel's group is: asks all sentinels now and then, and hears
// of changes from two of them.

#include "backoff.h"
#include "node_ask.h"
#include "pace.h"
#include "sentinel_ear.h"
#include "sentinel_view.h"
#include "topology.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::redis {

class SentinelWatch final : public TopologyWatch, private SentinelListener {
public:
    using Publish = std::function<void(std::shared_ptr<const Topology>)>;
    using Failed = std::function<void(const Error&)>;

    // `options`: how to enter the sentinels, not the servers. `publish` and `failed` as those of
    // ClusterWatch; `failed` also where the sentinels that answer know no master of this name.
    SentinelWatch(
        Loop& loop,
        Random& random,
        std::shared_ptr<const RedisOptions> options,
        std::vector<Endpoint> sentinels,
        std::string master,
        Publish publish,
        Failed failed
    );
    // After stop(): any thread.
    ~SentinelWatch() override;

    void start() override;
    void suspect(Suspicion why) override;
    // Sentinels keep no slots.
    void moved(std::uint16_t, const Endpoint&) override {}
    void stop() override;

    // Why the last poll learnt nothing, with the count of sentinels that were asked in vain; empty:
    // it did. For callers who end without a topology.
    std::optional<Error> last_failure() const;
    std::size_t connections() const { return nodes_.size() + ears_.size(); }

private:
    class Turn final : public Work {
    public:
        explicit Turn(SentinelWatch& watch) : watch_(&watch) {}
        void run() override { watch_->turn(); }

    private:
        SentinelWatch* watch_;
    };

    void heard(std::string_view event, std::string_view payload) override;
    void began_to_hear() override;

    // Everything that is due.
    void turn();
    void take_answers();
    // False: it was no answer.
    bool learn(const NodeAsk& node);
    void begin();
    void ask_on();
    void end();
    void fail(Error why);
    Error in_vain() const;
    // The first topology waits until all who are asked have answered, or had their time: only then
    // is the newest epoch known. Later ones are judged by that.
    bool may_publish() const { return known_ || !polling_; }
    void prune();
    void keep_ears();
    void wake();
    SteadyTime next_turn() const;
    bool busy() const;
    NodeAsk& node_at(const Endpoint& sentinel);

    Loop* loop_;
    Random* random_;
    std::shared_ptr<const RedisOptions> options_;
    std::string master_;
    Publish publish_;
    Failed failed_;
    Question question_;
    SentinelView view_;
    RefreshPace pace_;
    Backoff backoff_;
    Turn timer_{*this};
    Turn answered_{*this};  // posted when an ask has ended
    std::vector<std::unique_ptr<NodeAsk>> nodes_;
    std::vector<std::shared_ptr<SentinelEar>> ears_;
    std::vector<Endpoint> asked_;            // in this poll
    std::size_t learnt_ = 0;                 // answers of this poll
    SteadyTime end_at_ = SteadyTime::max();  // of this poll, whoever has not answered by then
    SteadyTime not_before_{};                // while nobody answers
    std::optional<Error> worst_;             // of this poll
    std::optional<Error> failure_;
    int doubts_ = 0;  // polls without news that end the suspicion
    bool polling_ = false;
    bool news_ = false;     // of this poll
    bool known_ = false;    // a topology was published
    bool changed_ = false;  // and not yet published
    bool untold_ = false;   // why nothing is known
    bool stopped_ = false;
};

}  // namespace holdfast::redis
