#pragma once
// Days and dates of the Gregorian calendar, before and after all years that std::chrono has.
// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (public domain).

#include <holdfast/ids/zone.h>

#include <cstdint>

namespace holdfast {

inline constexpr std::int64_t day_ms = 86'400'000;

struct CivilDate {
    std::int64_t year;
    int month;
    int day;
};

// Days since 1970-01-01.
constexpr CivilDate civil_of(std::int64_t days) {
    const std::int64_t shifted = days + 719'468;  // to 0000-03-01: leap days end their year
    const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
    const std::int64_t of_era = shifted - era * 146'097;
    const std::int64_t year_of_era =
        (of_era - of_era / 1'460 + of_era / 36'524 - of_era / 146'096) / 365;
    const std::int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const std::int64_t march_month = (5 * of_year + 2) / 153;
    const int month = static_cast<int>(march_month < 10 ? march_month + 3 : march_month - 9);
    const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
    return {year, month, static_cast<int>(of_year - (153 * march_month + 2) / 5 + 1)};
}

constexpr std::int64_t days_of(std::int64_t year, int month, int day) {
    const std::int64_t march_year = year - (month <= 2 ? 1 : 0);
    const std::int64_t era = (march_year >= 0 ? march_year : march_year - 399) / 400;
    const std::int64_t year_of_era = march_year - era * 400;
    const std::int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year -
           719'468;
}

constexpr bool is_leap(std::int64_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int days_in_month(std::int64_t year, int month) {
    if (month == 2) {
        return is_leap(year) ? 29 : 28;
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Reads and writes local times as if they were of UTC.
constexpr LocalTime local_of(std::int64_t milliseconds) {
    std::int64_t days = milliseconds / day_ms;
    std::int64_t rest = milliseconds % day_ms;
    if (rest < 0) {
        --days;
        rest += day_ms;
    }
    const CivilDate date = civil_of(days);
    const int of_day = static_cast<int>(rest);
    return {
        static_cast<int>(date.year),
        date.month,
        date.day,
        of_day / 3'600'000,
        of_day / 60'000 % 60,
        of_day / 1'000 % 60,
        of_day % 1'000
    };
}

constexpr std::int64_t milliseconds_of(const LocalTime& local) {
    const std::int64_t days = days_of(local.year, local.month, local.day);
    return days * day_ms + local.hour * 3'600'000 + local.minute * 60'000 + local.second * 1'000 +
           local.millisecond;
}

// Four digits of year: what a text can say.
constexpr bool in_calendar(const LocalTime& local) {
    return local.year >= 0 && local.year <= 9'999 && local.month >= 1 && local.month <= 12 &&
           local.day >= 1 && local.day <= days_in_month(local.year, local.month) &&
           local.hour >= 0 && local.hour <= 23 && local.minute >= 0 && local.minute <= 59 &&
           local.second >= 0 && local.second <= 59 && local.millisecond >= 0 &&
           local.millisecond <= 999;
}

}  // namespace holdfast
