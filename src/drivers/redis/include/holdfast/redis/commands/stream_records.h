#pragma once
// What the commands of streams answer.

#include <holdfast/base/time.h>
#include <holdfast/redis/commands/stream_ids.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast::redis {

struct StreamEntry {
    StreamId id;
    std::vector<std::pair<std::string, std::string>> fields;
    bool deleted = false;  // read again as pending, but no longer in the stream: no fields

    friend bool operator==(const StreamEntry&, const StreamEntry&) = default;
};

struct StreamEntries {
    std::string key;
    std::vector<StreamEntry> entries;

    friend bool operator==(const StreamEntries&, const StreamEntries&) = default;
};

template <class Item>  // StreamEntry, or StreamId where only ids were asked for
struct Autoclaimed {
    StreamId next;  // where to go on; 0-0: all pending entries were looked at
    std::vector<Item> claimed;
    std::vector<StreamId> deleted;  // were pending and are no longer in the stream: forgotten

    friend bool operator==(const Autoclaimed&, const Autoclaimed&) = default;
};

struct PendingSummary {
    std::uint64_t count = 0;
    std::optional<StreamId> lowest;
    std::optional<StreamId> highest;
    std::vector<std::pair<std::string, std::uint64_t>> consumers;  // who has how many

    friend bool operator==(const PendingSummary&, const PendingSummary&) = default;
};

struct PendingEntry {
    StreamId id;
    std::string consumer;
    Duration idle{};  // since it was handed out last
    std::uint64_t deliveries = 0;

    friend bool operator==(const PendingEntry&, const PendingEntry&) = default;
};

struct ConsumerInfo {
    std::string name;
    std::uint64_t pending = 0;
    Duration idle{};                   // since it asked last
    std::optional<Duration> inactive;  // since it got something last; from 7.2

    friend bool operator==(const ConsumerInfo&, const ConsumerInfo&) = default;
};

struct GroupInfo {
    std::string name;
    std::uint64_t consumers = 0;
    std::uint64_t pending = 0;
    StreamId last_delivered;
    std::optional<std::uint64_t> entries_read;
    std::optional<std::uint64_t> lag;  // null: the server cannot know

    friend bool operator==(const GroupInfo&, const GroupInfo&) = default;
};

struct StreamInfo {
    std::uint64_t length = 0;
    std::uint64_t radix_tree_keys = 0;
    std::uint64_t radix_tree_nodes = 0;
    StreamId last_generated;
    StreamId max_deleted;
    std::uint64_t entries_added = 0;
    StreamId recorded_first;
    std::uint64_t groups = 0;
    std::optional<StreamEntry> first;
    std::optional<StreamEntry> last;

    friend bool operator==(const StreamInfo&, const StreamInfo&) = default;
};

// An entry that was handed out and not acknowledged.
struct HandedOut {
    StreamId id;
    std::string consumer;
    WallTime delivered{};
    std::uint64_t deliveries = 0;

    friend bool operator==(const HandedOut&, const HandedOut&) = default;
};

struct FullConsumer {
    std::string name;
    WallTime seen{};
    std::optional<WallTime> active;  // from 7.2
    std::uint64_t pending_count = 0;
    std::vector<HandedOut> pending;

    friend bool operator==(const FullConsumer&, const FullConsumer&) = default;
};

struct FullGroup {
    std::string name;
    StreamId last_delivered;
    std::optional<std::uint64_t> entries_read;
    std::optional<std::uint64_t> lag;
    std::uint64_t pending_count = 0;
    std::vector<HandedOut> pending;
    std::vector<FullConsumer> consumers;

    friend bool operator==(const FullGroup&, const FullGroup&) = default;
};

struct FullStream {
    StreamInfo stream;  // without first and last; groups is the size of the list below
    std::vector<StreamEntry> entries;
    std::vector<FullGroup> groups;

    friend bool operator==(const FullStream&, const FullStream&) = default;
};

}  // namespace holdfast::redis
