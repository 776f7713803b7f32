#include <holdfast/base/check.h>
#include <holdfast/base/fence.h>
#include <holdfast/base/result.h>
#include <holdfast/base/secret.h>
#include <holdfast/base/time.h>

#include <gtest/gtest.h>

#include <concepts>
#include <set>
#include <sstream>

namespace holdfast {
namespace {

TEST(Result, holds_a_value_or_an_error_and_never_both) {
    Result<int> good(7);
    Result<int> bad(Error(Code::timed_out, Effect::unknown, "no answer"));
    EXPECT_TRUE(good.ok());
    EXPECT_EQ(good.value(), 7);
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(bad.error().code(), Code::timed_out);
    EXPECT_EQ(bad.error().effect(), Effect::unknown);
}

TEST(Result, and_then_goes_on_after_a_value_and_carries_an_error_past) {
    const auto half = [](int value) -> Result<int> {
        if (value % 2 != 0) {
            return Error(Code::invalid_argument, Effect::none, "odd");
        }
        return value / 2;
    };
    EXPECT_EQ(Result<int>(8).and_then(half).and_then(half).value(), 2);
    EXPECT_EQ(Result<int>(6).and_then(half).and_then(half).error().what(), "odd");
}

TEST(Error, keeps_the_context_it_was_given) {
    ErrorContext context;
    context.node = "127.0.0.1:1";
    context.attempts = 3;
    const Error error = Error(Code::internal, Effect::none, "refused").with(std::move(context));
    ASSERT_NE(error.context(), nullptr);
    EXPECT_EQ(error.context()->node, "127.0.0.1:1");
    EXPECT_EQ(error.context()->attempts, 3U);
}

TEST(Error, every_code_has_a_name_of_its_own) {
    std::set<std::string_view> names;
    for (int code = 0; code <= static_cast<int>(Code::internal); ++code) {
        names.insert(name_of(static_cast<Code>(code)));
    }
    EXPECT_EQ(names.size(), static_cast<std::size_t>(Code::internal) + 1);
    EXPECT_EQ(name_of(Effect::none), "none");
    EXPECT_EQ(name_of(Effect::unknown), "unknown");
}

TEST(Strong, types_of_different_tags_do_not_mix) {
    using Slot = Strong<struct SlotTestTag, std::uint64_t>;
    static_assert(!std::convertible_to<std::uint64_t, Fence>);
    static_assert(!std::constructible_from<Fence, Slot>);
    static_assert(!std::equality_comparable_with<Fence, Slot>);
    EXPECT_LT(Fence(1), Fence(2));
}

TEST(Clocks, times_of_different_clocks_do_not_mix) {
    static_assert(!std::equality_comparable_with<SteadyTime, WallTime>);
    static_assert(!std::equality_comparable_with<StoreTime, WallTime>);
    static_assert(!std::convertible_to<StoreTime, SteadyTime>);
    const SteadyTime first = system_clock().steady_now();
    EXPECT_LE(first, system_clock().steady_now());
    EXPECT_GT(system_clock().wall_now().time_since_epoch(), std::chrono::hours(24 * 365 * 50));
}

TEST(Deadline, is_a_point_in_time_and_never_less_than_nothing_is_left) {
    const SteadyTime now(Duration(1000));
    const Deadline deadline = Deadline::in(Duration(50), now);
    EXPECT_EQ(deadline.left(now), Duration(50));
    EXPECT_EQ(deadline.left(now + Duration(60)), Duration::zero());
    EXPECT_FALSE(deadline.passed(now + Duration(49)));
    EXPECT_TRUE(deadline.passed(now + Duration(50)));
    EXPECT_EQ(deadline.sooner(Deadline::at(now)).time(), now);
    EXPECT_EQ(Deadline::at(now).sooner(deadline).time(), now);
    static_assert(!std::default_initializable<Deadline>);
}

template <class T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

TEST(Secret, has_no_printer_and_no_comparison) {
    static_assert(!Printable<Secret>);
    static_assert(!std::equality_comparable<Secret>);
    static_assert(!std::convertible_to<Secret, std::string>);
    static_assert(!std::convertible_to<Secret, std::string_view>);
    Secret secret("a token of some length");
    const Secret copy = secret;
    const Secret moved = std::move(secret);
    EXPECT_EQ(copy.reveal(), "a token of some length");
    EXPECT_EQ(moved.reveal(), copy.reveal());
    EXPECT_TRUE(secret.empty());  // NOLINT(bugprone-use-after-move): wiped is what is tested
}

TEST(CheckDeathTest, a_bug_ends_the_program_and_says_which) {
    check(true, "holds");
    EXPECT_DEATH(check(false, "the sky fell"), "a bug: the sky fell");
}

}  // namespace
}  // namespace holdfast
