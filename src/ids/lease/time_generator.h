#pragma once
// Generators of the strategies snowflake and string: a gate, a layout and a codec.

#include "lease/machine.h"

#include <holdfast/ids/generator.h>
#include <holdfast/ids/options.h>

#include <memory>

namespace holdfast {

// invalid_argument, none: another strategy, a layout or codec that does not fit, or less than a
// year until the time field is full (below five years the machine's log is warned). The machine
// outlives the generator. It registers no metrics: its owner makes them from info(). Issues as soon
// as, and only while, the machine's gate is open.
Result<std::unique_ptr<IdGenerator>>
make_time_generator(const GeneratorOptions& options, Machine& machine);

}  // namespace holdfast
