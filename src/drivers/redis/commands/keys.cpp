#include "build.h"
#include "scan_words.h"

#include <holdfast/redis/commands/keys.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;

// What TTL and its family answer for a key that is not there, and for one that never ends.
constexpr std::int64_t answer_no_key = -2;
constexpr std::int64_t answer_never = -1;

template <class Unit>
Result<TimeToLive> read_ttl(RespView reply) {
    const Result<std::int64_t> number = read_integer(reply);
    if (!number.ok() || number.value() < answer_no_key) {
        return wrong_shape();
    }
    TimeToLive ttl;
    if (number.value() == answer_never) {
        ttl.state = KeyExpiry::never;
    } else if (number.value() != answer_no_key) {
        ttl.state = KeyExpiry::set;
        ttl.left = Unit(number.value());
    }
    return ttl;
}

template <class Unit>
Result<ExpireTime> read_expire_time(RespView reply) {
    return read_ttl<Unit>(reply).and_then([](TimeToLive&& ttl) {
        ExpireTime time;
        time.state = ttl.state;
        time.at = WallTime(ttl.left);
        return Result<ExpireTime>(time);
    });
}

Result<std::optional<seconds>> read_optional_seconds(RespView reply) {
    return read_optional_integer(reply).and_then([](std::optional<std::int64_t>&& number) {
        return Result<std::optional<seconds>>(
            number ? std::optional(seconds(*number)) : std::nullopt
        );
    });
}

std::string_view word_of(ExpireIf when) {
    switch (when) {
    case ExpireIf::always:
        break;
    case ExpireIf::never_yet:
        return "NX";
    case ExpireIf::set:
        return "XX";
    case ExpireIf::later:
        return "GT";
    case ExpireIf::sooner:
        return "LT";
    }
    return {};
}

Command<bool> expiring(
    std::string_view name, Repeat repeat, std::string_view key, std::int64_t time, ExpireIf when
) {
    AnyCommand any = build_on(name, repeat, key, time);
    if (when != ExpireIf::always) {
        any.add(word_of(when));
    }
    return {std::move(any), read_boolean};
}

}  // namespace

void SortOptions::put_into(AnyCommand& command) const {
    if (by_) {
        command.add("BY").add(*by_);
    }
    if (limit_) {
        command.add("LIMIT").add(limit_->first).add(limit_->second);
    }
    for (const std::string& pattern : get_) {
        command.add("GET").add(pattern);
    }
    if (descending_) {
        command.add("DESC");
    }
    if (alphabetic_) {
        command.add("ALPHA");
    }
}

Command<bool> copy(std::string_view from, std::string_view to, const CopyOptions& options) {
    AnyCommand any("COPY");
    any.add_key(from).add_key(to);
    if (options.database()) {
        any.add("DB").add(*options.database());
    }
    if (options.replaces()) {
        any.add("REPLACE");
    }
    return {std::move(any), read_boolean};
}

Command<std::int64_t> del(Words keys) {
    return {build_on_all("DEL", Repeat::once, keys), read_integer};
}

Command<std::int64_t> unlink(Words keys) {
    return {build_on_all("UNLINK", Repeat::once, keys), read_integer};
}

Command<std::int64_t> exists(Words keys) {
    return {build_on_all("EXISTS", Repeat::read, keys), read_integer};
}

Command<std::int64_t> touch(Words keys) {
    return {build_on_all("TOUCH", Repeat::read, keys), read_integer};
}

Command<std::optional<std::string>> dump(std::string_view key) {
    return {build_on("DUMP", Repeat::read, key), read_optional_text};
}

Command<Done> restore(
    std::string_view key, Duration ttl, std::string_view dumped, const RestoreOptions& options
) {
    AnyCommand any = build_on("RESTORE", Repeat::once, key, ttl, dumped);
    if (options.replaces()) {
        any.add("REPLACE");
    }
    if (options.is_absolute()) {
        any.add("ABSTTL");
    }
    if (options.idle()) {
        any.add("IDLETIME").add(options.idle()->count());
    }
    if (options.frequency()) {
        any.add("FREQ").add(std::uint32_t{*options.frequency()});
    }
    return {std::move(any), read_ok};
}

