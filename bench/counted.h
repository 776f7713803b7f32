#pragma once
// The begin of a turn: gives its time and its allocations at the end.

#include "counting_new.h"
#include "report.h"
#include "stopwatch.h"

namespace holdfast::bench {

inline constexpr const char* allocations_each = "allocations each";

class Counted {
public:
    Run run(std::uint64_t operations) const {
        Run done;
        done.seconds = watch_.seconds();
        done.operations = operations;
        done.counters[allocations_each] =
            static_cast<double>(allocations() - before_) / static_cast<double>(operations);
        return done;
    }

private:
    std::uint64_t before_ = allocations();
    Stopwatch watch_;
};

}  // namespace holdfast::bench
