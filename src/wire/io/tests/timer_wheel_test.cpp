// Promises of the timer wheel, against a plain ordered model.
#include "timer_wheel.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace holdfast {
namespace {

struct Ring final : Work {
    void run() override {}
    std::int64_t due = 0;
};

SteadyTime at(std::int64_t ms) {
    return SteadyTime(Duration(ms));
}

// What rings, in order of its tick; a due time that has passed rings in the next tick.
class Model {
public:
    explicit Model(std::int64_t now) : now_(now) {}
    void arm(Ring& ring, std::int64_t due) {
        cancel(ring);
        ring.due = std::max(due, now_ + 1);
        armed_.emplace(ring.due, &ring);
    }
    bool cancel(Ring& ring) {
        for (auto [it, end] = armed_.equal_range(ring.due); it != end; ++it) {
            if (it->second == &ring) {
                armed_.erase(it);
                return true;
            }
        }
        return false;
    }
    std::multimap<std::int64_t, Ring*> advance(std::int64_t now) {
        std::multimap<std::int64_t, Ring*> due;
        while (!armed_.empty() && armed_.begin()->first <= now) {
            due.insert(armed_.extract(armed_.begin()));
        }
        now_ = now;
        return due;
    }
    std::optional<std::int64_t> next() const {
        return armed_.empty() ? std::nullopt : std::optional(armed_.begin()->first);
    }

private:
    std::int64_t now_;
    std::multimap<std::int64_t, Ring*> armed_;
};

// Distances at which levels, slots and the whole wheel change hands.
std::int64_t distance(std::mt19937_64& random) {
    static constexpr std::int64_t edges[] = {
        0,
        1,
        63,
        64,
        65,
        4095,
        4096,
        4097,
        262143,
        262144,
        262145,
        16777214,
        16777215,
        16777216,
        16777217,
        2 * 16777216,
        100'000'000
    };
    if (random() % 2 == 0) {
        return edges[random() % std::size(edges)];
    }
    return static_cast<std::int64_t>(random() % (std::uint64_t{1} << (random() % 28)));
}

void compare(std::uint64_t seed, int operations) {
    std::mt19937_64 random(seed);
    std::int64_t now = static_cast<std::int64_t>(random() % 100'000'000);
    TimerWheel wheel(at(now));
    Model model(now);
    std::vector<Ring> rings(64);
    std::size_t rung = 0;
    for (int i = 0; i < operations; ++i) {
        Ring& ring = rings[random() % rings.size()];
        switch (random() % 4) {
        case 0:
        case 1: {
            const std::int64_t due =
                now + distance(random) - static_cast<std::int64_t>(random() % 3);
            ring.unlink();
            wheel.arm(ring, at(due));
            model.arm(ring, due);
            break;
        }
        case 2:
            ASSERT_EQ(model.cancel(ring), ring.linked());
            ring.unlink();
            break;
        default: {
            const auto next = wheel.next();
            const auto expected = model.next();
            if (expected) {
                ASSERT_TRUE(next.has_value());
                ASSERT_LE(*next, at(*expected));  // early is allowed, late is not
            }
            now = random() % 2 == 0 && expected ? *expected : now + distance(random);
            List<Work> ready;
            wheel.advance(at(now), ready);
            auto due = model.advance(now);
            std::int64_t last = 0;
            while (!ready.empty()) {
                auto& one = static_cast<Ring&>(ready.pop_front());
                ASSERT_LE(last, one.due);
                last = one.due;
                const auto same = std::find_if(due.begin(), due.end(), [&](const auto& entry) {
                    return entry.second == &one;
                });
                ASSERT_NE(same, due.end()) << "rang before its time";
                due.erase(same);
                ++rung;
            }
            ASSERT_TRUE(due.empty()) << "did not ring in time";
        }
        }
    }
    EXPECT_GT(rung, static_cast<std::size_t>(operations / 10));
}

TEST(TimerWheel, rings_as_an_ordered_list_would_in_a_hundred_thousand_random_operations) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        compare(seed, 10'000);
        if (HasFatalFailure()) {
            FAIL() << "seed " << seed;
        }
    }
}

TEST(TimerWheel, next_is_never_late_from_any_position_of_any_level) {
    for (int level = 0; level < 4; ++level) {
        for (std::int64_t slot = 0; slot < 64; ++slot) {
            const std::int64_t now = slot << (6 * level);
            for (const std::int64_t ahead : {std::int64_t{1}, std::int64_t{63}, std::int64_t{64}}) {
                const std::int64_t due = now + (ahead << (6 * level));
                TimerWheel wheel(at(now));
                Ring ring;
                wheel.arm(ring, at(due));
                List<Work> ready;
                for (auto next = wheel.next(); next && *next < at(due); next = wheel.next()) {
                    wheel.advance(*next, ready);
                    ASSERT_TRUE(ready.empty());
                }
                ASSERT_EQ(wheel.next(), at(due)) << level << " " << slot << " " << ahead;
                wheel.advance(at(due), ready);
                ASSERT_FALSE(ready.empty());
            }
        }
    }
}

TEST(TimerWheel, a_timer_beyond_the_last_level_goes_round_and_rings_on_its_tick) {
    constexpr std::int64_t day = 24 * 3'600'000;
    TimerWheel wheel(at(12'345));
    Ring ring;
    wheel.arm(ring, at(12'345 + 3 * day));
    List<Work> ready;
    for (auto next = wheel.next(); next && *next < at(12'345 + 3 * day); next = wheel.next()) {
        wheel.advance(*next, ready);
        ASSERT_TRUE(ready.empty());
    }
    wheel.advance(at(12'345 + 3 * day), ready);
    EXPECT_FALSE(ready.empty());
}

TEST(TimerWheel, a_cancelled_timer_never_rings) {
    TimerWheel wheel(at(0));
    Ring ring;
    wheel.arm(ring, at(100));
    ring.unlink();
    List<Work> ready;
    wheel.advance(at(1000), ready);
    EXPECT_TRUE(ready.empty());
    EXPECT_FALSE(wheel.next().has_value());
}

TEST(TimerWheel, forgetting_cancelled_timers_leaves_the_others) {
    TimerWheel wheel(at(1'000));
    Ring soon;
    Ring late;
    wheel.arm(soon, at(1'005));
    wheel.arm(late, at(900'000));
    soon.unlink();
    wheel.forget_cancelled();
    ASSERT_TRUE(wheel.next().has_value());
    EXPECT_GT(*wheel.next(), at(1'005));
    late.unlink();
    wheel.forget_cancelled();
    EXPECT_FALSE(wheel.next().has_value());
}

}  // namespace
}  // namespace holdfast
