#pragma once
// Sorted sets: members with scores, in the order of the scores.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/lists.h>
#include <holdfast/redis/commands/scan.h>
#include <holdfast/redis/commands/sorted_set_ranges.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

class ScoredMember {
public:
    ScoredMember(std::string member_text, double its_score)
        : member(std::move(member_text)), score(its_score) {}

    std::string member;
    double score;

    friend bool operator==(const ScoredMember&, const ScoredMember&) = default;
};

struct PoppedMember {
    std::string key;
    std::string member;
    double score = 0;

    friend bool operator==(const PoppedMember&, const PoppedMember&) = default;
};

class ZaddOptions {
public:
    ZaddOptions& if_absent() {
        condition_ = "NX";
        return *this;
    }
    ZaddOptions& if_present() {
        condition_ = "XX";
        return *this;
    }
    // New members are added all the same.
    ZaddOptions& if_greater() {
        comparison_ = "GT";
        return *this;
    }
    ZaddOptions& if_less() {
        comparison_ = "LT";
        return *this;
    }
    // Counts the members whose score changed too, not the new ones alone.
    ZaddOptions& count_changed() {
        count_changed_ = true;
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::string_view condition_;
    std::string_view comparison_;
    bool count_changed_ = false;
};

enum class ScoreOf : std::uint8_t { sum, lowest, highest };

// How the scores of one member in several sets become one.
class ZCombine {
public:
    ZCombine& score(ScoreOf rule) {
        rule_ = rule;
        return *this;
    }
    // One factor for each key.
    ZCombine& weights(std::vector<double> weights) {
        weights_ = std::move(weights);
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    std::optional<ScoreOf> rule_;
    std::vector<double> weights_;
};

Command<std::optional<Popped<ScoredMember>>>
bzmpop_lowest(Words keys, Duration wait, std::uint64_t count = 1);
Command<std::optional<Popped<ScoredMember>>>
bzmpop_highest(Words keys, Duration wait, std::uint64_t count = 1);
Command<std::optional<PoppedMember>> bzpopmax(Words keys, Duration wait);
Command<std::optional<PoppedMember>> bzpopmin(Words keys, Duration wait);
Command<std::int64_t> zadd(std::string_view key, std::string_view member, double score);
Command<std::int64_t>
zadd(std::string_view key, std::span<const ScoredMember> members, const ZaddOptions& options = {});
// Adds to the score; null: the condition did not hold.
Command<std::optional<double>> zadd_incr(
    std::string_view key, std::string_view member, double by, const ZaddOptions& options = {}
);
Command<std::int64_t> zcard(std::string_view key);
Command<std::int64_t> zcount(std::string_view key, const ScoreBound& low, const ScoreBound& high);
Command<std::vector<std::string>> zdiff(Words keys);
Command<std::vector<ScoredMember>> zdiff_with_scores(Words keys);
Command<std::int64_t> zdiffstore(std::string_view to, Words keys);
Command<double> zincrby(std::string_view key, double by, std::string_view member);
Command<std::vector<std::string>> zinter(Words keys, const ZCombine& combine = {});
Command<std::vector<ScoredMember>> zinter_with_scores(Words keys, const ZCombine& combine = {});
Command<std::int64_t> zintercard(Words keys, std::uint64_t limit = 0);  // 0: counts all
Command<std::int64_t> zinterstore(std::string_view to, Words keys, const ZCombine& combine = {});
Command<std::int64_t> zlexcount(std::string_view key, const LexBound& low, const LexBound& high);
Command<std::optional<Popped<ScoredMember>>> zmpop_lowest(Words keys, std::uint64_t count = 1);
Command<std::optional<Popped<ScoredMember>>> zmpop_highest(Words keys, std::uint64_t count = 1);
Command<std::vector<std::optional<double>>> zmscore(std::string_view key, Words members);
Command<std::vector<ScoredMember>> zpopmax(std::string_view key, std::uint64_t count = 1);
Command<std::vector<ScoredMember>> zpopmin(std::string_view key, std::uint64_t count = 1);
Command<std::optional<std::string>> zrandmember(std::string_view key);
// Different ones; with a negative count the same one may come again.
Command<std::vector<std::string>> zrandmember(std::string_view key, std::int64_t count);
Command<std::vector<ScoredMember>>
zrandmember_with_scores(std::string_view key, std::int64_t count);
Command<std::vector<std::string>> zrange(std::string_view key, const ZRange& range);
Command<std::vector<ScoredMember>> zrange_with_scores(std::string_view key, const ZRange& range);
Command<std::int64_t> zrangestore(std::string_view to, std::string_view from, const ZRange& range);
Command<std::optional<std::int64_t>> zrank(std::string_view key, std::string_view member);
Command<std::int64_t> zrem(std::string_view key, Words members);
Command<std::int64_t>
zremrangebylex(std::string_view key, const LexBound& low, const LexBound& high);
Command<std::int64_t> zremrangebyrank(std::string_view key, std::int64_t first, std::int64_t last);
Command<std::int64_t>
zremrangebyscore(std::string_view key, const ScoreBound& low, const ScoreBound& high);
Command<std::optional<std::int64_t>> zrevrank(std::string_view key, std::string_view member);
Command<ScanPage<ScoredMember>>
zscan(std::string_view key, std::uint64_t cursor, const ScanOptions& options = {});
Command<std::optional<double>> zscore(std::string_view key, std::string_view member);
Command<std::vector<std::string>> zunion(Words keys, const ZCombine& combine = {});
Command<std::vector<ScoredMember>> zunion_with_scores(Words keys, const ZCombine& combine = {});
Command<std::int64_t> zunionstore(std::string_view to, Words keys, const ZCombine& combine = {});

}  // namespace holdfast::redis
