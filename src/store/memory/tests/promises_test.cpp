// The memory store keeps every promise of the kit.

#include <holdfast/store_kit/sequences.h>

#include <support/memory_under_test.h>
#include <support/store_kit_gtest.h>

#include <set>

namespace holdfast {
namespace {

constexpr std::string_view forgets = "memory ends with the store";
constexpr testing::SkippedPromise skipped[] = {
    {"a key goes on after the store was closed", forgets},
    {"a key above 2 to the 53 goes on after the store was closed", forgets},
    {"a seal holds after the store was closed", forgets},
    {"the settings hold after the store was closed", forgets},
    {"it finds the lease after the store was closed", forgets},
    {"a lease can be renewed after the store was closed", forgets},
    {"a release holds after the store was closed", forgets},
    {"windows hold after the store was closed", forgets},
};

using testing::MemoryUnderTest;

std::unique_ptr<Runtime> two_loops() {
    return open_runtime(RuntimeOptions().loops(2)).value();
}

class MemoryStore : public testing::StorePromises {};

TEST_P(MemoryStore, keeps) {
    const auto runtime = two_loops();
    MemoryUnderTest under_test(*runtime);
    testing::expect_kept(GetParam(), under_test, skipped);
}

INSTANTIATE_TEST_SUITE_P(Promise, MemoryStore, testing::every_promise(), testing::promise_name);

TEST(MemoryStoreSkips, name_promises_that_exist) {
    testing::expect_all_known(skipped);
}

// The store's own clock runs here: the promises about expiry wait for it.
class OnSystemClock final : public StoreUnderTest {
public:
    explicit OnSystemClock(Runtime& runtime) : StoreUnderTest(runtime, 1) {}
    Result<std::unique_ptr<Store>> open() override { return open_memory_store(); }
};

TEST(StoreKit, works_on_a_store_whose_clock_cannot_be_set) {
    const auto runtime = two_loops();
    OnSystemClock under_test(*runtime);
    int passed = 0;
    for (const Promise& promise : all_promises()) {
        const PromiseResult result = run_promise(promise, under_test);
        EXPECT_NE(result.verdict, Verdict::failed) << promise.name << ": " << result.text;
        passed += result.verdict == Verdict::passed ? 1 : 0;
    }
    EXPECT_GE(passed, 150);
}

TEST(StoreKit, follows_the_times_of_a_store_whose_clock_cannot_be_set) {
    const auto runtime = two_loops();
    OnSystemClock under_test(*runtime);
    MemoryUnderTest model(*runtime);
    const SequenceReport report =
        compare_with_model(under_test, model, SequenceOptions().seed(5).sequences(300));
    EXPECT_EQ(report.failure, "");
    EXPECT_GT(report.operations, 300 * 40);
}

TEST(StoreKit, compares_ten_thousand_sequences) {
    const auto runtime = two_loops();
    MemoryUnderTest under_test(*runtime);
    MemoryUnderTest model(*runtime);
    const SequenceReport report =
        compare_with_model(under_test, model, SequenceOptions().sequences(10'000));
    EXPECT_EQ(report.failure, "");
    EXPECT_GE(report.operations, 10'000 * 50);
}

TEST(StoreKit, gives_every_promise_a_name_of_its_own) {
    std::set<std::string> names;
    for (const Promise& promise : all_promises()) {
        EXPECT_TRUE(names.insert(std::string(promise.name)).second) << promise.name;
        EXPECT_FALSE(promise.group.empty()) << promise.name;
    }
    EXPECT_GE(names.size(), 150u);
}

}  // namespace
}  // namespace holdfast
