// The kit's own test: each wrong rule breaks a promise, and shows in the random sequences.
#include "mutant_store.h"

#include <holdfast/store_kit/sequences.h>

#include <gtest/gtest.h>
#include <support/memory_under_test.h>

namespace holdfast {
namespace {

class MutantUnderTest final : public StoreUnderTest {
public:
    MutantUnderTest(Runtime& runtime, Mutant mutant)
        : StoreUnderTest(runtime, 1), mutant_(mutant) {}

    Result<std::unique_ptr<Store>> open() override { return open_mutant_store(mutant_, clock_); }
    bool has_clock() const override { return true; }
    void set_clock(StoreTime time) override { clock_.set(time); }

private:
    Mutant mutant_;
    testing::HandSetClock clock_;
};

class Mutants : public ::testing::TestWithParam<Mutant> {
protected:
    std::unique_ptr<Runtime> runtime_ = open_runtime(RuntimeOptions().loops(2)).value();
    MutantUnderTest under_test_{*runtime_, GetParam()};
};

TEST_P(Mutants, break_a_promise) {
    std::string broken;
    for (const Promise& promise : all_promises()) {
        const PromiseResult result = run_promise(promise, under_test_);
        if (result.verdict == Verdict::failed) {
            broken += std::string(promise.name) + ": " + result.text + "\n";
        }
    }
    if (GetParam() == Mutant::none) {
        EXPECT_EQ(broken, "");
    } else {
        EXPECT_NE(broken, "");
    }
}

TEST_P(Mutants, differ_from_the_model) {
    testing::MemoryUnderTest model(*runtime_);
    const auto report = compare_with_model(under_test_, model, SequenceOptions().sequences(500));
    // Calls of a sequence follow one another: no second caller meets the gap between two steps.
    if (GetParam() == Mutant::none || GetParam() == Mutant::reserve_in_two_steps) {
        EXPECT_EQ(report.failure, "");
    } else {
        EXPECT_NE(report.failure, "");
    }
}

std::vector<Mutant> all_mutants() {
    std::vector<Mutant> all;
    for (int i = 0; i <= static_cast<int>(Mutant::last_mutant); ++i) {
        all.push_back(static_cast<Mutant>(i));
    }
    return all;
}

std::string rule_name(const ::testing::TestParamInfo<Mutant>& rule) {
    return std::string(name_of(rule.param));
}

INSTANTIATE_TEST_SUITE_P(Rule, Mutants, ::testing::ValuesIn(all_mutants()), rule_name);

}  // namespace
}  // namespace holdfast
