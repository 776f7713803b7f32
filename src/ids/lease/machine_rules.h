#pragma once
// What a machine is refused for, before it asks anything of a store.

#include <holdfast/ids/layout.h>
#include <holdfast/ids/machine.h>

#include <vector>

namespace holdfast {

// 2^(smallest machine bits), at most what a namespace may have.
std::uint32_t machines_of(const std::vector<IdLayout>& layouts);

// invalid_argument, none; what() names the number and what is allowed.
Result<Done> check_machine(const LeasedMachine& options, const std::vector<IdLayout>& layouts);
Result<Done> check_machine(const ManualMachine& options, const std::vector<IdLayout>& layouts);

}  // namespace holdfast
