#pragma once
// What the commands of streams can be told.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/stream_ids.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::redis {

// Which entries go.
class StreamTrim {
public:
    static StreamTrim to_length(std::uint64_t entries) {
        return {"MAXLEN", std::to_string(entries)};
    }
    static StreamTrim before(StreamId id) { return {"MINID", id.word()}; }
    // Leaves some more, where that is much cheaper: whole nodes alone are removed.
    StreamTrim& nearly() {
        nearly_ = true;
        return *this;
    }
    // How many entries to remove at most; with nearly() alone.
    StreamTrim& limit(std::uint64_t entries) {
        limit_ = entries;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    StreamTrim(std::string_view by, std::string threshold)
        : by_(by), threshold_(std::move(threshold)) {}

    std::string_view by_;
    std::string threshold_;
    bool nearly_ = false;
    std::optional<std::uint64_t> limit_;
};

class XaddOptions {
public:
    // Otherwise the server makes the id.
    XaddOptions& id(StreamId id) {
        id_ = id.word();
        return *this;
    }
    // The server makes the second half alone.
    XaddOptions& id_of_ms(std::uint64_t ms) {
        id_ = std::to_string(ms) + "-*";
        return *this;
    }
    XaddOptions& only_if_stream_exists() {
        make_stream_ = false;
        return *this;
    }
    XaddOptions& trim(StreamTrim trim) {
        trim_ = std::move(trim);
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::string id_ = "*";
    bool make_stream_ = true;
    std::optional<StreamTrim> trim_;
};

class XreadOptions {
public:
    // Of each stream.
    XreadOptions& count(std::uint64_t entries) {
        count_ = entries;
        return *this;
    }
    // Waits for entries, on a connection of its own. Zero: without end.
    XreadOptions& block(Duration wait) {
        block_ = wait;
        return *this;
    }
    // XREADGROUP alone: what is handed out counts as acknowledged.
    XreadOptions& no_ack() {
        no_ack_ = true;
        return *this;
    }

    bool blocks() const { return block_.has_value(); }
    void put_into(AnyCommand& command) const;

private:
    std::optional<std::uint64_t> count_;
    std::optional<Duration> block_;
    bool no_ack_ = false;
};

class XclaimOptions {
public:
    // What counts as the time since the last delivery. Otherwise it begins now.
    XclaimOptions& idle(Duration idle) {
        idle_ = idle;
        return *this;
    }
    XclaimOptions& delivered(WallTime at) {
        delivered_ = at;
        return *this;
    }
    XclaimOptions& deliveries(std::uint64_t count) {
        deliveries_ = count;
        return *this;
    }
    // Also entries that were never handed out.
    XclaimOptions& force() {
        force_ = true;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::optional<Duration> idle_;
    std::optional<WallTime> delivered_;
    std::optional<std::uint64_t> deliveries_;
    bool force_ = false;
};

class XpendingRange {
public:
    XpendingRange(StreamBound low, StreamBound high, std::uint64_t count)
        : low_(std::move(low)), high_(std::move(high)), count_(count) {}
    XpendingRange& idle_min(Duration idle) {
        idle_min_ = idle;
        return *this;
    }
    XpendingRange& consumer(std::string name) {
        consumer_ = std::move(name);
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    StreamBound low_;
    StreamBound high_;
    std::uint64_t count_;
    std::optional<Duration> idle_min_;
    std::optional<std::string> consumer_;
};

// Where a group begins to read.
class GroupStart {
public:
    static GroupStart after(StreamId id) { return GroupStart(id.word()); }
    static GroupStart with_first() { return GroupStart("0"); }
    static GroupStart with_next() { return GroupStart("$"); }  // what is added from now on
    // How many entries count as read, for the lag.
    GroupStart& entries_read(std::int64_t entries) {
        entries_read_ = entries;
        return *this;
    }

    std::string_view word() const { return text_; }
    std::optional<std::int64_t> entries_read() const { return entries_read_; }

private:
    explicit GroupStart(std::string text) : text_(std::move(text)) {}

    std::string text_;
    std::optional<std::int64_t> entries_read_;
};

}  // namespace holdfast::redis
