#include "ranges/range_rules.h"

#include <holdfast/ids/limits.h>
#include <holdfast/store/limits.h>

namespace holdfast {

std::optional<OptionProblem> problem_of(const SegmentOptions& options) {
    if (options.step() < 1 || options.step() > limits::reserve_size_max) {
        return OptionProblem{"step", "the step is from 1 to 1000000000000"};
    }
    if (options.offset() < 0) {
        return OptionProblem{"offset", "the offset is from 0 to 9223372036854775807"};
    }
    if (options.safe_distance() < 1 || options.safe_distance() > limits::safe_distance_max) {
        return OptionProblem{"safe-distance", "the safe distance is from 1 to 1000"};
    }
    return std::nullopt;
}

}  // namespace holdfast
