#pragma once
// Names of environment variables against the schema, by Spring's relaxed rule:
// COSID_STORES_MAIN_OPTIONS_SWEEPBATCH.

#include <holdfast/config/schema.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// The names that files gave to entries of maps, by the group they stand in: a variable finds
// `my-store` as MYSTORE and as MY_STORE. A new name is one word of the variable, in lower case; the
// last part of a name takes all that is left.
using MapNames = std::map<SettingPath, std::vector<std::string>>;

// COSID_A_B as its words in lower case; empty: not such a name. A name with dots is read like one
// of the file.
std::vector<std::string> variable_words(std::string_view name);

// The setting, or the root of a list of plain values, that the words stand for.
std::optional<SettingPath> match_variable(
    const ConfigSchema& schema, const std::vector<std::string>& words, const MapNames& names
);

// What Kubernetes and container links make out of the names of services.
bool is_service_link(std::string_view name, std::string_view value);

}  // namespace holdfast
