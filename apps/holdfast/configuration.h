#pragma once
// From command line, environment and file to what serve needs.

#include "commands.h"
#include "data_folder.h"
#include "stores.h"

#include <holdfast/config/config.h>
#include <holdfast/http/server.h>
#include <holdfast/ids/options.h>
#include <holdfast/observe/log.h>
#include <holdfast/server/options.h>

#include <optional>
#include <string>
#include <vector>

namespace holdfast::app {

class PlannedStore {
public:
    PlannedStore(std::string called, StoreChoice chosen)
        : name(std::move(called)), choice(std::move(chosen)) {}
    std::string name;  // in the settings
    StoreChoice choice;
};

struct ServePlan {
    StoreChoice store = StoreChoice::memory();
    std::vector<PlannedStore> more_stores;  // that generators or the machine name beside it
    bool issues_ids = false;                // at /ids
    std::optional<IdRuntimeOptions> ids;    // none: no generator is configured
    std::size_t store_queue_max = 1'024;
    ServiceOptions service;
    HttpServerOptions http;
    std::size_t loops = 0;  // 0: one a core
    std::size_t blocking_threads = 64;
    Duration stop_grace{10'000};
    LogFormat log_format = LogFormat::text;
    LogLevel log_level = LogLevel::info;
    // Null: plain text. The same as in `http`, to be reloaded.
    std::shared_ptr<TlsServerContexts> certificates;
    bool insecure = false;       // plain text on an address that others reach is meant
    std::string settings_from;   // the file, or what else it was; for people
    std::optional<Token> token;  // of the data folder, when nothing was configured
};

struct Configuration {
    ServePlan plan;
    std::optional<Config> config;       // for `config show`
    std::vector<std::string> problems;  // one line each; empty: the plan holds
    std::vector<std::string> notes;
};

// All that may be set.
ConfigSchema known_settings();

// Reads the environment and the disk. With nothing configured it makes the data folder and its
// token, if `make_data`.
Configuration read_configuration(const ConfigurationArguments& arguments, bool make_data);

}  // namespace holdfast::app
