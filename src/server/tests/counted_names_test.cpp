// Both sides of each limit, forgetting, and what it costs.

#include "caller_counts.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using namespace std::chrono_literals;

SteadyTime at(Duration since) {
    return SteadyTime() + since;
}

CountRule rule(std::size_t names, Duration idle = 1h) {
    CountRule made;
    made.names_max = names;
    made.idle = idle;
    return made;
}

class Counting {
public:
    explicit Counting(CountRule rule) : rule_(rule) {}
    Entered enter(std::uint64_t name, Duration when = 0ms) {
        return names.enter(rule_, name, at(when));
    }
    void use(std::uint64_t name, Duration when = 0ms) {
        if (enter(name, when) == Entered::fresh) {
            names.settle(name, true);
        }
    }

    CountedNames names;

private:
    CountRule rule_;
};

TEST(CountedNames, the_last_name_below_the_limit_enters_and_the_next_does_not) {
    Counting counting(rule(3));
    counting.use(1);
    counting.use(2);
    EXPECT_EQ(counting.enter(3), Entered::fresh);
    EXPECT_EQ(counting.enter(4), Entered::full) << "a name that is not settled counts too";
    counting.names.settle(3, true);
    EXPECT_EQ(counting.enter(4), Entered::full);
    EXPECT_EQ(counting.enter(1), Entered::known);
}

TEST(CountedNames, a_name_whose_uses_all_failed_does_not_count) {
    Counting counting(rule(1));
    EXPECT_EQ(counting.enter(1), Entered::fresh);
    EXPECT_EQ(counting.enter(1), Entered::fresh) << "the first use is not settled";
    counting.names.settle(1, false);
    EXPECT_EQ(counting.enter(2), Entered::full) << "one use of the first name is under way";
    counting.names.settle(1, false);
    EXPECT_EQ(counting.enter(2), Entered::fresh);
}

TEST(CountedNames, a_failed_use_takes_nothing_from_one_that_went_well) {
    Counting counting(rule(1));
    EXPECT_EQ(counting.enter(1), Entered::fresh);
    EXPECT_EQ(counting.enter(1), Entered::fresh);
    counting.names.settle(1, true);
    counting.names.settle(1, false);
    EXPECT_EQ(counting.enter(1), Entered::known);
    EXPECT_EQ(counting.enter(2), Entered::full);
}

TEST(CountedNames, an_unused_name_stops_counting_after_the_idle_time_and_a_used_one_does_not) {
    Counting counting(rule(2, 1000ms));
    counting.use(1, 0ms);
    counting.use(2, 0ms);
    EXPECT_EQ(counting.enter(1, 999ms), Entered::known);
    EXPECT_EQ(counting.enter(3, 999ms), Entered::full);
    EXPECT_EQ(counting.enter(3, 1000ms), Entered::fresh) << "2 was not used for a second";
    counting.names.settle(3, true);
    EXPECT_EQ(counting.enter(2, 1001ms), Entered::full);
    EXPECT_EQ(counting.enter(1, 1998ms), Entered::known);
    EXPECT_TRUE(!counting.names.idle(rule(2, 1000ms), at(2997ms)));
    EXPECT_TRUE(counting.names.idle(rule(2, 1000ms), at(2998ms)));
}

TEST(CountedNames, without_an_idle_time_nothing_is_forgotten_and_without_a_limit_nothing_kept) {
    Counting forever(rule(1, 0ms));
    forever.use(1, 0ms);
    EXPECT_EQ(forever.enter(2, std::chrono::hours(24 * 365)), Entered::full);
    Counting off(rule(0));
    for (std::uint64_t name = 0; name < 100; ++name) {
        EXPECT_EQ(off.enter(name), Entered::known);
    }
    EXPECT_EQ(off.names.bytes(), 0U);
}

TEST(CountedNames, names_are_found_whatever_was_forgotten_between_them) {
    Counting counting(rule(1000, 10ms));
    std::uint64_t seed = 7;
    for (int turn = 0; turn < 20'000; ++turn) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        const std::uint64_t name = (seed >> 33) % 64 * 8;  // neighbours in the table
        const Duration now(turn / 4);
        const Entered entered = counting.enter(name, now);
        ASSERT_NE(entered, Entered::full);
        if (entered == Entered::fresh) {
            counting.names.settle(name, turn % 3 != 0);
        }
        if (entered == Entered::known || turn % 3 != 0) {
            ASSERT_EQ(counting.enter(name, now), Entered::known) << turn;
        }
        ASSERT_LE(counting.names.size(), 64U);
    }
}

