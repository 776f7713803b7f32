#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/clients.h>

namespace holdfast::redis {

namespace {

std::string_view word_of(ClientType type) {
    switch (type) {
    case ClientType::normal:
        break;
    case ClientType::primary:
        return "MASTER";
    case ClientType::replica:
        return "REPLICA";
    case ClientType::pubsub:
        return "PUBSUB";
    }
    return "NORMAL";
}

Result<TrackingInfo> read_tracking(RespView reply) {
    TrackingInfo info;
    return Fields(reply)
        .take("flags", info.flags, read_texts)
        .take("redirect", info.redirect, read_integer)
        .take("prefixes", info.prefixes, read_texts)
        .give(info);
}

Command<Done> of_connection(AnyCommand any, Lane lane = Lane::lease) {
    any.set_lane(lane);
    return {std::move(any), read_ok};
}

Command<std::vector<NamedValues>> list(AnyCommand any) {
    any.set_bulky();
    return {std::move(any), read_clients};
}

std::string_view on_off(bool on) {
    return on ? "ON" : "OFF";
}

}  // namespace

ClientFilter& ClientFilter::id(std::int64_t id) {
    arguments_.insert(arguments_.end(), {"ID", std::to_string(id)});
    return *this;
}

ClientFilter& ClientFilter::type(ClientType type) {
    arguments_.insert(arguments_.end(), {"TYPE", std::string(word_of(type))});
    return *this;
}

ClientFilter& ClientFilter::user(std::string name) {
    arguments_.insert(arguments_.end(), {"USER", std::move(name)});
    return *this;
}

ClientFilter& ClientFilter::address(std::string address) {
    arguments_.insert(arguments_.end(), {"ADDR", std::move(address)});
    return *this;
}

ClientFilter& ClientFilter::local_address(std::string address) {
    arguments_.insert(arguments_.end(), {"LADDR", std::move(address)});
    return *this;
}

ClientFilter& ClientFilter::with_me() {
    arguments_.insert(arguments_.end(), {"SKIPME", "no"});
    return *this;
}

TrackingOptions& TrackingOptions::redirect(std::int64_t client_id) {
    arguments_.insert(arguments_.end(), {"REDIRECT", std::to_string(client_id)});
    return *this;
}

TrackingOptions& TrackingOptions::broadcast() {
    arguments_.emplace_back("BCAST");
    return *this;
}

TrackingOptions& TrackingOptions::prefix(std::string prefix) {
    arguments_.insert(arguments_.end(), {"PREFIX", std::move(prefix)});
    return *this;
}

TrackingOptions& TrackingOptions::opt_in() {
    arguments_.emplace_back("OPTIN");
    return *this;
}

TrackingOptions& TrackingOptions::opt_out() {
    arguments_.emplace_back("OPTOUT");
    return *this;
}

TrackingOptions& TrackingOptions::no_loop() {
    arguments_.emplace_back("NOLOOP");
    return *this;
}

Command<Done> client_caching(bool yes) {
    const std::string_view word = yes ? "YES" : "NO";
    return of_connection(build("CLIENT|CACHING", Repeat::once, word), Lane::push);
}

Command<std::optional<std::string>> client_getname() {
    return {build("CLIENT|GETNAME", Repeat::read), read_optional_text};
}

Command<std::int64_t> client_getredir() {
    return {build("CLIENT|GETREDIR", Repeat::read), read_integer};
}

Command<std::int64_t> client_id() {
    return {build("CLIENT|ID", Repeat::read), read_integer};
}

Command<NamedValues> client_info() {
    return {build("CLIENT|INFO", Repeat::read), read_client};
}

Command<std::int64_t> client_kill(const ClientFilter& filter) {
    return {build("CLIENT|KILL", Repeat::once, Words(filter.arguments())), read_integer};
}

Command<std::vector<NamedValues>> client_list() {
    return list(build("CLIENT|LIST", Repeat::read));
}

Command<std::vector<NamedValues>> client_list(ClientType type) {
    return list(build("CLIENT|LIST", Repeat::read, std::string_view("TYPE"), word_of(type)));
}

Command<std::vector<NamedValues>> client_list(std::span<const std::int64_t> ids) {
    AnyCommand any = build("CLIENT|LIST", Repeat::read, std::string_view("ID"));
    for (const std::int64_t id : ids) {
        any.add(id);
    }
    return list(std::move(any));
}

Command<Done> client_no_evict(bool on) {
    return of_connection(build("CLIENT|NO-EVICT", Repeat::idempotent, on_off(on)));
}

Command<Done> client_no_touch(bool on) {
    return of_connection(build("CLIENT|NO-TOUCH", Repeat::idempotent, on_off(on)));
}

Command<Done> client_pause(Duration time, bool writes_only) {
    const std::string_view which = writes_only ? "WRITE" : "ALL";
    return {build("CLIENT|PAUSE", Repeat::once, time, which), read_ok};
}

Command<Done> client_setname(std::string_view name) {
    return of_connection(build("CLIENT|SETNAME", Repeat::idempotent, name));
}

Command<Done> client_setinfo(std::string_view attribute, std::string_view value) {
    return of_connection(build("CLIENT|SETINFO", Repeat::idempotent, attribute, value));
}

Command<Done> client_tracking(const TrackingOptions& options) {
    AnyCommand any("CLIENT|TRACKING", Repeat::idempotent);
    any.add("ON").add_words(options.arguments());
    return of_connection(std::move(any), Lane::push);
}

Command<Done> client_tracking_off() {
    return of_connection(build("CLIENT|TRACKING", Repeat::idempotent, on_off(false)), Lane::push);
}

Command<TrackingInfo> client_trackinginfo() {
    return {build("CLIENT|TRACKINGINFO", Repeat::read), read_tracking};
}

Command<bool> client_unblock(std::int64_t client_id, bool with_error) {
    const std::string_view how = with_error ? "ERROR" : "TIMEOUT";
    return {build("CLIENT|UNBLOCK", Repeat::once, client_id, how), read_boolean};
}

Command<Done> client_unpause() {
    return {build("CLIENT|UNPAUSE", Repeat::once), read_ok};
}

}  // namespace holdfast::redis
