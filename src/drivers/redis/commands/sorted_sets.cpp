#include "build.h"
#include "scan_words.h"
#include "scored.h"

#include <holdfast/redis/commands/sorted_sets.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

void ZaddOptions::put_into(AnyCommand& command) const {
    if (!condition_.empty()) {
        command.add(condition_);
    }
    if (!comparison_.empty()) {
        command.add(comparison_);
    }
    if (count_changed_) {
        command.add("CH");
    }
}

Command<std::int64_t> zadd(std::string_view key, std::string_view member, double score) {
    return {build_on("ZADD", Repeat::once, key, score, member), read_integer};
}

Command<std::int64_t>
zadd(std::string_view key, std::span<const ScoredMember> members, const ZaddOptions& options) {
    AnyCommand any = build_on("ZADD", Repeat::once, key);
    options.put_into(any);
    for (const ScoredMember& member : members) {
        any.add(member.score).add(member.member);
    }
    return {std::move(any), read_integer};
}

Command<std::optional<double>>
zadd_incr(std::string_view key, std::string_view member, double by, const ZaddOptions& options) {
    AnyCommand any = build_on("ZADD", Repeat::once, key);
    options.put_into(any);
    any.add("INCR").add(by).add(member);
    return {std::move(any), read_optional_real};
}

Command<std::int64_t> zcard(std::string_view key) {
    return {build_on("ZCARD", Repeat::read, key), read_integer};
}

Command<std::int64_t> zcount(std::string_view key, const ScoreBound& low, const ScoreBound& high) {
    return {build_on("ZCOUNT", Repeat::read, key, low, high), read_integer};
}

Command<double> zincrby(std::string_view key, double by, std::string_view member) {
    return {build_on("ZINCRBY", Repeat::once, key, by, member), read_real};
}

Command<std::int64_t> zlexcount(std::string_view key, const LexBound& low, const LexBound& high) {
    return {build_on("ZLEXCOUNT", Repeat::read, key, low, high), read_integer};
}

Command<std::vector<std::optional<double>>> zmscore(std::string_view key, Words members) {
    return {build_on("ZMSCORE", Repeat::read, key, members), read_list<read_optional_real>};
}

Command<std::optional<std::string>> zrandmember(std::string_view key) {
    return {build_on("ZRANDMEMBER", Repeat::read, key), read_optional_text};
}

Command<std::vector<std::string>> zrandmember(std::string_view key, std::int64_t count) {
    return {build_on("ZRANDMEMBER", Repeat::read, key, count), read_texts};
}

Command<std::vector<ScoredMember>>
zrandmember_with_scores(std::string_view key, std::int64_t count) {
    AnyCommand any = build_on("ZRANDMEMBER", Repeat::read, key, count);
    any.add("WITHSCORES");
    return {std::move(any), read_scored};
}

Command<std::vector<std::string>> zrange(std::string_view key, const ZRange& range) {
    AnyCommand any = build_on("ZRANGE", Repeat::read, key);
    range.put_into(any);
    return {std::move(any), read_texts};
}

Command<std::vector<ScoredMember>> zrange_with_scores(std::string_view key, const ZRange& range) {
    AnyCommand any = build_on("ZRANGE", Repeat::read, key);
    range.put_into(any);
    any.add("WITHSCORES");
    return {std::move(any), read_scored};
}

Command<std::int64_t> zrangestore(std::string_view to, std::string_view from, const ZRange& range) {
    AnyCommand any = build_on("ZRANGESTORE", Repeat::once, to);
    any.add_key(from);
    range.put_into(any);
    return {std::move(any), read_integer};
}

Command<std::optional<std::int64_t>> zrank(std::string_view key, std::string_view member) {
    return {build_on("ZRANK", Repeat::read, key, member), read_optional_integer};
}

Command<std::int64_t> zrem(std::string_view key, Words members) {
    return {build_on("ZREM", Repeat::once, key, members), read_integer};
}

Command<std::int64_t>
zremrangebylex(std::string_view key, const LexBound& low, const LexBound& high) {
    return {build_on("ZREMRANGEBYLEX", Repeat::once, key, low, high), read_integer};
}

Command<std::int64_t> zremrangebyrank(std::string_view key, std::int64_t first, std::int64_t last) {
    return {build_on("ZREMRANGEBYRANK", Repeat::once, key, first, last), read_integer};
}

Command<std::int64_t>
zremrangebyscore(std::string_view key, const ScoreBound& low, const ScoreBound& high) {
    return {build_on("ZREMRANGEBYSCORE", Repeat::once, key, low, high), read_integer};
}

Command<std::optional<std::int64_t>> zrevrank(std::string_view key, std::string_view member) {
    return {build_on("ZREVRANK", Repeat::read, key, member), read_optional_integer};
}

Command<ScanPage<ScoredMember>>
zscan(std::string_view key, std::uint64_t cursor, const ScanOptions& options) {
    AnyCommand any = build_on("ZSCAN", Repeat::read, key, cursor);
    put_scan(any, options);
    return {std::move(any), read_scan_page<read_scored>};
}

Command<std::optional<double>> zscore(std::string_view key, std::string_view member) {
    return {build_on("ZSCORE", Repeat::read, key, member), read_optional_real};
}

}  // namespace holdfast::redis
