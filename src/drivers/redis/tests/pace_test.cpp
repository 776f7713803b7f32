// Refreshes are rare, and never in step with those of others.

#include "pace.h"

#include <holdfast/redis/client_limits.h>

#include <gtest/gtest.h>

#include <set>

namespace holdfast::redis {
namespace {

class CountedRandom final : public Random {
public:
    void fill(std::span<std::byte>) override {}
    std::uint64_t next() override {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return state_ >> 20;
    }

private:
    std::uint64_t state_ = 1;
};

SteadyTime at_ms(std::int64_t ms) {
    return SteadyTime(Duration(ms));
}

// Plays `ms` of time in steps of one; each refresh takes `takes`, and answers if `learnt`. When
// each began.
template <class Storm>
std::vector<std::int64_t>
played(RefreshPace& pace, std::int64_t ms, std::int64_t takes, bool learnt, Storm storm) {
    std::vector<std::int64_t> begun;
    std::int64_t ends = -1;
    for (std::int64_t now = 0; now < ms; ++now) {
        storm(now);
        if (now == ends) {
            pace.ended(at_ms(now), learnt);
        }
        if (pace.due() <= at_ms(now)) {
            pace.begun(at_ms(now));
            begun.push_back(now);
            ends = now + takes;
        }
    }
    return begun;
}

std::int64_t least_gap(const std::vector<std::int64_t>& begun) {
    std::int64_t least = INT64_MAX;
    for (std::size_t i = 1; i < begun.size(); ++i) {
        least = std::min(least, begun[i] - begun[i - 1]);
    }
    return least;
}

TEST(RefreshPace, fault_30_a_storm_of_suspicions_is_one_refresh_a_second) {
    for (const std::int64_t takes : {1, 200, 999}) {
        CountedRandom random;
        RefreshPace pace(random);
        const auto begun = played(pace, 60'000, takes, true, [&](std::int64_t now) {
            for (int i = 0; i < 10; ++i) {
                pace.suspect(at_ms(now));
            }
        });
        EXPECT_LE(begun.size(), 60U) << takes;
        EXPECT_GE(begun.size(), 45U) << takes;
        EXPECT_GE(least_gap(begun), refresh_pause_min.count()) << takes;
    }
}

TEST(RefreshPace, one_that_takes_longer_than_a_second_is_not_joined_by_another) {
    CountedRandom random;
    RefreshPace pace(random);
    pace.begun(at_ms(0));
    pace.suspect(at_ms(10));
    EXPECT_EQ(pace.due(), SteadyTime::max());
    pace.ended(at_ms(5'000), true);  // it had asked before the suspicion: another one follows
    EXPECT_GE(pace.due(), at_ms(5'000));
    EXPECT_LE(pace.due(), at_ms(5'000) + refresh_spread);
}

TEST(RefreshPace, all_well_is_slow_and_spread) {
    CountedRandom random;
    RefreshPace pace(random);
    EXPECT_LE(pace.due(), at_ms(0));
    std::set<Duration> pauses;
    std::int64_t now = 0;
    for (int i = 0; i < 50; ++i) {
        pace.begun(at_ms(now));
        pace.ended(at_ms(now + 3), true);
        const Duration pause = pace.due() - at_ms(now);
        EXPECT_GE(pause, refresh_pause_quiet);
        EXPECT_LE(pause, refresh_pause_quiet + refresh_pause_quiet / 4);
        pauses.insert(pause);
        now += pause.count();
    }
    EXPECT_GT(pauses.size(), 40U);
}

TEST(RefreshPace, a_suspicion_while_all_is_well_is_looked_into_at_once) {
    CountedRandom random;
    RefreshPace pace(random);
    pace.begun(at_ms(0));
    pace.ended(at_ms(3), true);
    pace.suspect(at_ms(7'000));
    const SteadyTime due = pace.due();
    EXPECT_GE(due, at_ms(7'000));
    EXPECT_LE(due, at_ms(7'000) + refresh_spread);
    pace.suspect(at_ms(7'001));
    EXPECT_EQ(pace.due(), due);  // a storm does not push it away
}

TEST(RefreshPace, nobody_answered_is_asked_again_each_second) {
    CountedRandom random;
    RefreshPace pace(random);
    const auto begun = played(pace, 30'000, 500, false, [](std::int64_t) {});
    EXPECT_LE(begun.size(), 30U);
    EXPECT_GE(begun.size(), 23U);
    EXPECT_GE(least_gap(begun), refresh_pause_min.count());
}

}  // namespace
}  // namespace holdfast::redis