class CallerCountsTest : public ::testing::Test {
protected:
    using Refusal = CallerCounts::Refusal;
    Refusal use(std::uint64_t caller, const std::string& key, Duration when = 0ms) {
        CallerCounts::Use made(counts, caller, key.substr(0, key.find('/')), key, at(when));
        if (made.refusal() == Refusal::none) {
            made.kept();
        }
        return made.refusal();
    }

    KeyedHash hash = KeyedHash::fresh();
    CallerCounts counts{hash, rule(2), rule(3)};
};

TEST_F(CallerCountsTest, each_caller_is_counted_by_itself) {
    for (const std::uint64_t caller : {11, 12}) {
        EXPECT_EQ(use(caller, "a/1"), Refusal::none);
        EXPECT_EQ(use(caller, "a/2"), Refusal::none);
        EXPECT_EQ(use(caller, "a/3"), Refusal::none);
        EXPECT_EQ(use(caller, "a/4"), Refusal::too_many_keys);
        EXPECT_EQ(use(caller, "b"), Refusal::none);
        EXPECT_EQ(use(caller, "c"), Refusal::too_many_namespaces);
        EXPECT_EQ(use(caller, "a/1"), Refusal::none);
    }
}

TEST_F(CallerCountsTest, a_refused_key_and_a_failed_use_leave_no_trace) {
    {
        const CallerCounts::Use failed(counts, 1, "a", "a/1", at(0ms));
        EXPECT_EQ(failed.refusal(), Refusal::none);
    }
    EXPECT_EQ(counts.bytes(), 0U);
    EXPECT_EQ(use(1, "a/1"), Refusal::none);
    EXPECT_EQ(use(1, "b/1"), Refusal::none);
    const std::size_t before = counts.bytes();
    EXPECT_EQ(use(1, "c/1"), Refusal::too_many_namespaces);
    EXPECT_EQ(counts.bytes(), before);
}

TEST_F(CallerCountsTest, namespaces_and_keys_come_free_after_the_idle_time) {
    EXPECT_EQ(use(1, "a/1", 0h), Refusal::none);
    EXPECT_EQ(use(1, "b/1", 0h), Refusal::none);
    EXPECT_EQ(use(1, "c/1", 1h - 1ms), Refusal::too_many_namespaces);
    EXPECT_EQ(use(1, "c/1", 1h), Refusal::none);
}

// Stated in docs/capabilities/service.md: at most 48 bytes for a key in use.
TEST(CallerCountsMemory, a_million_keys_cost_at_most_48_bytes_each) {
    const KeyedHash hash = KeyedHash::fresh();
    CallerCounts counts(hash, rule(1'000), rule(10'000));
    for (int name = 0; name < 100; ++name) {
        const std::string space = "namespace-" + std::to_string(name);
        for (int key = 0; key < 10'000; ++key) {
            CallerCounts::Use use(counts, 1, space, space + "/" + std::to_string(key), at(0ms));
            ASSERT_EQ(use.refusal(), CallerCounts::Refusal::none);
            use.kept();
        }
    }
    EXPECT_LE(counts.bytes(), 48U * 1'000'000);
    EXPECT_GE(counts.bytes(), 16U * 1'000'000);
}

TEST(CallerCountsMemory, what_nobody_uses_any_more_is_given_back) {
    const KeyedHash hash = KeyedHash::fresh();
    CallerCounts counts(hash, rule(0), rule(10, 10ms));
    std::size_t largest = 0;
    for (int i = 0; i < 200'000; ++i) {
        const std::string key = "k" + std::to_string(i);
        CallerCounts::Use use(counts, 1, key, key, at(Duration(i / 100)));
        use.kept();
        largest = std::max(largest, i % 1000 == 0 ? counts.bytes() : 0);
    }
    EXPECT_LE(largest, 64U * 2 * (1000 + 16) * 200) << "some thousand live sets, not 200,000";
    EXPECT_LE(counts.bytes(), 2'000'000U);
}

}  // namespace
}  // namespace holdfast
