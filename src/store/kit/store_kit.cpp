#include "groups.h"
#include "trial.h"

#include <vector>

namespace holdfast {

StoreUnderTest::StoreUnderTest(Runtime& runtime, std::uint64_t seed)
    : runtime_(runtime), prefix_("holdfast-tck-") {
    constexpr std::string_view digits = "0123456789abcdef";
    for (int i = 0; i < 12; ++i) {
        prefix_ += digits[seed >> (4 * i) & 15];
    }
}

std::string StoreUnderTest::fresh_name() {
    return prefix_ + "-" + std::to_string(++names_);
}

std::span<const Promise> all_promises() {
    static const std::vector<Promise> promises = [] {
        std::vector<Promise> all;
        for (const auto group :
             {name_promises(),
              range_promises(),
              range_argument_promises(),
              choice_promises(),
              repeat_promises(),
              exhaustion_promises(),
              renew_promises(),
              release_promises(),
              window_promises(),
              clock_promises(),
              slot_argument_promises(),
              deadline_promises(),
              concurrency_promises()}) {
            all.insert(all.end(), group.begin(), group.end());
        }
        return all;
    }();
    return promises;
}

PromiseResult run_promise(const Promise& promise, StoreUnderTest& under_test) {
    if (promise.needs == Needs::clock && !under_test.has_clock()) {
        return {Verdict::skipped, "the store's clock cannot be set"};
    }
    if (promise.needs == Needs::reopening && !under_test.survives_closing()) {
        return {Verdict::skipped, "the store keeps nothing when it is closed"};
    }
    auto opened = under_test.open();
    if (!opened.ok()) {
        return {Verdict::failed, "the store does not open: " + std::string(opened.error().what())};
    }
    Trial trial(under_test, std::move(opened).value());
    promise.check(trial);
    return trial.result();
}

}  // namespace holdfast
