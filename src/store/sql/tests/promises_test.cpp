// The SQLite store keeps every promise of the kit.
#include "sqlite_under_test.h"

#include <holdfast/store_kit/sequences.h>
#include <holdfast/store_memory/memory_store.h>

#include <support/store_kit_gtest.h>

namespace holdfast {
namespace {

std::unique_ptr<Runtime> two_loops() {
    return open_runtime(RuntimeOptions().loops(2)).value();
}

class SqliteStore : public testing::StorePromises {};

TEST_P(SqliteStore, keeps) {
    const auto runtime = two_loops();
    SqliteUnderTest under_test(*runtime, SqliteUnderTest::Time::by_hand);
    testing::expect_kept(GetParam(), under_test, {});
}

INSTANTIATE_TEST_SUITE_P(Promise, SqliteStore, testing::every_promise(), testing::promise_name);

TEST(SqliteStoreTime, its_own_clock_keeps_the_promises_too) {
    const auto runtime = two_loops();
    SqliteUnderTest under_test(*runtime, SqliteUnderTest::Time::its_own);
    int passed = 0;
    for (const Promise& promise : all_promises()) {
        const PromiseResult result = run_promise(promise, under_test);
        EXPECT_NE(result.verdict, Verdict::failed) << promise.name << ": " << result.text;
        passed += result.verdict == Verdict::passed ? 1 : 0;
    }
    EXPECT_GE(passed, 150);
}

class Model final : public StoreUnderTest {
public:
    explicit Model(Runtime& runtime) : StoreUnderTest(runtime, 1) {}
    Result<std::unique_ptr<Store>> open() override {
        return open_memory_store(MemoryStoreOptions().clock(clock_));
    }
    bool has_clock() const override { return true; }
    void set_clock(StoreTime time) override { clock_.set_wall(WallTime(time.time_since_epoch())); }

private:
    ManualClock clock_;
};

TEST(SqliteStoreSequences, answer_as_the_model_does) {
    const auto runtime = two_loops();
    SqliteUnderTest under_test(*runtime, SqliteUnderTest::Time::by_hand);
    Model model(*runtime);
    const SequenceReport report =
        compare_with_model(under_test, model, SequenceOptions().seed(3).sequences(100));
    EXPECT_EQ(report.failure, "");
    EXPECT_GE(report.operations, 100 * 50);
}

}  // namespace
}  // namespace holdfast
