#include "build.h"
#include "scan_words.h"

#include <holdfast/redis/commands/hashes.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

Command<std::int64_t> hdel(std::string_view key, Words fields) {
    return {build_on("HDEL", Repeat::once, key, fields), read_integer};
}

Command<bool> hexists(std::string_view key, std::string_view field) {
    return {build_on("HEXISTS", Repeat::read, key, field), read_boolean};
}

Command<std::optional<std::string>> hget(std::string_view key, std::string_view field) {
    return {build_on("HGET", Repeat::read, key, field), read_optional_text};
}

Command<std::vector<FieldValue>> hgetall(std::string_view key) {
    return {build_on("HGETALL", Repeat::read, key), read_pairs};
}

Command<std::int64_t> hincrby(std::string_view key, std::string_view field, std::int64_t by) {
    return {build_on("HINCRBY", Repeat::once, key, field, by), read_integer};
}

Command<double> hincrbyfloat(std::string_view key, std::string_view field, double by) {
    return {build_on("HINCRBYFLOAT", Repeat::once, key, field, by), read_real};
}

Command<std::vector<std::string>> hkeys(std::string_view key) {
    return {build_on("HKEYS", Repeat::read, key), read_texts};
}

Command<std::int64_t> hlen(std::string_view key) {
    return {build_on("HLEN", Repeat::read, key), read_integer};
}

Command<std::vector<std::optional<std::string>>> hmget(std::string_view key, Words fields) {
    return {build_on("HMGET", Repeat::read, key, fields), read_optional_texts};
}

Command<std::optional<std::string>> hrandfield(std::string_view key) {
    return {build_on("HRANDFIELD", Repeat::read, key), read_optional_text};
}

Command<std::vector<std::string>> hrandfield(std::string_view key, std::int64_t count) {
    return {build_on("HRANDFIELD", Repeat::read, key, count), read_texts};
}

Command<std::vector<FieldValue>> hrandfield_with_values(std::string_view key, std::int64_t count) {
    AnyCommand any = build_on("HRANDFIELD", Repeat::read, key, count);
    any.add("WITHVALUES");
    return {std::move(any), read_pairs};
}

Command<ScanPage<FieldValue>>
hscan(std::string_view key, std::uint64_t cursor, const ScanOptions& options) {
    AnyCommand any = build_on("HSCAN", Repeat::read, key, cursor);
    put_scan(any, options);
    return {std::move(any), read_scan_page<read_pairs>};
}

Command<std::int64_t> hset(std::string_view key, WordPairs fields) {
    return {build_on("HSET", Repeat::once, key, fields), read_integer};
}

Command<std::int64_t> hset(std::string_view key, std::string_view field, std::string_view value) {
    return {build_on("HSET", Repeat::once, key, field, value), read_integer};
}

Command<bool> hsetnx(std::string_view key, std::string_view field, std::string_view value) {
    return {build_on("HSETNX", Repeat::once, key, field, value), read_boolean};
}

Command<std::int64_t> hstrlen(std::string_view key, std::string_view field) {
    return {build_on("HSTRLEN", Repeat::read, key, field), read_integer};
}

Command<std::vector<std::string>> hvals(std::string_view key) {
    return {build_on("HVALS", Repeat::read, key), read_texts};
}

}  // namespace holdfast::redis
