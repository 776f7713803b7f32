#include "zone_rule.h"

#include "civil.h"

#include <algorithm>

namespace holdfast {

// Takes its text from the front; what is not there makes everything after it fail.
class ZoneRuleReader {
public:
    explicit ZoneRuleReader(std::string_view text) : text_(text) {}

    std::optional<ZoneRule> read() {
        ZoneRule rule;
        name();
        rule.standard_ = -time();
        name();
        rule.summer_ = text_.starts_with(',') ? rule.standard_ + 3'600 : -time();
        rule.to_summer_ = change();
        rule.to_standard_ = change();
        if (!ok_ || !text_.empty()) {
            return std::nullopt;
        }
        return rule;
    }

private:
    bool take(char c) {
        const bool found = text_.starts_with(c);
        text_.remove_prefix(found ? 1 : 0);
        return found;
    }
    void require(bool holds) { ok_ = ok_ && holds; }

    void name() {
        constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        const bool quoted = take('<');
        const std::size_t end = quoted ? text_.find('>') : text_.find_first_not_of(letters);
        require(end != text_.npos && end > 0);
        text_.remove_prefix(std::min(end, text_.size()));
        require(!quoted || take('>'));
    }
    std::int64_t number(std::int64_t max) {
        std::int64_t value = 0;
        std::size_t digits = 0;
        while (digits < 3 && !text_.empty() && text_.front() >= '0' && text_.front() <= '9') {
            value = value * 10 + (text_.front() - '0');
            text_.remove_prefix(1);
            ++digits;
        }
        require(digits > 0 && value <= max);
        return value;
    }
    std::int64_t time() {
        const bool negative = take('-');
        if (!negative) {
            take('+');
        }
        std::int64_t seconds = number(167) * 3'600;
        if (take(':')) {
            seconds += number(59) * 60;
            seconds += take(':') ? number(59) : 0;
        }
        return negative ? -seconds : seconds;
    }
    ZoneRule::Change change() {
        ZoneRule::Change change;
        require(take(','));
        require(take('M'));
        change.month = static_cast<int>(number(12));
        require(take('.'));
        change.week = static_cast<int>(number(5));
        require(take('.'));
        change.weekday = static_cast<int>(number(6));
        require(change.month >= 1 && change.week >= 1);
        change.seconds = take('/') ? time() : change.seconds;
        return change;
    }

    std::string_view text_;
    bool ok_ = true;
};

std::optional<ZoneRule> ZoneRule::parse(std::string_view text) {
    return ZoneRuleReader(text).read();
}

std::int64_t ZoneRule::local_seconds_of(const Change& change, std::int64_t year) {
    constexpr int epoch_weekday = 4;  // 1970-01-01 was a Thursday
    const std::int64_t first = days_of(year, change.month, 1);
    const std::int64_t weekday = (first % 7 + 7 + epoch_weekday) % 7;
    std::int64_t day = (change.weekday - weekday + 7) % 7 + (change.week - 1) * 7;
    if (day >= days_in_month(year, change.month)) {
        day -= 7;
    }
    return (first + day) * (day_ms / 1'000) + change.seconds;
}

std::int64_t ZoneRule::offset_at(std::int64_t seconds) const {
    const std::int64_t days = (seconds + standard_) / (day_ms / 1'000);
    const std::int64_t year = civil_of(days).year;
    const std::int64_t summer = local_seconds_of(to_summer_, year) - standard_;
    const std::int64_t standard = local_seconds_of(to_standard_, year) - summer_;
    const bool is_summer = summer <= standard ? seconds >= summer && seconds < standard
                                              : seconds >= summer || seconds < standard;
    return is_summer ? summer_ : standard_;
}

std::optional<std::int64_t> ZoneRule::instant(std::int64_t local_seconds) const {
    const std::int64_t sooner = local_seconds - std::max(standard_, summer_);
    const std::int64_t later = local_seconds - std::min(standard_, summer_);
    for (const std::int64_t candidate : {sooner, later}) {
        if (candidate + offset_at(candidate) == local_seconds) {
            return candidate;
        }
    }
    return std::nullopt;
}

}  // namespace holdfast
