#pragma once
// Random operations sent to a store and to the model: each answer must be the same, field by field.

#include <holdfast/store_kit/store_kit.h>

namespace holdfast {

class SequenceOptions {
public:
    SequenceOptions seed(std::uint64_t seed) && {
        seed_ = seed;
        return std::move(*this);
    }
    SequenceOptions sequences(int count) && {
        sequences_ = count;
        return std::move(*this);
    }
    SequenceOptions operations(int count) && {
        operations_ = count;
        return std::move(*this);
    }
    std::uint64_t seed() const { return seed_; }
    int sequences() const { return sequences_; }
    int operations() const { return operations_; }  // of each sequence

private:
    std::uint64_t seed_ = 1;
    int sequences_ = 100;
    int operations_ = 50;
};

struct SequenceReport {
    std::int64_t operations;  // sent and compared
    std::string failure;  // empty: all answers were the same; else the seed that shows the first
                          // difference again
};

// Both on one runtime; set_clock of both is called on a loop. The model's clock can be set. If the
// store's cannot, the model follows the times in the store's answers, and no lease is left to
// expire.
SequenceReport compare_with_model(
    StoreUnderTest& under_test, StoreUnderTest& model, SequenceOptions options = SequenceOptions()
);

}  // namespace holdfast
