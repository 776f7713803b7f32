#include "backoff.h"
#include "resp_kinds.h"
#include "subscription_state.h"

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

Task<> SubscriptionState::live(std::shared_ptr<SubscriptionState> self) {
    const Scope& scope = co_await this_scope();
    Loop& loop = scope.loop();
    Backoff backoff(*self->chance);
    while (!self->stopped && !scope.cancelled()) {
        auto dialled = co_await dial(self->options, DialTarget(self->options->endpoint()));
        if (dialled.ok()) {
            backoff.succeeded();
            const std::shared_ptr<Connection> connection = std::move(dialled).value();
            auto ended = co_await self->reading(*connection);
            connection->stream->abort();
            if (ended.ok() || beyond_waiting(ended.error().code())) {
                break;
            }
        } else if (beyond_waiting(dialled.error().code())) {
            self->fail(std::move(dialled).error());
            break;
        }
        (void)co_await sleep(loop.now() + backoff.next());
    }
    if (!self->failure.has_value()) {
        self->fail(closed_error());
    }
    co_return Done();
}

Task<> SubscriptionState::subscribe(Connection& connection) {
    std::string out;
    unconfirmed_ = channels.channels().size() + channels.patterns().size();
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
    Loop& loop = (co_await this_scope()).loop();
    co_return co_await write_all(
        *connection.stream, out, Deadline::in(options->dial_time(), loop.now())
    );
}

// Done: refused for good, or nobody wants more. An error: dial again.
Task<> SubscriptionState::reading(Connection& connection) {
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
            auto taken = take(reply, reply.type() == RespType::push);
            if (!taken.ok()) {
                fail(std::move(taken).error());
                co_return Done();
            }
            while (messages.size() >= messages_max && !stopped) {
                co_await room.pass();
                if ((co_await this_scope()).cancelled()) {
                    co_return Done();
                }
            }
        }
        auto got = co_await connection.stream->read_some(connection.in.space());
        if (!got.ok() || got.value() == 0) {
            co_return Error(Code::unreachable, Effect::none, "the connection was lost");
        }
        connection.in.received(got.value());
    }
    co_return Done();
}

Result<Done> SubscriptionState::take(RespView reply, bool push) {
    if (reply.is_error()) {
        return error_of(reply, AnyCommand("SUBSCRIBE"));
    }
    if ((!push && reply.type() != RespType::array) || reply.size() < 3) {
        return Done();  // tracking and others that nobody asked for
    }
    auto at = reply.begin();
    const std::string_view kind = (*at).text();
    if (kind == "subscribe" || kind == "psubscribe") {
        if (unconfirmed_ != 0 && --unconfirmed_ == 0) {
            Message begun;
            begun.kind = Message::Kind::subscribed;
            put(std::move(begun));
        }
        return Done();
    }
    Message message;
    if (kind == "pmessage" && reply.size() == 4) {
        ++at;
        message.pattern = (*at).text();
    } else if (kind != "message") {
        return Done();
    }
    ++at;
    message.channel = (*at).text();
    ++at;
    message.payload = (*at).text();
    put(std::move(message));
    return Done();
}

}  // namespace holdfast::redis
