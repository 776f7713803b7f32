#include "stream_read.h"

namespace holdfast::redis {

Result<StreamId> read_stream_id(RespView reply) {
    if (reply.is_aggregate()) {
        return wrong_shape();
    }
    const std::optional<StreamId> id = StreamId::parse(reply.text());
    if (!id) {
        return wrong_shape();
    }
    return *id;
}

Result<std::vector<StreamId>> read_stream_ids(RespView reply) {
    return read_list<read_stream_id>(reply);
}

Result<StreamEntry> read_stream_entry(RespView reply) {
    StreamEntry entry;
    Places places(reply, 2);
    places.take(entry.id, read_stream_id);
    if (places.more()) {
        entry.deleted = places.here().is_null();
    }
    return places.take(entry.fields, read_pairs).give(entry);
}

Result<std::vector<StreamEntry>> read_stream_entries(RespView reply) {
    return read_list<read_stream_entry>(reply);
}

Result<std::vector<StreamEntries>> read_streams(RespView reply) {
    auto pairs = read_pairs_of<read_text, read_stream_entries>(reply);
    if (!pairs.ok()) {
        return std::move(pairs).error();
    }
    std::vector<StreamEntries> streams;
    streams.reserve(pairs.value().size());
    for (auto& [key, entries] : pairs.value()) {
        StreamEntries stream;
        stream.key = std::move(key);
        stream.entries = std::move(entries);
        streams.push_back(std::move(stream));
    }
    return streams;
}

Result<Duration> read_duration_ms(RespView reply) {
    return read_integer(reply).and_then([](std::int64_t ms) { return Result(Duration(ms)); });
}

Result<WallTime> read_wall_time_ms(RespView reply) {
    return read_integer(reply).and_then([](std::int64_t ms) {
        return Result(WallTime(Duration(ms)));
    });
}

void take_stream_info(Fields& fields, StreamInfo& info) {
    fields.take("length", info.length, read_unsigned)
        .take("radix-tree-keys", info.radix_tree_keys, read_unsigned)
        .take("radix-tree-nodes", info.radix_tree_nodes, read_unsigned)
        .take("last-generated-id", info.last_generated, read_stream_id)
        .take_if_there("max-deleted-entry-id", info.max_deleted, read_stream_id)
        .take_if_there("entries-added", info.entries_added, read_unsigned)
        .take_if_there("recorded-first-entry-id", info.recorded_first, read_stream_id);
}

}  // namespace holdfast::redis
