#pragma once
// Streams: entries in an order that never changes, read by everyone or shared out within a group.
//
// Streams to read are pairs of a key and the id after which to read, as text: an id, "$" (what is
// added from now on) or, for a group, ">" (what no consumer has got).

#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/stream_ids.h>
#include <holdfast/redis/commands/stream_options.h>
#include <holdfast/redis/commands/stream_records.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

// Idempotent: an entry is acknowledged or it is not.
Command<std::int64_t>
xack(std::string_view key, std::string_view group, std::span<const StreamId> ids);
Command<std::int64_t> xack(std::string_view key, std::string_view group, StreamId id);
Command<StreamId> xadd(std::string_view key, WordPairs fields);
// Null: there is no such stream, and it may not be made.
Command<std::optional<StreamId>>
xadd(std::string_view key, WordPairs fields, const XaddOptions& options);
// Takes what others have not acknowledged for `idle_min`.
Command<Autoclaimed<StreamEntry>> xautoclaim(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    StreamBound from,
    std::uint64_t count = 100
);
// Without the entries, and without counting a delivery.
Command<Autoclaimed<StreamId>> xautoclaim_ids(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    StreamBound from,
    std::uint64_t count = 100
);
Command<std::vector<StreamEntry>> xclaim(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    std::span<const StreamId> ids,
    const XclaimOptions& options = {}
);
Command<std::vector<StreamId>> xclaim_ids(
    std::string_view key,
    std::string_view group,
    std::string_view consumer,
    Duration idle_min,
    std::span<const StreamId> ids,
    const XclaimOptions& options = {}
);
Command<std::int64_t> xdel(std::string_view key, std::span<const StreamId> ids);
Command<std::int64_t> xdel(std::string_view key, StreamId id);

// BUSYGROUP: the group exists. `make_stream`: an empty one where there is none.
Command<Done> xgroup_create(
    std::string_view key, std::string_view group, const GroupStart& start, bool make_stream = false
);
Command<bool>
xgroup_createconsumer(std::string_view key, std::string_view group, std::string_view consumer);
// How many entries were pending for it: nobody gets them any more.
Command<std::int64_t>
xgroup_delconsumer(std::string_view key, std::string_view group, std::string_view consumer);
Command<bool> xgroup_destroy(std::string_view key, std::string_view group);
Command<Done> xgroup_setid(std::string_view key, std::string_view group, const GroupStart& start);

Command<std::vector<ConsumerInfo>> xinfo_consumers(std::string_view key, std::string_view group);
Command<std::vector<GroupInfo>> xinfo_groups(std::string_view key);
Command<StreamInfo> xinfo_stream(std::string_view key);
// At most `count` of each list; 0: all.
Command<FullStream> xinfo_stream_full(std::string_view key, std::uint64_t count = 10);
Command<std::int64_t> xlen(std::string_view key);
Command<PendingSummary> xpending(std::string_view key, std::string_view group);
Command<std::vector<PendingEntry>>
xpending(std::string_view key, std::string_view group, const XpendingRange& range);
// `count` 0: all.
Command<std::vector<StreamEntry>> xrange(
    std::string_view key, const StreamBound& low, const StreamBound& high, std::uint64_t count = 0
);
// From the last to the first.
Command<std::vector<StreamEntry>> xrevrange(
    std::string_view key, const StreamBound& high, const StreamBound& low, std::uint64_t count = 0
);
// Only streams that have something; none after a wait without any.
Command<std::vector<StreamEntries>> xread(WordPairs streams, const XreadOptions& options = {});
Command<std::vector<StreamEntries>> xreadgroup(
    std::string_view group,
    std::string_view consumer,
    WordPairs streams,
    const XreadOptions& options = {}
);
Command<Done> xsetid(std::string_view key, StreamId last);
Command<Done>
xsetid(std::string_view key, StreamId last, std::uint64_t entries_added, StreamId max_deleted);
Command<std::int64_t> xtrim(std::string_view key, const StreamTrim& trim);

}  // namespace holdfast::redis
