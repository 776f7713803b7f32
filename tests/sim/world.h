#pragma once
// One seed: processes, a store, a network, and what goes wrong.

#include "totals.h"

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::sim {

struct Verdict {
    // Both empty: all holds.
    std::vector<std::string> wrongs;  // uniqueness is broken
    std::vector<std::string> alarms;  // something else: a lost write suspected, a silent generator
    std::uint64_t trace_hash = 0;
    Totals totals;
};

// The whole life of one world, on virtual time.
Verdict run_world(std::uint64_t seed, bool traces);

}  // namespace holdfast::sim
