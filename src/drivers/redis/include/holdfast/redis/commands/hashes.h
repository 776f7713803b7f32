#pragma once
// Hashes: fields with values under one key.

#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/scan.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

using FieldValue = std::pair<std::string, std::string>;

Command<std::int64_t> hdel(std::string_view key, Words fields);  // how many were there
Command<bool> hexists(std::string_view key, std::string_view field);
Command<std::optional<std::string>> hget(std::string_view key, std::string_view field);
Command<std::vector<FieldValue>> hgetall(std::string_view key);
Command<std::int64_t> hincrby(std::string_view key, std::string_view field, std::int64_t by);
Command<double> hincrbyfloat(std::string_view key, std::string_view field, double by);
Command<std::vector<std::string>> hkeys(std::string_view key);
Command<std::int64_t> hlen(std::string_view key);
Command<std::vector<std::optional<std::string>>> hmget(std::string_view key, Words fields);
Command<std::optional<std::string>> hrandfield(std::string_view key);
// Different ones; with a negative count the same one may come again.
Command<std::vector<std::string>> hrandfield(std::string_view key, std::int64_t count);
Command<std::vector<FieldValue>> hrandfield_with_values(std::string_view key, std::int64_t count);
Command<ScanPage<FieldValue>>
hscan(std::string_view key, std::uint64_t cursor, const ScanOptions& options = {});
Command<std::int64_t> hset(std::string_view key, WordPairs fields);  // how many are new
Command<std::int64_t> hset(std::string_view key, std::string_view field, std::string_view value);
Command<bool> hsetnx(std::string_view key, std::string_view field, std::string_view value);
Command<std::int64_t> hstrlen(std::string_view key, std::string_view field);
Command<std::vector<std::string>> hvals(std::string_view key);

}  // namespace holdfast::redis