Command<bool> expire(std::string_view key, seconds ttl, ExpireIf when) {
    return expiring("EXPIRE", Repeat::once, key, ttl.count(), when);
}

Command<bool> pexpire(std::string_view key, Duration ttl, ExpireIf when) {
    return expiring("PEXPIRE", Repeat::once, key, ttl.count(), when);
}

Command<bool> expireat(std::string_view key, WallTime at, ExpireIf when) {
    const auto time = duration_cast<seconds>(at.time_since_epoch()).count();
    return expiring("EXPIREAT", Repeat::idempotent, key, time, when);
}

Command<bool> pexpireat(std::string_view key, WallTime at, ExpireIf when) {
    return expiring("PEXPIREAT", Repeat::idempotent, key, at.time_since_epoch().count(), when);
}

Command<bool> persist(std::string_view key) {
    return {build_on("PERSIST", Repeat::once, key), read_boolean};
}

Command<TimeToLive> ttl(std::string_view key) {
    return {build_on("TTL", Repeat::read, key), read_ttl<seconds>};
}

Command<TimeToLive> pttl(std::string_view key) {
    return {build_on("PTTL", Repeat::read, key), read_ttl<milliseconds>};
}

Command<ExpireTime> expiretime(std::string_view key) {
    return {build_on("EXPIRETIME", Repeat::read, key), read_expire_time<seconds>};
}

Command<ExpireTime> pexpiretime(std::string_view key) {
    return {build_on("PEXPIRETIME", Repeat::read, key), read_expire_time<milliseconds>};
}

Command<std::vector<std::string>> keys(std::string_view pattern) {
    AnyCommand any = build("KEYS", Repeat::read, pattern);
    any.set_bulky();
    return {std::move(any), read_texts};
}

Command<bool> move(std::string_view key, std::uint32_t database) {
    return {build_on("MOVE", Repeat::once, key, database), read_boolean};
}

Command<std::optional<std::string>> object_encoding(std::string_view key) {
    return {build_on("OBJECT|ENCODING", Repeat::read, key), read_optional_text};
}

Command<std::optional<std::int64_t>> object_freq(std::string_view key) {
    return {build_on("OBJECT|FREQ", Repeat::read, key), read_optional_integer};
}

Command<std::optional<seconds>> object_idletime(std::string_view key) {
    return {build_on("OBJECT|IDLETIME", Repeat::read, key), read_optional_seconds};
}

Command<std::optional<std::int64_t>> object_refcount(std::string_view key) {
    return {build_on("OBJECT|REFCOUNT", Repeat::read, key), read_optional_integer};
}

Command<std::optional<std::string>> randomkey() {
    return {build("RANDOMKEY", Repeat::read), read_optional_text};
}

Command<Done> rename(std::string_view from, std::string_view to) {
    AnyCommand any = build_on("RENAME", Repeat::once, from);
    any.add_key(to);
    return {std::move(any), read_ok};
}

Command<bool> renamenx(std::string_view from, std::string_view to) {
    AnyCommand any = build_on("RENAMENX", Repeat::once, from);
    any.add_key(to);
    return {std::move(any), read_boolean};
}

Command<ScanPage<std::string>> scan(std::uint64_t cursor, const ScanOptions& options) {
    AnyCommand any = build("SCAN", Repeat::read, cursor);
    put_scan(any, options);
    return {std::move(any), read_scan_page<read_texts>};
}

Command<std::vector<std::optional<std::string>>>
sort(std::string_view key, const SortOptions& options) {
    AnyCommand any = build_on("SORT", Repeat::idempotent, key);
    options.put_into(any);
    return {std::move(any), read_optional_texts};
}

Command<std::vector<std::optional<std::string>>>
sort_ro(std::string_view key, const SortOptions& options) {
    AnyCommand any = build_on("SORT_RO", Repeat::read, key);
    options.put_into(any);
    return {std::move(any), read_optional_texts};
}

Command<std::int64_t>
sort_store(std::string_view key, std::string_view to, const SortOptions& options) {
    AnyCommand any = build_on("SORT", Repeat::once, key);
    options.put_into(any);
    any.add("STORE").add_key(to);
    return {std::move(any), read_integer};
}

Command<std::string> type(std::string_view key) {
    return {build_on("TYPE", Repeat::read, key), read_text};
}

}  // namespace holdfast::redis
