#pragma once
// Parts of a sorted set: by place, by score, or by text where all scores are equal.

#include <holdfast/redis/command.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::redis {

class ScoreBound {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): a score is the bound that includes it
    ScoreBound(double score) : text_(written(score)) {}
    static ScoreBound without(double score) { return ScoreBound("(" + written(score)); }
    static ScoreBound lowest() { return ScoreBound(std::string("-inf")); }
    static ScoreBound highest() { return ScoreBound(std::string("+inf")); }

    std::string_view word() const { return text_; }

private:
    explicit ScoreBound(std::string text) : text_(std::move(text)) {}
    static std::string written(double score);

    std::string text_;
};

class LexBound {
public:
    static LexBound with(std::string_view text) { return LexBound("[" + std::string(text)); }
    static LexBound without(std::string_view text) { return LexBound("(" + std::string(text)); }
    static LexBound lowest() { return LexBound("-"); }
    static LexBound highest() { return LexBound("+"); }

    std::string_view word() const { return text_; }

private:
    explicit LexBound(std::string text) : text_(std::move(text)) {}

    std::string text_;
};

// ZRANGE and ZRANGESTORE.
class ZRange {
public:
    // Negative places count from the end; `last` belongs to it.
    static ZRange places(std::int64_t first, std::int64_t last) {
        return {{}, std::to_string(first), std::to_string(last)};
    }
    static ZRange scores(const ScoreBound& low, const ScoreBound& high) {
        return {"BYSCORE", std::string(low.word()), std::string(high.word())};
    }
    static ZRange texts(const LexBound& low, const LexBound& high) {
        return {"BYLEX", std::string(low.word()), std::string(high.word())};
    }
    // From the highest to the lowest. Places then count from the highest.
    ZRange& reversed() {
        reversed_ = true;
        return *this;
    }
    // Not of places. A negative count: all.
    ZRange& limit(std::int64_t offset, std::int64_t count) {
        limit_ = {offset, count};
        return *this;
    }

    void put_into(AnyCommand& command) const;

private:
    ZRange(std::string_view by, std::string low, std::string high)
        : by_(by), low_(std::move(low)), high_(std::move(high)) {}

    std::string_view by_;
    std::string low_;
    std::string high_;
    bool reversed_ = false;
    std::optional<std::pair<std::int64_t, std::int64_t>> limit_;
};

}  // namespace holdfast::redis
