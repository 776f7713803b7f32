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

void put_streams(AnyCommand& to, WordPairs streams) {
    to.add("STREAMS");
    for (std::size_t i = 0; i < streams.size(); ++i) {
        to.add_key(streams[i].first);
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
        to.add(streams[i].second);
    }
}

Command<std::vector<StreamEntry>> range(
    std::string_view name,
    std::string_view key,
    const StreamBound& from,
    const StreamBound& to,
    std::uint64_t count
) {
    AnyCommand any = build_on(name, Repeat::read, key, from, to);
    if (count != 0) {
        any.add("COUNT").add(count);
    }
    return {std::move(any), read_stream_entries};
}

}  // namespace

Command<StreamId> xadd(std::string_view key, WordPairs fields) {
    return {build_on("XADD", Repeat::once, key, std::string_view("*"), fields), read_stream_id};
}

Command<std::optional<StreamId>>
xadd(std::string_view key, WordPairs fields, const XaddOptions& options) {
    AnyCommand any = build_on("XADD", Repeat::once, key);
    options.put_into(any);
    put(any, fields);
    return {std::move(any), read_optional<read_stream_id>};
}

Command<std::int64_t> xdel(std::string_view key, std::span<const StreamId> ids) {
    AnyCommand any = build_on("XDEL", Repeat::once, key);
    put_ids(any, ids);
    return {std::move(any), read_integer};
}

Command<std::int64_t> xdel(std::string_view key, StreamId id) {
    return xdel(key, std::span(&id, 1));
}

Command<std::int64_t> xlen(std::string_view key) {
    return {build_on("XLEN", Repeat::read, key), read_integer};
}

Command<std::vector<StreamEntry>>
xrange(std::string_view key, const StreamBound& low, const StreamBound& high, std::uint64_t count) {
    return range("XRANGE", key, low, high, count);
}

Command<std::vector<StreamEntry>> xrevrange(
    std::string_view key, const StreamBound& high, const StreamBound& low, std::uint64_t count
) {
    return range("XREVRANGE", key, high, low, count);
}

Command<std::vector<StreamEntries>> xread(WordPairs streams, const XreadOptions& options) {
    AnyCommand any("XREAD", Repeat::read);
    options.put_into(any);
    put_streams(any, streams);
    return {std::move(any), read_streams};
}

Command<std::vector<StreamEntries>> xreadgroup(
    std::string_view group,
    std::string_view consumer,
    WordPairs streams,
    const XreadOptions& options
) {
    AnyCommand any = build("XREADGROUP", Repeat::once, std::string_view("GROUP"), group, consumer);
    options.put_into(any);
    put_streams(any, streams);
    return {std::move(any), read_streams};
}

Command<Done> xsetid(std::string_view key, StreamId last) {
    return {build_on("XSETID", Repeat::once, key, last), read_ok};
}

Command<Done>
xsetid(std::string_view key, StreamId last, std::uint64_t entries_added, StreamId max_deleted) {
    AnyCommand any = build_on("XSETID", Repeat::once, key, last);
    any.add("ENTRIESADDED").add(entries_added).add("MAXDELETEDID").add(max_deleted.word());
    return {std::move(any), read_ok};
}

Command<std::int64_t> xtrim(std::string_view key, const StreamTrim& trim) {
    AnyCommand any = build_on("XTRIM", Repeat::once, key);
    trim.put_into(any);
    return {std::move(any), read_integer};
}

}  // namespace holdfast::redis
