#pragma once
// What single values cannot say: rules over several settings.

#include <holdfast/settings/service_settings.h>

#include <vector>

namespace holdfast {

struct ServiceRules {
    const Config& config;
    const std::vector<ConfigProblem>& known;      // rules about a name with a problem are not tried
    const std::vector<std::string>& store_types;  // for the text
    bool nothing_configured = false;
};

std::vector<ConfigProblem> broken_rules(const ServiceRules& rules);

}  // namespace holdfast
