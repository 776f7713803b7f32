#pragma once
// Messages to whoever listens now. One that nobody hears is gone.

#include <holdfast/redis/command.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

// One comes for each channel that is named, as a push with RESP3.
struct Subscribed {
    std::string kind;                    // "subscribe", "punsubscribe", ..
    std::optional<std::string> channel;  // null: there was nothing to leave
    std::int64_t subscriptions = 0;      // of this connection, afterwards

    friend bool operator==(const Subscribed&, const Subscribed&) = default;
};

Command<std::int64_t>
publish(std::string_view channel, std::string_view message);  // to how many of this node
// To a channel that belongs to a slot, like a key.
Command<std::int64_t> spublish(std::string_view channel, std::string_view message);

Command<std::vector<std::string>> pubsub_channels(std::string_view pattern = "*");
Command<std::int64_t> pubsub_numpat();
Command<std::vector<std::pair<std::string, std::int64_t>>> pubsub_numsub(Words channels);
Command<std::vector<std::string>> pubsub_shardchannels(std::string_view pattern = "*");
Command<std::vector<std::pair<std::string, std::int64_t>>> pubsub_shardnumsub(Words channels);

// On a connection of the push lane alone. Without channels: leaves all.
Command<Subscribed> subscribe(Words channels);
Command<Subscribed> psubscribe(Words patterns);
Command<Subscribed> ssubscribe(Words channels);
Command<Subscribed> unsubscribe(Words channels = {});
Command<Subscribed> punsubscribe(Words patterns = {});
Command<Subscribed> sunsubscribe(Words channels = {});

}  // namespace holdfast::redis
