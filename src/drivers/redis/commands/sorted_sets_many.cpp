// Commands over several sorted sets, and those that take members out.

#include "build.h"
#include "scored.h"

#include <holdfast/redis/commands/sorted_sets.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

AnyCommand combining(std::string_view name, Words keys) {
    AnyCommand any(name, Repeat::read);
    put_counted_keys(any, keys);
    return any;
}

AnyCommand combining(std::string_view name, Words keys, const ZCombine& combine) {
    AnyCommand any = combining(name, keys);
    combine.put_into(any);
    return any;
}

AnyCommand combining_with_scores(std::string_view name, Words keys, const ZCombine& combine) {
    AnyCommand any = combining(name, keys, combine);
    any.add("WITHSCORES");
    return any;
}

Command<std::int64_t>
storing(std::string_view name, std::string_view to, Words keys, const ZCombine& combine) {
    AnyCommand any = build_on(name, Repeat::once, to);
    put_counted_keys(any, keys);
    combine.put_into(any);
    return {std::move(any), read_integer};
}

Command<std::optional<PoppedMember>> pop_waiting(std::string_view name, Words keys, Duration wait) {
    AnyCommand any = build_on_all(name, Repeat::once, keys);
    any.add(in_seconds(wait)).set_lane(Lane::blocking);
    return {std::move(any), read_optional<read_popped_member>};
}

Command<std::optional<Popped<ScoredMember>>>
pop_many(Words keys, std::string_view end, std::uint64_t count) {
    AnyCommand any("ZMPOP");
    put_counted_keys(any, keys);
    any.add(end).add("COUNT").add(count);
    return {std::move(any), read_optional<read_popped_members>};
}

Command<std::optional<Popped<ScoredMember>>>
pop_many_waiting(Words keys, Duration wait, std::string_view end, std::uint64_t count) {
    AnyCommand any = build("BZMPOP", Repeat::once, in_seconds(wait));
    put_counted_keys(any, keys);
    any.add(end).add("COUNT").add(count).set_lane(Lane::blocking);
    return {std::move(any), read_optional<read_popped_members>};
}

std::string_view word_of(ScoreOf rule) {
    switch (rule) {
    case ScoreOf::sum:
        return "SUM";
    case ScoreOf::lowest:
        return "MIN";
    case ScoreOf::highest:
        break;
    }
    return "MAX";
}

}  // namespace

void ZCombine::put_into(AnyCommand& command) const {
    if (!weights_.empty()) {
        command.add("WEIGHTS");
        for (const double weight : weights_) {
            command.add(weight);
        }
    }
    if (rule_) {
        command.add("AGGREGATE").add(word_of(*rule_));
    }
}

Command<std::optional<Popped<ScoredMember>>>
bzmpop_lowest(Words keys, Duration wait, std::uint64_t count) {
    return pop_many_waiting(keys, wait, "MIN", count);
}

Command<std::optional<Popped<ScoredMember>>>
bzmpop_highest(Words keys, Duration wait, std::uint64_t count) {
    return pop_many_waiting(keys, wait, "MAX", count);
}

Command<std::optional<PoppedMember>> bzpopmax(Words keys, Duration wait) {
    return pop_waiting("BZPOPMAX", keys, wait);
}

Command<std::optional<PoppedMember>> bzpopmin(Words keys, Duration wait) {
    return pop_waiting("BZPOPMIN", keys, wait);
}

Command<std::vector<std::string>> zdiff(Words keys) {
    return {combining("ZDIFF", keys), read_texts};
}

Command<std::vector<ScoredMember>> zdiff_with_scores(Words keys) {
    return {combining_with_scores("ZDIFF", keys, ZCombine()), read_scored};
}

Command<std::int64_t> zdiffstore(std::string_view to, Words keys) {
    return storing("ZDIFFSTORE", to, keys, ZCombine());
}

Command<std::vector<std::string>> zinter(Words keys, const ZCombine& combine) {
    return {combining("ZINTER", keys, combine), read_texts};
}

Command<std::vector<ScoredMember>> zinter_with_scores(Words keys, const ZCombine& combine) {
    return {combining_with_scores("ZINTER", keys, combine), read_scored};
}

Command<std::int64_t> zintercard(Words keys, std::uint64_t limit) {
    AnyCommand any = combining("ZINTERCARD", keys);
    any.add("LIMIT").add(limit);
    return {std::move(any), read_integer};
}

Command<std::int64_t> zinterstore(std::string_view to, Words keys, const ZCombine& combine) {
    return storing("ZINTERSTORE", to, keys, combine);
}

Command<std::optional<Popped<ScoredMember>>> zmpop_lowest(Words keys, std::uint64_t count) {
    return pop_many(keys, "MIN", count);
}

Command<std::optional<Popped<ScoredMember>>> zmpop_highest(Words keys, std::uint64_t count) {
    return pop_many(keys, "MAX", count);
}

Command<std::vector<ScoredMember>> zpopmax(std::string_view key, std::uint64_t count) {
    return {build_on("ZPOPMAX", Repeat::once, key, count), read_scored};
}

Command<std::vector<ScoredMember>> zpopmin(std::string_view key, std::uint64_t count) {
    return {build_on("ZPOPMIN", Repeat::once, key, count), read_scored};
}

Command<std::vector<std::string>> zunion(Words keys, const ZCombine& combine) {
    return {combining("ZUNION", keys, combine), read_texts};
}

Command<std::vector<ScoredMember>> zunion_with_scores(Words keys, const ZCombine& combine) {
    return {combining_with_scores("ZUNION", keys, combine), read_scored};
}

Command<std::int64_t> zunionstore(std::string_view to, Words keys, const ZCombine& combine) {
    return storing("ZUNIONSTORE", to, keys, combine);
}

}  // namespace holdfast::redis
