#include "build.h"
#include "stream_read.h"

#include <holdfast/redis/commands/streams.h>

namespace holdfast::redis {

namespace {

Result<std::optional<Duration>> read_inactive(RespView reply) {
    return read_duration_ms(reply).and_then([](Duration inactive) {
        // -1: it never got anything
        return Result<std::optional<Duration>>(
            inactive < Duration::zero() ? std::nullopt : std::optional(inactive)
        );
    });
}

Result<ConsumerInfo> read_consumer(RespView reply) {
    ConsumerInfo info;
    return Fields(reply)
        .take("name", info.name, read_text)
        .take("pending", info.pending, read_unsigned)
        .take("idle", info.idle, read_duration_ms)
        .take_if_there("inactive", info.inactive, read_inactive)
        .give(info);
}

Result<GroupInfo> read_group(RespView reply) {
    GroupInfo info;
    return Fields(reply)
        .take("name", info.name, read_text)
        .take("consumers", info.consumers, read_unsigned)
        .take("pending", info.pending, read_unsigned)
        .take("last-delivered-id", info.last_delivered, read_stream_id)
        .take_if_there("entries-read", info.entries_read, read_optional<read_unsigned>)
        .take_if_there("lag", info.lag, read_optional<read_unsigned>)
        .give(info);
}

Result<StreamInfo> read_info(RespView reply) {
    StreamInfo info;
    Fields fields(reply);
    take_stream_info(fields, info);
    return fields.take("groups", info.groups, read_unsigned)
        .take("first-entry", info.first, read_optional<read_stream_entry>)
        .take("last-entry", info.last, read_optional<read_stream_entry>)
        .give(info);
}

Result<HandedOut> read_handed_out(RespView reply) {
    HandedOut entry;
    return Places(reply, 4)
        .take(entry.id, read_stream_id)
        .take(entry.consumer, read_text)
        .take(entry.delivered, read_wall_time_ms)
        .take(entry.deliveries, read_unsigned)
        .give(entry);
}

// Within a consumer its name is left out.
Result<HandedOut> read_own_handed_out(RespView reply) {
    HandedOut entry;
    return Places(reply, 3)
        .take(entry.id, read_stream_id)
        .take(entry.delivered, read_wall_time_ms)
        .take(entry.deliveries, read_unsigned)
        .give(entry);
}

Result<FullConsumer> read_full_consumer(RespView reply) {
    FullConsumer consumer;
    Fields fields(reply);
    fields.take("name", consumer.name, read_text)
        .take("seen-time", consumer.seen, read_wall_time_ms)
        .take_if_there("active-time", consumer.active, read_optional<read_wall_time_ms>)
        .take("pel-count", consumer.pending_count, read_unsigned)
        .take("pending", consumer.pending, read_list<read_own_handed_out>);
    for (HandedOut& entry : consumer.pending) {
        entry.consumer = consumer.name;
    }
    return fields.give(consumer);
}

Result<FullGroup> read_full_group(RespView reply) {
    FullGroup group;
    return Fields(reply)
        .take("name", group.name, read_text)
        .take("last-delivered-id", group.last_delivered, read_stream_id)
        .take_if_there("entries-read", group.entries_read, read_optional<read_unsigned>)
        .take_if_there("lag", group.lag, read_optional<read_unsigned>)
        .take("pel-count", group.pending_count, read_unsigned)
        .take("pending", group.pending, read_list<read_handed_out>)
        .take("consumers", group.consumers, read_list<read_full_consumer>)
        .give(group);
}

Result<FullStream> read_full(RespView reply) {
    FullStream full;
    Fields fields(reply);
    take_stream_info(fields, full.stream);
    fields.take("entries", full.entries, read_stream_entries)
        .take("groups", full.groups, read_list<read_full_group>);
    full.stream.groups = full.groups.size();
    return fields.give(full);
}

}  // namespace

Command<std::vector<ConsumerInfo>> xinfo_consumers(std::string_view key, std::string_view group) {
    return {build_on("XINFO|CONSUMERS", Repeat::read, key, group), read_list<read_consumer>};
}

Command<std::vector<GroupInfo>> xinfo_groups(std::string_view key) {
    return {build_on("XINFO|GROUPS", Repeat::read, key), read_list<read_group>};
}

Command<StreamInfo> xinfo_stream(std::string_view key) {
    return {build_on("XINFO|STREAM", Repeat::read, key), read_info};
}

Command<FullStream> xinfo_stream_full(std::string_view key, std::uint64_t count) {
    AnyCommand any = build_on("XINFO|STREAM", Repeat::read, key);
    any.add("FULL").add("COUNT").add(count).set_bulky(count == 0);
    return {std::move(any), read_full};
}

}  // namespace holdfast::redis
