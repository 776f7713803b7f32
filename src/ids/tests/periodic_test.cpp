// Numbers that start again in each period, and never mix two.

#include "ranges/period_name.h"
#include "segment_scene.h"

#include <map>
#include <set>

namespace holdfast::testing {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

WallTime at(int year, int month, int day, int hour, int minute = 0, int second = 0, int ms = 0) {
    LocalTime local;
    local.year = year;
    local.month = month;
    local.day = day;
    local.hour = hour;
    local.minute = minute;
    local.second = second;
    local.millisecond = ms;
    return TimeZone::utc().instant(local).value();
}

class PeriodicScene : public SegmentScene {
public:
    explicit PeriodicScene(
        PeriodOptions period = PeriodOptions(), SegmentOptions segment = SegmentOptions().step(10)
    ) {
        set_wall(at(2026, 11, 5, 13));
        make(GeneratorOptions::periodic("orders", std::move(period), std::move(segment)));
        EXPECT_TRUE(wait(generator->open(in(seconds(5)))).ok());
    }
    void set_wall(WallTime time) { runtime->shift_wall(time - runtime->clock().wall_now()); }
    PeriodicIds take(std::size_t count) {
        std::vector<std::int64_t> ids(count);
        auto taken = wait(generator->fill_of_period(ids, in(seconds(5))));
        EXPECT_TRUE(taken.ok()) << taken.error().what();
        if (!taken.ok()) {
            return PeriodicIds();
        }
        first = ids.front();
        return std::move(taken).value();
    }
    std::int64_t first = -1;
};

TEST(Periodic, periods_are_named_by_the_calendar) {
    LocalTime time;
    time.year = 2026;
    time.month = 3;
    time.day = 5;
    time.hour = 7;
    EXPECT_EQ(period_name(Period::year, time), "2026");
    EXPECT_EQ(period_name(Period::month, time), "2026-03");
    EXPECT_EQ(period_name(Period::day, time), "2026-03-05");
    EXPECT_EQ(period_name(Period::hour, time), "2026-03-05T07");
}

TEST(Periodic, each_period_has_its_own_key_and_starts_again) {
    const std::map<Period, std::pair<WallTime, std::pair<std::string, std::string>>> borders = {
        {Period::year, {at(2027, 1, 1, 0), {"2026", "2027"}}},
        {Period::month, {at(2026, 12, 1, 0), {"2026-11", "2026-12"}}},
        {Period::day, {at(2026, 11, 6, 0), {"2026-11-05", "2026-11-06"}}},
        {Period::hour, {at(2026, 11, 5, 14), {"2026-11-05T13", "2026-11-05T14"}}},
    };
    for (const auto& [period, border] : borders) {
        PeriodicScene scene(PeriodOptions().period(period));
        scene.set_wall(border.first - milliseconds(1));
        const PeriodicIds before = scene.take(3);
        EXPECT_EQ(before.period, border.second.first);
        EXPECT_EQ(before.count, 3u);
        EXPECT_EQ(scene.first, 0);
        scene.set_wall(border.first);
        const PeriodicIds after = scene.take(1);
        EXPECT_EQ(after.period, border.second.second);
        EXPECT_EQ(scene.first, 0);
        EXPECT_EQ(scene.store.keys().back(), "shop/orders@" + border.second.second);
        EXPECT_EQ(scene.generator->info().range_key, "shop/orders@" + border.second.second);
    }
}

TEST(Periodic, the_zone_decides_where_a_day_ends) {
    const TimeZone shanghai = TimeZone::find("Asia/Shanghai").value();
    PeriodicScene scene(PeriodOptions().period(Period::day).zone(shanghai));
    scene.set_wall(at(2026, 11, 5, 15, 59, 59, 999));
    EXPECT_EQ(scene.take(1).period, "2026-11-05");
    scene.set_wall(at(2026, 11, 5, 16));
    EXPECT_EQ(scene.take(1).period, "2026-11-06");
}

// 1:00 to 2:00 comes twice on 1 November 2026 in New York.
TEST(Periodic, an_hour_that_comes_twice_is_one_period_and_repeats_nothing) {
    const TimeZone zone = TimeZone::find("America/New_York").value();
    PeriodicScene scene(PeriodOptions().period(Period::hour).zone(zone));
    scene.set_wall(at(2026, 11, 1, 5, 30));
    EXPECT_EQ(scene.take(4).period, "2026-11-01T01");
    scene.set_wall(at(2026, 11, 1, 6, 30));
    EXPECT_EQ(scene.take(1).period, "2026-11-01T01");
    EXPECT_EQ(scene.first, 4);
    scene.set_wall(at(2026, 11, 1, 7));
    EXPECT_EQ(scene.take(1).period, "2026-11-01T02");
}

TEST(Periodic, a_clock_that_steps_back_over_the_border_goes_on_with_the_old_period) {
    for (const Duration away : {Duration(0), Duration(seconds(60))}) {
        PeriodicScene scene(PeriodOptions().period(Period::day));
        std::map<std::string, std::set<std::int64_t>> seen;
        for (int turn = 0; turn < 6; ++turn) {
            scene.set_wall(turn % 2 == 0 ? at(2026, 11, 5, 23, 59, 59) : at(2026, 11, 6, 0));
            std::vector<std::int64_t> ids(7);
            const auto taken =
                scene.wait(scene.generator->fill_of_period(ids, scene.in(seconds(5)))).value();
            EXPECT_EQ(taken.period, turn % 2 == 0 ? "2026-11-05" : "2026-11-06");
            for (std::size_t i = 0; i < taken.count; ++i) {
                EXPECT_TRUE(seen[taken.period].insert(ids[i]).second) << "given out twice";
            }
            scene.runtime->run(scene.runtime->now() + away);
        }
        EXPECT_FALSE(scene.generator->rollback_suspected());
    }
}

TEST(Periodic, the_rest_of_a_period_that_is_over_is_dropped_and_counted) {
    PeriodicScene scene(PeriodOptions().period(Period::day));
    EXPECT_EQ(scene.take(3).period, "2026-11-05");
    EXPECT_EQ(scene.generator->info().burnt, 0u);
    scene.set_wall(at(2026, 11, 6, 0));
    EXPECT_EQ(scene.take(1).period, "2026-11-06");
    EXPECT_EQ(scene.generator->ranges().size(), 2u);  // for callers that read the clock just before
    scene.pass(seconds(6));
    EXPECT_EQ(scene.take(1).period, "2026-11-06");
    EXPECT_EQ(scene.generator->ranges().size(), 1u);
    const GeneratorInfo info = scene.generator->info();
    EXPECT_EQ(info.issued, 5u);
    EXPECT_EQ(info.burnt, 27u);  // one step of ten in use and two ahead, less three
}

TEST(Periodic, few_periods_are_in_hand_whatever_the_clock_does) {
    PeriodicScene scene(PeriodOptions().period(Period::hour));
    for (int turn = 0; turn < 300; ++turn) {
        scene.set_wall(at(2026, 1, 1, 0) + hours(turn * 37 % 200));
        EXPECT_EQ(scene.take(1).count, 1u);
        EXPECT_LE(scene.generator->ranges().size(), 4u);
    }
    EXPECT_FALSE(scene.generator->rollback_suspected());
}

TEST(Periodic, an_answer_never_mixes_periods) {
    PeriodicScene scene(
        PeriodOptions().period(Period::hour), SegmentOptions().step(5).safe_distance(1)
    );
    scene.store.script([](std::size_t) { return slow(milliseconds(40)); });
    const WallTime border = at(2026, 11, 5, 14);
    for (int before = 5; before < 400; before += 10) {
        scene.set_wall(border - milliseconds(before));
        std::vector<std::int64_t> ids(64, -1);
        const auto taken =
            scene.wait(scene.generator->fill_of_period(ids, scene.in(seconds(5)))).value();
        ASSERT_GE(taken.count, 1u);
        ASSERT_TRUE(taken.period == "2026-11-05T13" || taken.period == "2026-11-05T14");
        for (std::size_t i = 1; i < taken.count; ++i) {
            ASSERT_GT(ids[i], ids[i - 1]);
        }
        if (taken.period == "2026-11-05T14") {
            ASSERT_EQ(taken.count, 64u);
        }
    }
}

TEST(Periodic, texts_name_the_period_of_their_number) {
    PeriodicScene scene(PeriodOptions().period(Period::month));
    std::set<std::string> texts;
    for (const WallTime time : {at(2026, 11, 30, 23, 59, 59), at(2026, 12, 1, 0)}) {
        scene.set_wall(time);
        std::vector<std::string> some(30);
        ASSERT_TRUE(scene.wait(scene.generator->fill_text(some, scene.in(seconds(5)))).ok());
        for (const std::string& text : some) {
            EXPECT_TRUE(texts.insert(text).second);
            EXPECT_EQ(text.substr(0, 8), time < at(2026, 12, 1, 0) ? "2026-11-" : "2026-12-");
            EXPECT_EQ(text.size(), 8u + 11);
        }
        scene.pass(milliseconds(20));
        EXPECT_TRUE(texts.insert(scene.generator->next_text().value()).second);
    }
    EXPECT_EQ(scene.generator->parse(*texts.begin()).error().code(), Code::unsupported);
}

TEST(Periodic, all_texts_of_a_call_are_of_one_period) {
    PeriodicScene scene(
        PeriodOptions().period(Period::hour), SegmentOptions().step(5).safe_distance(1)
    );
    scene.store.script([](std::size_t) { return slow(milliseconds(40)); });
    scene.set_wall(at(2026, 11, 5, 13, 59, 59, 900));
    std::vector<std::string> texts(100);
    ASSERT_TRUE(scene.wait(scene.generator->fill_text(texts, scene.in(seconds(20)))).ok());
    for (const std::string& text : texts) {
        EXPECT_EQ(text.substr(0, 13), "2026-11-05T14");
    }
    EXPECT_GT(scene.generator->info().burnt, 0u);
}

TEST(Periodic, a_number_alone_is_refused) {
    PeriodicScene scene;
    std::vector<std::int64_t> ids(3);
    EXPECT_EQ(scene.generator->next().error().code(), Code::unsupported);
    EXPECT_EQ(scene.generator->next(ids).error().code(), Code::unsupported);
    EXPECT_EQ(scene.next_within(seconds(1)).error().code(), Code::unsupported);
    EXPECT_EQ(
        scene.wait(scene.generator->fill(ids, scene.in(seconds(1)))).error().code(),
        Code::unsupported
    );
}

TEST(Periodic, a_sealed_period_denies_and_the_next_one_issues) {
    PeriodicScene scene(PeriodOptions().period(Period::day));
    scene.seal("shop/orders@2026-11-06");
    scene.set_wall(at(2026, 11, 6, 12));
    std::vector<std::int64_t> ids(1);
    const auto sealed = scene.wait(scene.generator->fill_of_period(ids, scene.in(seconds(5))));
    EXPECT_EQ(sealed.error().code(), Code::denied);
    EXPECT_EQ(scene.generator->info().state, IdState::sealed);
    scene.set_wall(at(2026, 11, 7, 0));
    EXPECT_EQ(scene.take(1).period, "2026-11-07");
}

TEST(Periodic, direct_asks_for_each_span) {
    PeriodicScene scene(
        PeriodOptions().period(Period::day), SegmentOptions().mode(SegmentMode::direct)
    );
    EXPECT_EQ(scene.take(5).count, 5u);
    EXPECT_EQ(scene.take(5).count, 5u);
    EXPECT_EQ(scene.first, 5);
    EXPECT_EQ(scene.store.calls(), 2u);
    std::vector<std::int64_t> ids(1);
    EXPECT_EQ(scene.generator->next_of_period(ids).error().code(), Code::unsupported);
}

TEST(Periodic, after_a_close_every_verb_says_so) {
    PeriodicScene scene;
    EXPECT_EQ(scene.take(1).count, 1u);
    EXPECT_TRUE(scene.wait(scene.generator->close(scene.in(seconds(1)))).ok());
    EXPECT_TRUE(scene.wait(scene.generator->close(scene.in(seconds(1)))).ok());
    std::vector<std::int64_t> ids(1);
    EXPECT_EQ(scene.generator->next().error().code(), Code::closed);
    EXPECT_EQ(scene.generator->next_text().error().code(), Code::closed);
    EXPECT_EQ(scene.generator->next_of_period(ids).error().code(), Code::closed);
    EXPECT_EQ(
        scene.wait(scene.generator->fill_of_period(ids, scene.in(seconds(1)))).error().code(),
        Code::closed
    );
    EXPECT_EQ(scene.generator->info().state, IdState::closed);
    EXPECT_EQ(scene.generator->info().burnt, 29u);
}

// Row 12: a period's numbers go by the clock of the process alone, whenever their range was
// fetched; a process that is started the next day knows nothing of the fetch of yesterday.
TEST(Periodic, only_the_clock_decides_not_the_time_of_a_fetch) {
    PeriodicScene scene(PeriodOptions().period(Period::day));
    scene.set_wall(at(2026, 11, 5, 23, 59, 59, 990));
    EXPECT_EQ(scene.take(1).period, "2026-11-05");
    scene.set_wall(at(2026, 11, 6, 0, 0, 0, 1));
    EXPECT_EQ(scene.take(1).period, "2026-11-06");
    EXPECT_EQ(scene.first, 0);
    scene.generator.reset();
    scene.set_wall(at(2026, 11, 7, 0, 0, 0, 1));
    scene.make(GeneratorOptions::periodic("orders", PeriodOptions().period(Period::day)));
    EXPECT_EQ(scene.take(1).period, "2026-11-07");
    EXPECT_EQ(scene.first, 0);
}

}  // namespace
}  // namespace holdfast::testing
