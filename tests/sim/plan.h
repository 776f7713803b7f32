#pragma once
// What one seed simulates, drawn before anything runs.

#include "chance.h"

#include <holdfast/base/time.h>
#include <holdfast/ids/options.h>

#include <cstddef>
#include <string>
#include <vector>

namespace holdfast::sim {

inline constexpr Duration lease_ttl{3'000};
inline constexpr Duration lease_tolerance{500};
inline constexpr Duration faults_last{120'000};
inline constexpr Duration quiet_lasts{30'000};
// The store's clock may stay this far below its highest reading when the faults end.
inline constexpr Duration store_behind_max{10'000};

// Generators that share a lease.
struct GroupPlan {
    std::string name;  // its namespace
    std::vector<GeneratorOptions> generators;
};

struct Plan {
    std::size_t processes = 3;
    std::uint32_t slots = 2;
    // 0: none; 1: many of all kinds.
    double faults = 0;
    bool shared_owner = false;  // two processes with one owner key
    Duration call_timeout{250};
    std::vector<GroupPlan> groups;
};
Plan draw_plan(std::uint64_t seed, Chance& chance);

}  // namespace holdfast::sim
