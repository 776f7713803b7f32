#include "build.h"
#include "scan_words.h"

#include <holdfast/redis/commands/sets.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

Command<std::int64_t> store(std::string_view name, std::string_view to, Words keys) {
    AnyCommand any = build_on(name, Repeat::once, to);
    any.add_keys(keys);
    return {std::move(any), read_integer};
}

}  // namespace

Command<std::int64_t> sadd(std::string_view key, Words members) {
    return {build_on("SADD", Repeat::once, key, members), read_integer};
}

Command<std::int64_t> scard(std::string_view key) {
    return {build_on("SCARD", Repeat::read, key), read_integer};
}

Command<std::vector<std::string>> sdiff(Words keys) {
    return {build_on_all("SDIFF", Repeat::read, keys), read_texts};
}

Command<std::int64_t> sdiffstore(std::string_view to, Words keys) {
    return store("SDIFFSTORE", to, keys);
}

Command<std::vector<std::string>> sinter(Words keys) {
    return {build_on_all("SINTER", Repeat::read, keys), read_texts};
}

Command<std::int64_t> sintercard(Words keys, std::uint64_t limit) {
    AnyCommand any("SINTERCARD", Repeat::read);
    put_counted_keys(any, keys);
    any.add("LIMIT").add(limit);
    return {std::move(any), read_integer};
}

Command<std::int64_t> sinterstore(std::string_view to, Words keys) {
    return store("SINTERSTORE", to, keys);
}

Command<bool> sismember(std::string_view key, std::string_view member) {
    return {build_on("SISMEMBER", Repeat::read, key, member), read_boolean};
}

Command<std::vector<std::string>> smembers(std::string_view key) {
    return {build_on("SMEMBERS", Repeat::read, key), read_texts};
}

Command<std::vector<bool>> smismember(std::string_view key, Words members) {
    return {build_on("SMISMEMBER", Repeat::read, key, members), read_list<read_boolean>};
}

Command<bool> smove(std::string_view from, std::string_view to, std::string_view member) {
    AnyCommand any = build_on("SMOVE", Repeat::once, from);
    any.add_key(to).add(member);
    return {std::move(any), read_boolean};
}

Command<std::optional<std::string>> spop(std::string_view key) {
    return {build_on("SPOP", Repeat::once, key), read_optional_text};
}

Command<std::vector<std::string>> spop(std::string_view key, std::uint64_t count) {
    return {build_on("SPOP", Repeat::once, key, count), read_texts};
}

Command<std::optional<std::string>> srandmember(std::string_view key) {
    return {build_on("SRANDMEMBER", Repeat::read, key), read_optional_text};
}

Command<std::vector<std::string>> srandmember(std::string_view key, std::int64_t count) {
    return {build_on("SRANDMEMBER", Repeat::read, key, count), read_texts};
}

Command<std::int64_t> srem(std::string_view key, Words members) {
    return {build_on("SREM", Repeat::once, key, members), read_integer};
}

Command<ScanPage<std::string>>
sscan(std::string_view key, std::uint64_t cursor, const ScanOptions& options) {
    AnyCommand any = build_on("SSCAN", Repeat::read, key, cursor);
    put_scan(any, options);
    return {std::move(any), read_scan_page<read_texts>};
}

Command<std::vector<std::string>> sunion(Words keys) {
    return {build_on_all("SUNION", Repeat::read, keys), read_texts};
}

Command<std::int64_t> sunionstore(std::string_view to, Words keys) {
    return store("SUNIONSTORE", to, keys);
}

}  // namespace holdfast::redis
