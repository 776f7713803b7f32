#pragma once
// What a chain of ranges is refused for.

#include "option_problem.h"

#include <holdfast/ids/options.h>

#include <optional>

namespace holdfast {

// The first problem.
std::optional<OptionProblem> problem_of(const SegmentOptions& options);

}  // namespace holdfast
