#pragma once
// cosid.machine.*, cosid.generators.* and cosid.server.ids.*: the table, and what comes out of it.

#include <holdfast/settings/service_settings.h>

#include <string>
#include <vector>

namespace holdfast {

ConfigSchema with_ids(ConfigSchema schema);

struct IdsOutcome {
    IdsSettings settings;
    std::vector<ConfigProblem> problems;
};

// What single values cannot say is checked here. Only for a config whose single values hold.
IdsOutcome read_ids(
    const Config& config, const std::vector<StoreSettings>& stores, const std::string& host_name
);

}  // namespace holdfast
