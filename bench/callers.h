#pragma once
// Callers of a store: so many tasks on one loop, each with one call under way, until all operations
// are done.

#include "report.h"

#include <holdfast/io/runtime.h>
#include <holdfast/store/store.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace holdfast::bench {

// Long enough for a disk that others use: a call that fails ends the benchmark.
inline constexpr Duration call_time{30'000};

// One call, told its number. False: it did not do what it should.
using Call = std::function<Task<bool>(std::uint64_t number)>;

// Calls with the numbers 0 to operations - 1, `callers` of them at a time.
Run run_callers(Runtime& runtime, std::size_t callers, std::uint64_t operations, Call call);

// "bench/key-0" and so on.
std::vector<std::string> key_names(std::size_t count);
std::vector<RangeKey> range_keys(std::size_t count);

// Takes ten numbers of one key.
Task<bool> reserve_ten(RangeStore& ranges, const RangeKey& key);

}  // namespace holdfast::bench
