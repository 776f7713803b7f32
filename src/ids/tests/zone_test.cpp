#include "civil.h"
#include "zone_rule.h"

#include <holdfast/ids/zone.h>

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace holdfast {
namespace {

constexpr WallTime at(std::int64_t unix_ms) {
    return WallTime{Duration{unix_ms}};
}

TimeZone zone(std::string_view name) {
    auto found = TimeZone::find(name);
    EXPECT_TRUE(found.ok()) << name;
    return found.ok() ? found.value() : TimeZone::utc();
}

TEST(TimeZone, a_name_that_the_host_does_not_know_is_refused) {
    for (const std::string_view name :
         {"", "Mars/Olympus", "../../etc/passwd", "Europe", "europe/berlin ", "UTC+1"}) {
        const auto found = TimeZone::find(name);
        ASSERT_FALSE(found.ok()) << name;
        EXPECT_EQ(found.error().code(), Code::invalid_argument);
    }
    EXPECT_EQ(zone("Asia/Shanghai").name(), "Asia/Shanghai");
    EXPECT_EQ(zone("UTC").name(), "UTC");
}

TEST(TimeZone, local_time_follows_the_offset_of_the_instant) {
    EXPECT_EQ(TimeZone::utc().local(at(0)), (LocalTime{1970, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(TimeZone::utc().local(at(-1)), (LocalTime{1969, 12, 31, 23, 59, 59, 999}));
    EXPECT_EQ(
        zone("Asia/Shanghai").local(at(1'767'225'600'123)), (LocalTime{2026, 1, 1, 8, 0, 0, 123})
    );
    const TimeZone berlin = zone("Europe/Berlin");
    EXPECT_EQ(berlin.local(at(1'774'745'999'999)), (LocalTime{2026, 3, 29, 1, 59, 59, 999}));
    EXPECT_EQ(berlin.local(at(1'774'746'000'000)), (LocalTime{2026, 3, 29, 3, 0, 0, 0}));
}

TEST(TimeZone, a_time_that_came_twice_is_the_first_of_the_two) {
    const TimeZone new_york = zone("America/New_York");
    const WallTime first = at(1'793'511'000'000);
    const WallTime second = first + Duration(3'600'000);
    EXPECT_EQ(new_york.local(first), new_york.local(second));
    EXPECT_EQ(new_york.instant(new_york.local(second)).value(), first);
}

TEST(TimeZone, a_time_that_was_skipped_is_refused) {
    const TimeZone new_york = zone("America/New_York");
    EXPECT_TRUE(new_york.instant(LocalTime{2026, 3, 8, 1, 59, 59, 999}).ok());
    EXPECT_FALSE(new_york.instant(LocalTime{2026, 3, 8, 2, 0, 0, 0}).ok());
    EXPECT_FALSE(new_york.instant(LocalTime{2026, 3, 8, 2, 59, 59, 999}).ok());
    EXPECT_TRUE(new_york.instant(LocalTime{2026, 3, 8, 3, 0, 0, 0}).ok());
}

TEST(TimeZone, what_is_not_in_the_calendar_is_refused) {
    for (const LocalTime& local :
         {LocalTime{2026, 2, 29},
          LocalTime{2026, 2, 30},
          LocalTime{2100, 2, 29},
          LocalTime{2026, 4, 31},
          LocalTime{2026, 0, 1},
          LocalTime{2026, 13, 1},
          LocalTime{2026, 1, 0},
          LocalTime{2026, 1, 32},
          LocalTime{2026, 1, 1, 24},
          LocalTime{2026, 1, 1, 0, 60},
          LocalTime{2026, 1, 1, 0, 0, 60},
          LocalTime{2026, 1, 1, 0, 0, 0, 1'000},
          LocalTime{2026, 1, 1, -1},
          LocalTime{10'000, 1, 1}}) {
        EXPECT_FALSE(TimeZone::utc().instant(local).ok());
        EXPECT_FALSE(zone("Asia/Shanghai").instant(local).ok());
    }
    EXPECT_TRUE(TimeZone::utc().instant(LocalTime{2000, 2, 29}).ok());
    EXPECT_TRUE(TimeZone::utc().instant(LocalTime{9'999, 12, 31, 23, 59, 59, 999}).ok());
}

TEST(TimeZone, instants_come_back_outside_of_the_repeated_hour) {
    std::mt19937_64 random(11);
    for (const char* name :
         {"UTC", "Asia/Shanghai", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia"}) {
        const TimeZone named = zone(name);
        for (int i = 0; i < 5'000; ++i) {
            const WallTime time = at(static_cast<std::int64_t>(random() % 4'000'000'000'000));
            const auto back = named.instant(named.local(time));
            ASSERT_TRUE(back.ok()) << name;
            // In a repeated hour (half an hour on Lord Howe, an hour here) the first is meant.
            const Duration earlier = time - back.value();
            ASSERT_TRUE(earlier == Duration(0) || earlier == Duration(3'600'000)) << name;
            ASSERT_EQ(named.local(back.value()), named.local(time));
        }
    }
}

// Texts of 2089 are read by whoever keeps ids of today; the host's files list changes until 2037.
TEST(TimeZone, summers_go_on_after_the_last_change_that_the_database_lists) {
    EXPECT_EQ(
        zone("America/New_York").local(at(3'776'226'455'551)),
        (LocalTime{2089, 8, 30, 3, 47, 35, 551})
    );
    EXPECT_EQ(
        zone("Europe/Berlin").instant(LocalTime{2250, 7, 1, 12}).value(),
        TimeZone::utc().instant(LocalTime{2250, 7, 1, 10}).value()
    );
    EXPECT_EQ(
        zone("Europe/Berlin").instant(LocalTime{2250, 1, 1, 12}).value(),
        TimeZone::utc().instant(LocalTime{2250, 1, 1, 11}).value()
    );
    EXPECT_EQ(zone("Asia/Shanghai").local(at(3'776'226'455'551)).hour, 15);
}

void expect_first_and_skipped(const TimeZone& named, int year) {
    for (int month = 1; month <= 12; ++month) {
        for (int hour = 0; hour < 24 * 28; ++hour) {
            const LocalTime local{year, month, 1 + hour / 24, hour % 24, 30};
            const auto instant = named.instant(local);
            const WallTime east = TimeZone::utc().instant(local).value();
            bool found = false;
            for (int half = -30; half <= 30 && !found; ++half) {
                const WallTime candidate = east + Duration(half * 1'800'000);
                found = named.local(candidate) == local;
                ASSERT_TRUE(!found || instant.ok());
                ASSERT_TRUE(!found || instant.value() == candidate) << "not the first";
            }
            ASSERT_EQ(found, instant.ok());
        }
    }
}

TEST(TimeZone, instants_agree_with_a_search_of_all_offsets_on_both_sides_of_the_list) {
    for (const char* name : {"America/New_York", "Australia/Lord_Howe", "Europe/Dublin"}) {
        for (const int year : {2026, 2037, 2072}) {
            expect_first_and_skipped(zone(name), year);
        }
    }
}

TEST(ZoneRule, all_forms_of_the_database_are_read) {
    for (const char* text :
         {"EST5EDT,M3.2.0,M11.1.0",
          "CET-1CEST,M3.5.0,M10.5.0/3",
          "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
          "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
          "<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45",
          "EET-2EEST,M3.4.4/50,M10.4.4/50",
          "IST-1GMT0,M10.5.0,M3.5.0/1"}) {
        EXPECT_TRUE(ZoneRule::parse(text).has_value()) << text;
    }
    for (const char* text :
         {"",
          "EST5",
          "UTC0",
          "<+03>-3",
          "EST5EDT",
          "EST5EDT,M3.2.0",
          "EST5EDT,M3.2.0,M11.1.0x",
          "EST5EDT,M13.2.0,M11.1.0",
          "EST5EDT,M3.6.0,M11.1.0",
          "EST5EDT,M3.2.7,M11.1.0",
          "EST5EDT,M3.0.0,M11.1.0",
          "EST5EDT,J60,J300",
          "<-02,M3.5.0/-1,M10.5.0/0",
          "EST168EDT,M3.2.0,M11.1.0"}) {
        EXPECT_FALSE(ZoneRule::parse(text).has_value()) << text;
    }
}

TEST(Civil, days_and_dates_agree_with_the_calendar_of_the_standard_library) {
    for (std::int64_t day = -720'000; day < 2'932'897; day += 7) {
        const std::chrono::year_month_day expected{std::chrono::sys_days{std::chrono::days{day}}};
        const CivilDate date = civil_of(day);
        ASSERT_EQ(date.year, static_cast<int>(expected.year()));
        ASSERT_EQ(date.month, static_cast<int>(static_cast<unsigned>(expected.month())));
        ASSERT_EQ(date.day, static_cast<int>(static_cast<unsigned>(expected.day())));
        ASSERT_EQ(days_of(date.year, date.month, date.day), day);
    }
}

}  // namespace
}  // namespace holdfast
