#pragma once
// One generator of the settings, typed.

#include <holdfast/config/config.h>
#include <holdfast/ids/options.h>

#include <optional>
#include <string>
#include <vector>

namespace holdfast {

// The whole name of a generator's setting; `option` empty: of the group. A generator's name may
// have dots or be a number: it is a word all the same.
std::string generator_setting(const std::string& generator, const std::string& option);

// Nothing: a problem was added.
std::optional<GeneratorOptions>
read_generator(const Config& config, const std::string& name, std::vector<ConfigProblem>& problems);

}  // namespace holdfast
