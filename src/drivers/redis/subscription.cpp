#include "redirect.h"
#include "resp_kinds.h"
#include "subscription_state.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/compose.h>
#include <holdfast/redis/errors.h>
#include <holdfast/redis/subscription.h>

namespace holdfast::redis {

Subscription::~Subscription() {
    if (state_ != nullptr) {
        state_->stop();
    }
}

Task<Message> Subscription::next() {
    const std::shared_ptr<SubscriptionState> state = state_;
    const Scope& scope = co_await this_scope();
    while (state->messages.empty()) {
        if (state->failure.has_value()) {
            const Error& failure = *state->failure;
            co_return Error(failure.code(), Effect::none, failure.what());
        }
        if (scope.cancelled()) {
            co_return cancelled_error();
        }
        co_await state->arrivals.pass();
    }
    Message message = std::move(state->messages.front());
    state->messages.pop_front();
    state->room.open();
    co_return std::move(message);
}

void SubscriptionState::stop() {
    stopped = true;
    root.request();
}

void SubscriptionState::put(Message message) {
    messages.push_back(std::move(message));
    arrivals.open();
}

void SubscriptionState::fail(Error error) {
    failure.emplace(std::move(error));
    arrivals.open();
}

std::int32_t SubscriptionState::slot() const {
    const std::vector<std::string>& sharded = channels.shard_channels();
    return sharded.empty() ? slot_of_no_key : key_slot(sharded.front());
}

void SubscriptionState::look_again() {
    if (connection_ != nullptr && (closed() || misplaced())) {
        leaving_ = true;
        connection_->stream->abort();  // the read ends
        room.open();
    }
    news.open();
}

Task<> SubscriptionState::waiting(SubscriptionState* self) {
    co_await self->news.pass();
    co_return Done();
}

Task<Endpoint> SubscriptionState::whereto() {
    const Scope& scope = co_await this_scope();
    while (!stopped && !scope.cancelled()) {
        if (closed()) {
            co_return closed_error();
        }
        if (one_server()) {
            co_return options->endpoint();
        }
        if (sent_to_.has_value()) {
            Endpoint node = *std::exchange(sent_to_, std::nullopt);
            co_return std::move(node);
        }
        auto node = side->node_for_messages(slot(), avoided_);
        if (node.has_value()) {
            co_return std::move(*node);
        }
        if (const auto& why = side->failure(); why.has_value()) {
            co_return Error(why->code(), Effect::none, why->what());
        }
        co_await news.pass();
    }
    co_return cancelled_error();
}

Task<> SubscriptionState::live(std::shared_ptr<SubscriptionState> self) {
    const Scope& scope = co_await this_scope();
    Loop& loop = scope.loop();
    Backoff backoff(*self->chance);
    if (self->side != nullptr) {
        self->side->listeners().add(self);
    }
    while (!self->stopped && !scope.cancelled()) {
        auto next = co_await self->listening(backoff);
        if (!next.ok() || next.value() == Next::end) {
            break;
        }
        if (next.value() == Next::pause) {
            // Another topology may end it.
            const Deadline until = Deadline::at(loop.now() + backoff.next());
            (void)co_await with_deadline(waiting(self.get()), until);
        }
    }
    if (!self->failure.has_value()) {
        self->fail(closed_error());
    }
    co_return Done();
}

// At one node.
Task<SubscriptionState::Next> SubscriptionState::listening(Backoff& backoff) {
    const bool sent = sent_to_.has_value();
    auto to = co_await whereto();
    if (!to.ok()) {
        if (to.error().code() != Code::cancelled) {
            fail(std::move(to).error());
        }
        co_return Next::end;
    }
    node_ = std::move(to).value();
    leaving_ = false;
    credentials_old_ = false;
    confirmed_ = false;
    const bool of_group = !one_server() && options->shape() == Shape::sentinel;
    DialTarget target(node_, of_group ? NodeRole::primary : NodeRole::any);
    auto dialled = co_await dial(options, std::move(target));
    if (!dialled.ok()) {
        if (beyond_waiting(dialled.error().code())) {
            fail(std::move(dialled).error());
            co_return Next::end;
        }
        avoided_ = node_;
        suspect(Suspicion::unreachable);
        co_return Next::pause;
    }
    const std::shared_ptr<Connection> connection = std::move(dialled).value();
    if (closed() || credentials_old_ || (!sent && misplaced())) {
        connection->stream->abort();
        co_return Next::dial;
    }
    connection_ = connection;
    auto ended = co_await reading(*connection);
    connection->stream->abort();
    connection_ = nullptr;
    for (const auto& each : std::exchange(authentications_, {})) {
        each->over = true;  // the next dial says them
    }
    if (confirmed_) {
        backoff.succeeded();
        redirects_ = 0;
    }
    if (ended.ok()) {
        co_return ended.value();
    }
    if (leaving_) {
        co_return Next::dial;
    }
    avoided_ = node_;
    suspect(Suspicion::unreachable);
    co_return Next::pause;
}

Task<> SubscriptionState::subscribe(Connection& connection) {
    std::string out;
    unconfirmed_ =
        channels.channels().size() + channels.patterns().size() + channels.shard_channels().size();
    const auto add = [&](std::string_view name, const std::vector<std::string>& texts) {
        if (!texts.empty()) {
            append_resp_count(out, texts.size() + 1);
            append_resp_bulk(out, name);
            for (const std::string& text : texts) {
                append_resp_bulk(out, text);
            }
        }
    };
    add("SUBSCRIBE", channels.channels());
    add("PSUBSCRIBE", channels.patterns());
    add("SSUBSCRIBE", channels.shard_channels());
    Loop& loop = (co_await this_scope()).loop();
    co_return co_await write_all(
        *connection.stream, out, Deadline::in(options->dial_time(), loop.now())
    );
}

// An error: the connection was lost.
Task<SubscriptionState::Next> SubscriptionState::reading(Connection& connection) {
    auto asked = co_await subscribe(connection);
    if (!asked.ok()) {
        co_return std::move(asked).error();
    }
    while (!stopped) {
        for (;;) {
            const RespStatus status = connection.parser.parse(connection.in.unread());
            if (status == RespStatus::broken) {
                co_return Error(Code::unreachable, Effect::none, "the bytes make no sense");
            }
            if (status == RespStatus::incomplete) {
                break;
            }
            connection.in.parsed(connection.parser.consumed());
            const RespView reply = connection.parser.reply();
            const Next next = take(reply, reply.type() == RespType::push);
            if (next != Next::read_on) {
                co_return next;
            }
            while (messages.size() >= messages_max && !stopped && !leaving_) {
                co_await room.pass();
                if ((co_await this_scope()).cancelled()) {
                    co_return Next::end;
                }
            }
        }
        auto got = co_await connection.stream->read_some(connection.in.space());
        if (!got.ok() || got.value() == 0) {
            co_return Error(Code::unreachable, Effect::none, "the connection was lost");
        }
        connection.in.received(got.value());
    }
    co_return Next::end;
}

// Of what was asked first.
SubscriptionState::Next SubscriptionState::refused(RespView reply) {
    const NodeAnswer answer = one_server() ? NodeAnswer::none : node_answer(reply);
    switch (answer) {
    case NodeAnswer::none:
        break;
    case NodeAnswer::moved:
    case NodeAnswer::ask: {
        auto to = parse_redirect(reply.text(), node_);
        if (!to.has_value()) {
            break;
        }
        if (!to->ask) {
            side->learn(to->slot, to->node);
        }
        sent_to_ = std::move(to->node);
        return ++redirects_ > redirects_max ? Next::pause : Next::dial;
    }
    case NodeAnswer::try_again:
    case NodeAnswer::cluster_down:
    case NodeAnswer::loading:
    case NodeAnswer::read_only:
    case NodeAnswer::master_down:
        suspect(Suspicion::refused);
        return Next::pause;
    }
    fail(error_of(reply, AnyCommand("SUBSCRIBE")));
    return Next::end;
}

SubscriptionState::Next SubscriptionState::take(RespView reply, bool push) {
    if (confirmed_ && !push && !authentications_.empty() && connection_->protocol == 3) {
        Authentication& asked = *authentications_.front();
        if (reply.is_error()) {
            asked.refused.emplace(error_of(reply, AnyCommand("AUTH")));
        }
        asked.over = true;
        authentications_.pop_front();
        return Next::read_on;
    }
    if (reply.is_error()) {
        return refused(reply);
    }
    if ((!push && reply.type() != RespType::array) || reply.size() < 3) {
        return Next::read_on;  // tracking and others that nobody asked for
    }
    auto at = reply.begin();
    const std::string_view kind = (*at).text();
    if (kind == "subscribe" || kind == "psubscribe" || kind == "ssubscribe") {
        if (unconfirmed_ != 0 && --unconfirmed_ == 0) {
            confirmed_ = true;
            Message begun;
            begun.kind = Message::Kind::subscribed;
            put(std::move(begun));
        }
        return Next::read_on;
    }
    if (kind == "sunsubscribe" && !fault("redis.sunsubscribe")) {
        suspect(Suspicion::moved);  // the slot has left this node
        return Next::dial;
    }
    Message message;
    if (kind == "pmessage" && reply.size() == 4) {
        ++at;
        message.pattern = (*at).text();
    } else if (kind != "message" && kind != "smessage") {
        return Next::read_on;
    }
    ++at;
    message.channel = (*at).text();
    ++at;
    message.payload = (*at).text();
    put(std::move(message));
    return Next::read_on;
}

// Before its channels are confirmed another dial costs no message.
Task<> SubscriptionState::authenticate(
    std::shared_ptr<SubscriptionState> self, Credentials credentials, Deadline deadline
) {
    const std::shared_ptr<Connection> connection = self->connection_;
    if (connection == nullptr || !self->confirmed_) {
        self->credentials_old_ = true;
        if (connection != nullptr) {
            self->leaving_ = true;
            connection->stream->abort();
        }
        co_return Done();
    }
    if (connection->protocol != 3) {
        co_return Done();
    }
    std::string out;
    append_resp_count(out, credentials.user.empty() ? 2 : 3);
    append_resp_bulk(out, "AUTH");
    if (!credentials.user.empty()) {
        append_resp_bulk(out, credentials.user);
    }
    append_resp_bulk(out, credentials.password.reveal());
    Loop& loop = (co_await this_scope()).loop();
    while (connection->writing && self->connection_ == connection) {
        auto slept = co_await sleep(loop.now() + Duration(1));
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
    if (self->connection_ != connection) {
        co_return Done();  // the next dial says them
    }
    const auto answer = std::make_shared<Authentication>();
    self->authentications_.push_back(answer);
    connection->writing = true;
    auto wrote = co_await write_all(*connection->stream, out, deadline);
    connection->writing = false;
    if (!wrote.ok()) {
        connection->stream->abort();  // a part may have left; the next dial says them
        co_return Done();
    }
    while (!answer->over) {
        if (deadline.passed(loop.now())) {
            co_return Error(Code::timed_out, Effect::unknown, "a subscription does not answer");
        }
        auto slept = co_await sleep(loop.now() + Duration(1));
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
    if (answer->refused.has_value()) {
        co_return copy_of(*answer->refused);
    }
    co_return Done();
}

}  // namespace holdfast::redis
