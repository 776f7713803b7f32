#pragma once
// A generator that the settings switched off: it keeps its name and refuses every id.

#include <holdfast/ids/generator.h>
#include <holdfast/ids/options.h>

#include <memory>

namespace holdfast {

// invalid_argument, none: codec options that contradict each other. What was printed while it was
// enabled is still read.
Result<std::unique_ptr<IdGenerator>> make_switched_off_generator(const GeneratorOptions& options);

}  // namespace holdfast
