#include "build.h"
#include "fields.h"

#include <holdfast/redis/commands/strings.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

AnyCommand build_lcs(std::string_view key, std::string_view other) {
    AnyCommand any = build_on("LCS", Repeat::read, key);
    any.add_key(other);
    return any;
}

Result<LcsMatch> read_lcs_match(RespView reply) {
    LcsMatch match;
    return Places(reply, 3)
        .take(match.first, read_two<read_integer, read_integer>)
        .take(match.second, read_two<read_integer, read_integer>)
        .take(match.length, read_integer)
        .give(match);
}

Result<LcsMatches> read_lcs_matches(RespView reply) {
    LcsMatches matches;
    return Fields(reply)
        .take("matches", matches.matches, read_list<read_lcs_match>)
        .take("len", matches.length, read_integer)
        .give(matches);
}

AnyCommand build_on_pairs(std::string_view name, WordPairs pairs) {
    AnyCommand any(name);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        any.add_key(pairs[i].first).add(pairs[i].second);
    }
    return any;
}

void put_expiry(AnyCommand& to, std::string_view word, std::int64_t time_ms) {
    if (!word.empty()) {
        to.add(word);
    }
    if (word == "PX" || word == "PXAT") {
        to.add(time_ms);
    }
}

}  // namespace

void SetOptions::put_into(AnyCommand& command) const {
    if (!condition_.empty()) {
        command.add(condition_);
    }
    put_expiry(command, expiry_, time_ms_);
}

void GetexOptions::put_into(AnyCommand& command) const {
    put_expiry(command, expiry_, time_ms_);
}

Command<std::int64_t> append(std::string_view key, std::string_view value) {
    return {build_on("APPEND", Repeat::once, key, value), read_integer};
}

Command<std::int64_t> decr(std::string_view key) {
    return {build_on("DECR", Repeat::once, key), read_integer};
}

Command<std::int64_t> decrby(std::string_view key, std::int64_t by) {
    return {build_on("DECRBY", Repeat::once, key, by), read_integer};
}

Command<std::optional<std::string>> get(std::string_view key) {
    return {build_on("GET", Repeat::read, key), read_optional_text};
}

Command<std::optional<std::string>> getdel(std::string_view key) {
    return {build_on("GETDEL", Repeat::once, key), read_optional_text};
}

Command<std::optional<std::string>> getex(std::string_view key, const GetexOptions& options) {
    AnyCommand any = build_on("GETEX", Repeat::once, key);
    options.put_into(any);
    return {std::move(any), read_optional_text};
}

Command<std::string> getrange(std::string_view key, std::int64_t first, std::int64_t last) {
    return {build_on("GETRANGE", Repeat::read, key, first, last), read_text};
}

Command<std::int64_t> incr(std::string_view key) {
    return {build_on("INCR", Repeat::once, key), read_integer};
}

Command<std::int64_t> incrby(std::string_view key, std::int64_t by) {
    return {build_on("INCRBY", Repeat::once, key, by), read_integer};
}

Command<double> incrbyfloat(std::string_view key, double by) {
    return {build_on("INCRBYFLOAT", Repeat::once, key, by), read_real};
}

Command<std::string> lcs(std::string_view key, std::string_view other) {
    return {build_lcs(key, other), read_text};
}

Command<std::int64_t> lcs_length(std::string_view key, std::string_view other) {
    AnyCommand any = build_lcs(key, other);
    any.add("LEN");
    return {std::move(any), read_integer};
}

Command<LcsMatches>
lcs_matches(std::string_view key, std::string_view other, std::int64_t length_min) {
    AnyCommand any = build_lcs(key, other);
    any.add("IDX").add("MINMATCHLEN").add(length_min).add("WITHMATCHLEN");
    return {std::move(any), read_lcs_matches};
}

Command<std::vector<std::optional<std::string>>> mget(Words keys) {
    return {build_on_all("MGET", Repeat::read, keys), read_optional_texts};
}

Command<Done> mset(WordPairs pairs) {
    return {build_on_pairs("MSET", pairs), read_ok};
}

Command<bool> msetnx(WordPairs pairs) {
    return {build_on_pairs("MSETNX", pairs), read_boolean};
}

Command<Done> psetex(std::string_view key, Duration ttl, std::string_view value) {
    return {build_on("PSETEX", Repeat::once, key, ttl, value), read_ok};
}

Command<Done> set(std::string_view key, std::string_view value) {
    return {build_on("SET", Repeat::once, key, value), read_ok};
}

Command<bool> set(std::string_view key, std::string_view value, const SetOptions& options) {
    AnyCommand any = build_on("SET", Repeat::once, key, value);
    options.put_into(any);
    return {std::move(any), read_ok_or_null};
}

Command<std::optional<std::string>>
set_get(std::string_view key, std::string_view value, const SetOptions& options) {
    AnyCommand any = build_on("SET", Repeat::once, key, value);
    options.put_into(any);
    any.add("GET");
    return {std::move(any), read_optional_text};
}

Command<Done> setex(std::string_view key, std::chrono::seconds ttl, std::string_view value) {
    return {build_on("SETEX", Repeat::once, key, ttl.count(), value), read_ok};
}

Command<bool> setnx(std::string_view key, std::string_view value) {
    return {build_on("SETNX", Repeat::once, key, value), read_boolean};
}

Command<std::int64_t> setrange(std::string_view key, std::int64_t offset, std::string_view value) {
    return {build_on("SETRANGE", Repeat::once, key, offset, value), read_integer};
}

Command<std::int64_t> strlen(std::string_view key) {
    return {build_on("STRLEN", Repeat::read, key), read_integer};
}

}  // namespace holdfast::redis
