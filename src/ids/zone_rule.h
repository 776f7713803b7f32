#pragma once
// What a zone does after the last change that its file lists (2037 on Debian): the rule in the last
// line of the file. Source: RFC 8536 section 3.3, POSIX TZ; hours from -167 to 167.

#include <cstdint>
#include <optional>
#include <string_view>

namespace holdfast {

class ZoneRule {
public:
    // `EST5EDT,M3.2.0,M11.1.0`. Nothing if the text is no rule of two changes a year, each a week
    // and day of a month: no zone of the database has another one.
    static std::optional<ZoneRule> parse(std::string_view text);

    // Seconds east of UTC at a time of Unix seconds.
    std::int64_t offset_at(std::int64_t seconds) const;
    // Unix seconds of a local time that was read as if it were of UTC. One that comes twice is the
    // first of the two; nothing if it is skipped.
    std::optional<std::int64_t> instant(std::int64_t local_seconds) const;

private:
    struct Change {
        int month = 1;
        int week = 1;                  // 5: the last
        int weekday = 0;               // 0: Sunday
        std::int64_t seconds = 7'200;  // of the day, in the local time before it
    };
    friend class ZoneRuleReader;

    static std::int64_t local_seconds_of(const Change& change, std::int64_t year);

    std::int64_t standard_ = 0;
    std::int64_t summer_ = 0;
    Change to_summer_;
    Change to_standard_;
};

}  // namespace holdfast
