#include "build.h"
#include "stream_read.h"

#include <holdfast/redis/commands/streams.h>

namespace holdfast::redis {

namespace {

void put_ids(AnyCommand& to, std::span<const StreamId> ids) {
    for (const StreamId& id : ids) {
        to.add(id.word());
    }
}

// A server before 7.0 does not tell what was deleted.
template <auto Items>
auto read_autoclaimed(RespView reply)
    -> Result<Autoclaimed<typename ReadValue<Items>::value_type>> {
    Autoclaimed<typename ReadValue<Items>::value_type> claimed;
    Places places(reply, 2);
    places.take(claimed.next, read_stream_id).take(claimed.claimed, Items);
    if (places.more()) {
        places.take(claimed.deleted, read_stream_ids);
    }
    return places.give(claimed);
}

Result<PendingSummary> read_pending_summary(RespView reply) {
    PendingSummary summary;
    return Places(reply, 4)
        .take(summary.count, read_unsigned)
        .take(summary.lowest, read_optional<read_stream_id>)
        .take(summary.highest, read_optional<read_stream_id>)
        .take(summary.consumers, read_pairs_of<read_text, read_unsigned>)
        .give(summary);
}

Result<PendingEntry> read_pending_entry(RespView reply) {
    PendingEntry entry;
    return Places(reply, 4)
        .take(entry.id, read_stream_id)
        .take(entry.consumer, read_text)
        .take(entry.idle, read_duration_ms)
        .take(entry.deliveries, read_unsigned)
        .give(entry);
}

AnyCommand build_autoclaim(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    const StreamBound& from,
    std::uint64_t count
) {
    AnyCommand any = build_on("XAUTOCLAIM", Repeat::once, key, group, consumer, idle_min, from);
    any.add("COUNT").add(count);
    return any;
}

AnyCommand build_claim(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    std::span<const StreamId> ids,
    const XclaimOptions& options
) {
    AnyCommand any = build_on("XCLAIM", Repeat::once, key, group, consumer, idle_min);
    put_ids(any, ids);
    options.put_into(any);
    return any;
}

// "XGROUP CREATE key ..": the key is the third word.
AnyCommand build_group(std::string_view name, std::string_view key, std::string_view group) {
    return build_on(name, Repeat::once, key, group);
}

void put_entries_read(AnyCommand& to, const GroupStart& start) {
    if (start.entries_read()) {
        to.add("ENTRIESREAD").add(*start.entries_read());
    }
}

}  // namespace

Command<std::int64_t>
xack(std::string_view key, std::string_view group, std::span<const StreamId> ids) {
    AnyCommand any = build_on("XACK", Repeat::idempotent, key, group);
    put_ids(any, ids);
    return {std::move(any), read_integer};
}

Command<std::int64_t> xack(std::string_view key, std::string_view group, StreamId id) {
    return xack(key, group, std::span(&id, 1));
}

Command<Autoclaimed<StreamEntry>> xautoclaim(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    StreamBound from,
    std::uint64_t count
) {
    return {build_autoclaim(key, group, consumer, idle_min, from, count), read_autoclaimed<read_stream_entries>};
}

Command<Autoclaimed<StreamId>> xautoclaim_ids(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    StreamBound from,
    std::uint64_t count
) {
    AnyCommand any = build_autoclaim(key, group, consumer, idle_min, from, count);
    any.add("JUSTID");
    return {std::move(any), read_autoclaimed<read_stream_ids>};
}

Command<std::vector<StreamEntry>> xclaim(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    std::span<const StreamId> ids,
    const XclaimOptions& options
) {
    return {build_claim(key, group, consumer, idle_min, ids, options), read_stream_entries};
}

Command<std::vector<StreamId>> xclaim_ids(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    std::span<const StreamId> ids,
    const XclaimOptions& options
) {
    AnyCommand any = build_claim(key, group, consumer, idle_min, ids, options);
    any.add("JUSTID");
    return {std::move(any), read_stream_ids};
}

Command<Done> xgroup_create(
    std::string_view key, std::string_view group, const GroupStart& start, bool make_stream
) {
    AnyCommand any = build_group("XGROUP|CREATE", key, group);
    any.add(start.word());
    if (make_stream) {
        any.add("MKSTREAM");
    }
    put_entries_read(any, start);
    return {std::move(any), read_ok};
}

Command<bool>
xgroup_createconsumer(std::string_view key, std::string_view group, std::string_view consumer) {
    AnyCommand any = build_group("XGROUP|CREATECONSUMER", key, group);
    any.add(consumer);
    return {std::move(any), read_boolean};
}

Command<std::int64_t>
xgroup_delconsumer(std::string_view key, std::string_view group, std::string_view consumer) {
    AnyCommand any = build_group("XGROUP|DELCONSUMER", key, group);
    any.add(consumer);
    return {std::move(any), read_integer};
}

Command<bool> xgroup_destroy(std::string_view key, std::string_view group) {
    return {build_group("XGROUP|DESTROY", key, group), read_boolean};
}

Command<Done> xgroup_setid(std::string_view key, std::string_view group, const GroupStart& start) {
    AnyCommand any = build_group("XGROUP|SETID", key, group);
    any.add(start.word());
    put_entries_read(any, start);
    return {std::move(any), read_ok};
}

Command<PendingSummary> xpending(std::string_view key, std::string_view group) {
    return {build_on("XPENDING", Repeat::read, key, group), read_pending_summary};
}

Command<std::vector<PendingEntry>>
xpending(std::string_view key, std::string_view group, const XpendingRange& range) {
    AnyCommand any = build_on("XPENDING", Repeat::read, key, group);
    range.put_into(any);
    return {std::move(any), read_list<read_pending_entry>};
}

}  // namespace holdfast::redis
