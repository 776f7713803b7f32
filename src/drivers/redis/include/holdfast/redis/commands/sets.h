#pragma once
// Sets of texts.

#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/scan.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

Command<std::int64_t> sadd(std::string_view key, Words members);  // how many are new
Command<std::int64_t> scard(std::string_view key);
Command<std::vector<std::string>> sdiff(Words keys);  // in the first and in no other
Command<std::int64_t> sdiffstore(std::string_view to, Words keys);
Command<std::vector<std::string>> sinter(Words keys);
// How many are in all of them, counted up to `limit`; 0: all.
Command<std::int64_t> sintercard(Words keys, std::uint64_t limit = 0);
Command<std::int64_t> sinterstore(std::string_view to, Words keys);
Command<bool> sismember(std::string_view key, std::string_view member);
Command<std::vector<std::string>> smembers(std::string_view key);
Command<std::vector<bool>> smismember(std::string_view key, Words members);
Command<bool> smove(std::string_view from, std::string_view to, std::string_view member);
Command<std::optional<std::string>> spop(std::string_view key);
Command<std::vector<std::string>> spop(std::string_view key, std::uint64_t count);
Command<std::optional<std::string>> srandmember(std::string_view key);
// Different ones; with a negative count the same one may come again.
Command<std::vector<std::string>> srandmember(std::string_view key, std::int64_t count);
Command<std::int64_t> srem(std::string_view key, Words members);  // how many were there
Command<ScanPage<std::string>>
sscan(std::string_view key, std::uint64_t cursor, const ScanOptions& options = {});
Command<std::vector<std::string>> sunion(Words keys);
Command<std::int64_t> sunionstore(std::string_view to, Words keys);

}  // namespace holdfast::redis
