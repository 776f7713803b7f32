#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/pubsub.h>

namespace holdfast::redis {

namespace {

Result<Subscribed> read_subscribed(RespView reply) {
    Subscribed subscribed;
    return Places(reply, 3)
        .take(subscribed.kind, read_text)
        .take(subscribed.channel, read_optional_text)
        .take(subscribed.subscriptions, read_integer)
        .give(subscribed);
}

Command<Subscribed> pushing(AnyCommand any) {
    any.set_lane(Lane::push);
    return {std::move(any), read_subscribed};
}

constexpr auto read_counts = read_pairs_of<read_text, read_integer>;

}  // namespace

Command<std::int64_t> publish(std::string_view channel, std::string_view message) {
    return {build("PUBLISH", Repeat::once, channel, message), read_integer};
}

Command<std::int64_t> spublish(std::string_view channel, std::string_view message) {
    return {build_on("SPUBLISH", Repeat::once, channel, message), read_integer};
}

Command<std::vector<std::string>> pubsub_channels(std::string_view pattern) {
    return {build("PUBSUB|CHANNELS", Repeat::read, pattern), read_texts};
}

Command<std::int64_t> pubsub_numpat() {
    return {build("PUBSUB|NUMPAT", Repeat::read), read_integer};
}

Command<std::vector<std::pair<std::string, std::int64_t>>> pubsub_numsub(Words channels) {
    return {build("PUBSUB|NUMSUB", Repeat::read, channels), read_counts};
}

Command<std::vector<std::string>> pubsub_shardchannels(std::string_view pattern) {
    return {build("PUBSUB|SHARDCHANNELS", Repeat::read, pattern), read_texts};
}

Command<std::vector<std::pair<std::string, std::int64_t>>> pubsub_shardnumsub(Words channels) {
    return {build("PUBSUB|SHARDNUMSUB", Repeat::read, channels), read_counts};
}

Command<Subscribed> subscribe(Words channels) {
    return pushing(build("SUBSCRIBE", Repeat::idempotent, channels));
}

Command<Subscribed> psubscribe(Words patterns) {
    return pushing(build("PSUBSCRIBE", Repeat::idempotent, patterns));
}

Command<Subscribed> ssubscribe(Words channels) {
    return pushing(build_on_all("SSUBSCRIBE", Repeat::idempotent, channels));
}

Command<Subscribed> unsubscribe(Words channels) {
    return pushing(build("UNSUBSCRIBE", Repeat::idempotent, channels));
}

Command<Subscribed> punsubscribe(Words patterns) {
    return pushing(build("PUNSUBSCRIBE", Repeat::idempotent, patterns));
}

Command<Subscribed> sunsubscribe(Words channels) {
    return pushing(build_on_all("SUNSUBSCRIBE", Repeat::idempotent, channels));
}

}  // namespace holdfast::redis
