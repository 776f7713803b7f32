#include "sentinel_watch.h"

#include "resp_kinds.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/errors.h>

#include <algorithm>

namespace holdfast::redis {
namespace {

// "master <name> .." or ".. @ <name> ..", and the name first in +switch-master.
bool is_of(std::string_view payload, std::string_view master) {
    for (std::size_t at = payload.find(master); at != std::string_view::npos;
         at = payload.find(master, at + 1)) {
        const std::size_t end = at + master.size();
        if ((at == 0 || payload[at - 1] == ' ') && (end == payload.size() || payload[end] == ' ')) {
            return true;
        }
    }
    return false;
}

}  // namespace

SentinelWatch::SentinelWatch(
    Loop& loop,
    Random& random,
    std::shared_ptr<const RedisOptions> options,
    std::vector<Endpoint> sentinels,
    std::string master,
    Publish publish,
    Failed failed
)
    : loop_(&loop), random_(&random), options_(std::move(options)), master_(std::move(master)),
      publish_(std::move(publish)), failed_(std::move(failed)),
      view_(master_, std::move(sentinels)), pace_(random), backoff_(random) {
    for (const char* what : {"SENTINEL|MASTER", "SENTINEL|REPLICAS", "SENTINEL|SENTINELS"}) {
        question_.add(AnyCommand(what, Repeat::read).add(master_));
    }
    question_.add(AnyCommand("SENTINEL|MYID", Repeat::read));
}

SentinelWatch::~SentinelWatch() = default;

void SentinelWatch::start() {
    doubts_ = answers_without_news;  // the first answer is what one node knows, perhaps since now
    loop_->post(timer_);
}

void SentinelWatch::suspect(Suspicion) {
    if (stopped_) {
        return;
    }
    doubts_ = answers_without_news;
    pace_.suspect(loop_->now());
    wake();
}

void SentinelWatch::stop() {
    stopped_ = true;
    nodes_.clear();
    for (const auto& ear : ears_) {
        ear->close();
    }
    ears_.clear();
    timer_.unlink();  // an io_context would run on for it
    answered_.unlink();
}

std::optional<Error> SentinelWatch::last_failure() const {
    if (!failure_.has_value()) {
        return std::nullopt;
    }
    return copy_of(*failure_);
}

void SentinelWatch::heard(std::string_view event, std::string_view payload) {
    if (event == "+switch-master" && !fault("redis.sentinel_push")) {
        const auto switched = view_.switched(payload);
        changed_ = changed_ || (switched.ok() && switched.value());
    }
    if (is_of(payload, master_)) {
        suspect(Suspicion::unreachable);
    }
}

// What was said before is gone.
void SentinelWatch::began_to_hear() {
    pace_.suspect(loop_->now());
    wake();
}

void SentinelWatch::turn() {
    take_answers();
    if (!polling_ && next_turn() <= loop_->now()) {
        begin();
    }
    ask_on();
    const bool changed = may_publish() && std::exchange(changed_, false);
    const bool in_vain = std::exchange(untold_, false);
    wake();
    if (changed) {
        known_ = true;
        publish_(view_.topology());
    } else if (in_vain) {
        failed_(*failure_);
    }
}

// Also those that come late: the view judges by epochs.
void SentinelWatch::take_answers() {
    for (const auto& node : nodes_) {
        if (!node->take_ended()) {
            continue;
        }
        node->judge(learn(*node));
        if (polling_ && node->useful() && learnt_++ == 0) {
            end_at_ = std::min(end_at_, loop_->now() + ask_patience);
        }
    }
}

bool SentinelWatch::learn(const NodeAsk& node) {
    if (node.failure() != nullptr) {
        fail(copy_of(*node.failure()));
        return false;
    }
    const Replies& replies = node.replies();
    auto learnt =
        view_.learn(node.node(), replies[3], replies[0], replies[1], replies[2], loop_->now());
    if (!learnt.ok()) {
        fail(error_at(node.node(), learnt.error()));
        return false;
    }
    failure_.reset();
    news_ = news_ || learnt.value();
    changed_ = changed_ || learnt.value();
    return true;
}

// What waiting cannot cure is told rather than what it can.
void SentinelWatch::fail(Error why) {
    if (!worst_.has_value() || !beyond_waiting(worst_->code())) {
        worst_.emplace(std::move(why));
    }
}

void SentinelWatch::begin() {
    polling_ = true;
    news_ = false;
    learnt_ = 0;
    worst_.reset();
    asked_.clear();
    end_at_ = SteadyTime::max();
    pace_.begun(loop_->now());
}

// Also those that were named by an answer of this poll.
void SentinelWatch::ask_on() {
    if (!polling_) {
        return;
    }
    const SteadyTime now = loop_->now();
    for (const Endpoint& sentinel : view_.sentinels()) {
        if (std::ranges::find(asked_, sentinel) != asked_.end()) {
            continue;
        }
        asked_.push_back(sentinel);
        NodeAsk& node = node_at(sentinel);
        if (!node.busy()) {  // else it still owes its answer of the last time
            node.ask(question_, now + ask_time);
        }
    }
    take_answers();  // of asks that ended where they began
    if (!busy() || end_at_ <= now) {
        end();
    }
}

void SentinelWatch::end() {
    const SteadyTime now = loop_->now();
    polling_ = false;
    if (learnt_ != 0) {
        backoff_.succeeded();
        not_before_ = now;
        if (news_ && doubts_ != 0) {
            doubts_ = answers_without_news + 1;
        }
        doubts_ -= doubts_ == 0 ? 0 : 1;
        if (doubts_ != 0) {
            pace_.suspect(now);
        }
    } else {
        not_before_ = now + backoff_.next();
        failure_ = in_vain();
        untold_ = view_.topology() == nullptr;
    }
    pace_.ended(now, learnt_ != 0);
    prune();
    keep_ears();
}

Error SentinelWatch::in_vain() const {
    if (worst_.has_value() && beyond_waiting(worst_->code())) {
        return copy_of(*worst_);
    }
    ErrorContext context;
    context.situation = "sentinels=" + std::to_string(asked_.size());
    if (worst_.has_value()) {
        context.node = worst_->context()->node;
        context.situation += " the last: ";
        context.situation += worst_->what();
    }
    return Error(Code::unreachable, Effect::none, "no sentinel answers").with(std::move(context));
}

// Closes what belongs to sentinels that nobody names any more.
void SentinelWatch::prune() {
    const std::vector<Endpoint> named = view_.sentinels();
    std::erase_if(nodes_, [&](const auto& node) {
        return !node->busy() && std::ranges::find(named, node->node()) == named.end();
    });
}

// Hears two sentinels that answer.
void SentinelWatch::keep_ears() {
    const auto useful = [&](const Endpoint& sentinel) {
        return std::ranges::any_of(nodes_, [&](const auto& node) {
            return node->node() == sentinel && node->useful() && !node->busy();
        });
    };
    if (learnt_ == 0) {
        return;
    }
    std::erase_if(ears_, [&](const auto& ear) {
        const bool deaf = ear->over() || !useful(ear->node());
        if (deaf) {
            ear->close();
        }
        return deaf;
    });
    for (const auto& node : nodes_) {
        const bool open = std::ranges::any_of(ears_, [&](const auto& ear) {
            return ear->node() == node->node();
        });
        if (ears_.size() < sentinels_heard && !open && useful(node->node())) {
            ears_.push_back(std::make_shared<SentinelEar>(
                *loop_, *random_, *options_, node->node(), static_cast<SentinelListener&>(*this)
            ));
            ears_.back()->open();
        }
    }
}

SteadyTime SentinelWatch::next_turn() const {
    return polling_ ? end_at_ : std::max(pace_.due(), not_before_);
}

void SentinelWatch::wake() {
    const SteadyTime next = next_turn();
    if (changed_ && may_publish()) {
        loop_->post(timer_);
    } else if (next == SteadyTime::max()) {
        timer_.unlink();
    } else {
        loop_->arm(timer_, std::max(next, loop_->now()));
    }
}

bool SentinelWatch::busy() const {
    return std::ranges::any_of(nodes_, [](const auto& node) { return node->busy(); });
}

NodeAsk& SentinelWatch::node_at(const Endpoint& sentinel) {
    for (const auto& node : nodes_) {
        if (node->node() == sentinel) {
            return *node;
        }
    }
    nodes_.push_back(std::make_unique<NodeAsk>(*loop_, *random_, options_, sentinel, answered_));
    return *nodes_.back();
}

}  // namespace holdfast::redis
