#pragma once
// The promises of a store as parametrised tests. A store's test derives a fixture, instantiates it
// with every promise and names the promises it cannot keep:
//
//   class SqliteStore : public testing::StorePromises {};
//   TEST_P(SqliteStore, keeps) { expect_kept(GetParam(), under_test, skipped); }
//   INSTANTIATE_TEST_SUITE_P(Promise, SqliteStore, testing::every_promise(),
//   testing::promise_name);

#include <holdfast/store_kit/store_kit.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>

namespace holdfast::testing {

struct SkippedPromise {
    std::string_view name;
    std::string_view reason;
};

class StorePromises : public ::testing::TestWithParam<Promise> {};

inline auto every_promise() {
    return ::testing::ValuesIn(all_promises().begin(), all_promises().end());
}

inline std::string promise_name(const ::testing::TestParamInfo<Promise>& info) {
    std::string name;
    for (const char c : std::string(info.param.group) + "_" + std::string(info.param.name)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (plain || c != '\'') {
            name += plain ? c : '_';
        }
    }
    return name;
}

// A promise that is skipped must be in the list, and one that is in the list must still be skipped.
inline void expect_kept(
    const Promise& promise, StoreUnderTest& under_test, std::span<const SkippedPromise> skipped
) {
    const bool listed =
        std::any_of(skipped.begin(), skipped.end(), [&](const SkippedPromise& entry) {
            return entry.name == promise.name;
        });
    const PromiseResult result = run_promise(promise, under_test);
    switch (result.verdict) {
    case Verdict::failed:
        FAIL() << result.text;
    case Verdict::passed:
        EXPECT_FALSE(listed) << "it is kept: take it off the list of skipped promises";
        break;
    case Verdict::skipped:
        EXPECT_TRUE(listed) << "skipped, but not on the list: " << result.text;
        break;
    }
}

// No entry of the list names a promise that does not exist.
inline void expect_all_known(std::span<const SkippedPromise> skipped) {
    for (const SkippedPromise& entry : skipped) {
        const auto same = [&](const Promise& promise) {
            return promise.name == entry.name;
        };
        EXPECT_TRUE(std::any_of(all_promises().begin(), all_promises().end(), same))
            << "no such promise: " << entry.name;
        EXPECT_FALSE(entry.reason.empty()) << entry.name;
    }
}

}  // namespace holdfast::testing
