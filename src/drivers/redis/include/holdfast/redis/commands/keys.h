#pragma once
// Keys of any type: existence, expiry, names, iteration.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/scan.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

enum class KeyExpiry : std::uint8_t {
    no_key,
    never,  // the key lives until it is removed
    set,
};

struct TimeToLive {
    KeyExpiry state = KeyExpiry::no_key;
    Duration left{};  // if set

    friend bool operator==(const TimeToLive&, const TimeToLive&) = default;
};

struct ExpireTime {
    KeyExpiry state = KeyExpiry::no_key;
    WallTime at{};  // if set; of the server's clock

    friend bool operator==(const ExpireTime&, const ExpireTime&) = default;
};

enum class ExpireIf : std::uint8_t {
    always,
    never_yet,  // NX
    set,        // XX
    later,      // GT: the new end is later than the present one
    sooner,     // LT
};

class CopyOptions {
public:
    CopyOptions& database(std::uint32_t number) {
        database_ = number;
        return *this;
    }
    CopyOptions& replace() {
        replace_ = true;
        return *this;
    }

    std::optional<std::uint32_t> database() const { return database_; }
    bool replaces() const { return replace_; }

private:
    std::optional<std::uint32_t> database_;
    bool replace_ = false;
};

class RestoreOptions {
public:
    RestoreOptions& replace() {
        replace_ = true;
        return *this;
    }
    // The time to live is a time of the calendar.
    RestoreOptions& absolute() {
        absolute_ = true;
        return *this;
    }
    RestoreOptions& idle(std::chrono::seconds idle) {
        idle_ = idle;
        return *this;
    }
    RestoreOptions& frequency(std::uint8_t frequency) {
        frequency_ = frequency;
        return *this;
    }

    bool replaces() const { return replace_; }
    bool is_absolute() const { return absolute_; }
    std::optional<std::chrono::seconds> idle() const { return idle_; }
    std::optional<std::uint8_t> frequency() const { return frequency_; }

private:
    bool replace_ = false;
    bool absolute_ = false;
    std::optional<std::chrono::seconds> idle_;
    std::optional<std::uint8_t> frequency_;
};

class SortOptions {
public:
    // Sorts by the values of these keys: a pattern with one *. "nosort" keeps the order.
    SortOptions& by(std::string pattern) {
        by_ = std::move(pattern);
        return *this;
    }
    // Answers what these keys hold; "#" is the element itself. Once for each.
    SortOptions& get(std::string pattern) {
        get_.push_back(std::move(pattern));
        return *this;
    }
    SortOptions& limit(std::int64_t offset, std::int64_t count) {
        limit_ = {offset, count};
        return *this;
    }
    SortOptions& descending() {
        descending_ = true;
        return *this;
    }
    // As texts; else all must be numbers.
    SortOptions& alphabetic() {
        alphabetic_ = true;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::optional<std::string> by_;
    std::vector<std::string> get_;
    std::optional<std::pair<std::int64_t, std::int64_t>> limit_;
    bool descending_ = false;
    bool alphabetic_ = false;
};

// False: `to` exists, or `from` does not.
Command<bool> copy(std::string_view from, std::string_view to, const CopyOptions& options = {});
Command<std::int64_t> del(Words keys);     // how many were there
Command<std::int64_t> unlink(Words keys);  // the same; memory is freed in the background
Command<std::int64_t> exists(Words keys);  // a key named twice counts twice
Command<std::int64_t> touch(Words keys);
Command<std::optional<std::string>> dump(std::string_view key);
// `ttl` zero: for ever. BUSYKEY unless it replaces.
Command<Done> restore(
    std::string_view key, Duration ttl, std::string_view dumped, const RestoreOptions& options = {}
);

// False: no such key, or the condition did not hold. A time that has passed removes the key.
Command<bool>
expire(std::string_view key, std::chrono::seconds ttl, ExpireIf when = ExpireIf::always);
Command<bool> pexpire(std::string_view key, Duration ttl, ExpireIf when = ExpireIf::always);
// Idempotent: the same time set again is the same time.
Command<bool> expireat(std::string_view key, WallTime at, ExpireIf when = ExpireIf::always);
Command<bool> pexpireat(std::string_view key, WallTime at, ExpireIf when = ExpireIf::always);
Command<bool> persist(std::string_view key);
Command<TimeToLive> ttl(std::string_view key);  // rounded to seconds
Command<TimeToLive> pttl(std::string_view key);
Command<ExpireTime> expiretime(std::string_view key);
Command<ExpireTime> pexpiretime(std::string_view key);

Command<std::vector<std::string>> keys(std::string_view pattern);  // walks all keys: for tools
Command<bool> move(std::string_view key, std::uint32_t database);
Command<std::optional<std::string>> object_encoding(std::string_view key);
Command<std::optional<std::int64_t>> object_freq(std::string_view key);
Command<std::optional<std::chrono::seconds>> object_idletime(std::string_view key);
Command<std::optional<std::int64_t>> object_refcount(std::string_view key);
Command<std::optional<std::string>> randomkey();
Command<Done> rename(std::string_view from, std::string_view to);
Command<bool> renamenx(std::string_view from, std::string_view to);
Command<ScanPage<std::string>> scan(std::uint64_t cursor, const ScanOptions& options = {});
// Null for what a GET pattern did not find. SORT counts as a write to replicas and ACLs, SORT_RO
// does not.
Command<std::vector<std::optional<std::string>>>
sort(std::string_view key, const SortOptions& options = {});
Command<std::vector<std::optional<std::string>>>
sort_ro(std::string_view key, const SortOptions& options = {});
Command<std::int64_t>
sort_store(std::string_view key, std::string_view to, const SortOptions& options = {});
Command<std::string> type(std::string_view key);  // "none": no such key

}  // namespace holdfast::redis
