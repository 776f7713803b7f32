#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/connection.h>

namespace holdfast::redis {

namespace {

Command<Done> of_connection(AnyCommand any) {
    any.set_lane(Lane::lease);
    return {std::move(any), read_ok};
}

Result<Greeting> read_greeting(RespView reply) {
    Greeting greeting;
    return Fields(reply)
        .take("server", greeting.server, read_text)
        .take("version", greeting.version, read_text)
        .take("proto", greeting.protocol, read_integer)
        .take("id", greeting.client_id, read_integer)
        .take("mode", greeting.mode, read_text)
        .take("role", greeting.role, read_text)
        .give(greeting);
}

// On a connection with subscriptions RESP2 answers ["pong", ""].
Result<Done> read_pong(RespView reply) {
    if (reply.type() == RespType::array && reply.size() == 2) {
        return read_done(*reply.begin());
    }
    return read_done(reply);
}

}  // namespace

void HelloOptions::put_into(AnyCommand& command) const {
    if (user_) {
        command.add("AUTH").add(user_->first).add(user_->second.reveal());
    }
    if (client_name_) {
        command.add("SETNAME").add(*client_name_);
    }
}

Command<Done> auth(const Secret& password) {
    return of_connection(build("AUTH", Repeat::idempotent, password.reveal()));
}

Command<Done> auth(std::string_view user, const Secret& password) {
    return of_connection(build("AUTH", Repeat::idempotent, user, password.reveal()));
}

Command<Greeting> hello(std::int64_t protocol, const HelloOptions& options) {
    AnyCommand any = build("HELLO", Repeat::idempotent, protocol);
    options.put_into(any);
    any.set_lane(Lane::lease);
    return {std::move(any), read_greeting};
}

Command<std::string> echo(std::string_view text) {
    return {build("ECHO", Repeat::read, text), read_text};
}

Command<Done> ping() {
    return {build("PING", Repeat::read), read_pong};
}

Command<std::string> ping(std::string_view text) {
    return {build("PING", Repeat::read, text), read_text};
}

Command<Done> reset() {
    AnyCommand any("RESET", Repeat::idempotent);
    any.set_lane(Lane::lease);
    return {std::move(any), read_done};
}

Command<Done> select(std::uint32_t database) {
    return of_connection(build("SELECT", Repeat::idempotent, database));
}

Command<Done> asking() {
    return of_connection(build("ASKING", Repeat::once));
}

Command<Done> readonly() {
    return of_connection(build("READONLY", Repeat::idempotent));
}

Command<Done> readwrite() {
    return of_connection(build("READWRITE", Repeat::idempotent));
}

}  // namespace holdfast::redis
