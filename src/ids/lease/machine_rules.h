#pragma once
// What a machine is refused for, before it asks anything of a store.

#include "option_problem.h"

#include <holdfast/ids/layout.h>
#include <holdfast/ids/machine.h>

#include <optional>
#include <vector>

namespace holdfast {

// 2^(smallest machine bits), at most what a namespace may have.
std::uint32_t machines_of(const std::vector<IdLayout>& layouts);

// The first problem of a machine for ids of these layouts, which are sound.
std::optional<OptionProblem>
problem_of(const LeasedMachine& options, const std::vector<IdLayout>& layouts);

// invalid_argument, none: also where a layout is not sound.
Result<Done> check_machine(const LeasedMachine& options, const std::vector<IdLayout>& layouts);
Result<Done> check_machine(const ManualMachine& options, const std::vector<IdLayout>& layouts);

}  // namespace holdfast
