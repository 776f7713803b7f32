#include "node_ask.h"

namespace holdfast::redis {

Question& Question::add(const AnyCommand& command) {
    append_resp_count(bytes_, command.words());
    bytes_.append(command.bytes());
    ++count_;
    return *this;
}

Error error_at(const Endpoint& node, const Error& error) {
    ErrorContext context = error.context() == nullptr ? ErrorContext() : *error.context();
    context.node = node.text();
    return Error(error.code(), Effect::none, error.what()).with(std::move(context));
}

NodeAsk::NodeAsk(
    Loop& loop,
    Random& random,
    std::shared_ptr<const RedisOptions> options,
    Endpoint node,
    Work& ended
)
    : loop_(&loop), node_(std::move(node)), listener_(&ended) {
    NodeLinkOptions link;
    link.target = DialTarget(node_);
    link.redial = Redial::on_demand;
    link.fail_fast = true;
    link.mux.silent_max = options->silent_max();
    link_ = std::make_shared<NodeLink>(loop, random, std::move(options), link);
}

NodeAsk::~NodeAsk() {
    listener_ = nullptr;
    link_->close(closed_error());
}

void NodeAsk::ask(const Question& question, SteadyTime deadline) {
    replies_.clear();
    failure_.reset();
    asked_at_ = loop_->now();
    carry("batch", question.bytes(), question.count(), Repeat::read, deadline);
    if (auto refused = link_->submit(*this); refused.has_value()) {
        failed(std::move(*refused));
    }
}

void NodeAsk::replied(RespView reply, bool last) {
    replies_.add(reply);
    if (last) {
        end();
    }
}

void NodeAsk::failed(Error error) {
    if (error.code() == Code::timed_out) {
        link_->drop();  // a mute connection is not asked again: the next ask dials
    }
    failure_.emplace(error_at(node_, error));
    end();
}

void NodeAsk::end() {
    ended_ = true;
    if (listener_ != nullptr) {
        loop_->post(*listener_);
    }
}

}  // namespace holdfast::redis
