#include "sequence.h"

#include <holdfast/store_kit/sequences.h>

namespace holdfast {
namespace {

constexpr int sequences_per_opening =
    500;  // bounds the memory of a store that forgets when it is closed

std::string seen_at(const SequenceOptions& options, std::uint64_t seed, const std::string& what) {
    return what + " (again with seed " + std::to_string(seed) + ", 1 sequence of " +
           std::to_string(options.operations()) + ")";
}

}  // namespace

SequenceReport
compare_with_model(StoreUnderTest& under_test, StoreUnderTest& model, SequenceOptions options) {
    SequenceReport report{0, {}};
    std::unique_ptr<Store> store;
    std::unique_ptr<Store> reference;
    for (int i = 0; i < options.sequences(); ++i) {
        if (i % sequences_per_opening == 0) {
            store.reset();
            auto opened = under_test.open();
            auto modelled = model.open();
            if (!opened.ok() || !modelled.ok()) {
                report.failure = "the store or its model does not open";
                return report;
            }
            store = std::move(opened).value();
            reference = std::move(modelled).value();
        }
        const std::uint64_t seed = options.seed() + static_cast<std::uint64_t>(i);
        Sequence sequence({under_test, *store}, {model, *reference}, under_test.fresh_name(), seed);
        auto ended = wait(under_test.runtime(), sequence.run(options.operations()));
        report.operations += sequence.compared();
        if (!ended.ok() || !sequence.failure().empty()) {
            report.failure = seen_at(
                options, seed, ended.ok() ? sequence.failure() : std::string("the run was stopped")
            );
            return report;
        }
    }
    return report;
}

}  // namespace holdfast
