// holdfast config: what the settings are, without starting anything.

#include "commands.h"
#include "configuration.h"

#include <holdfast/codec/json_writer.h>

#include <algorithm>
#include <cstdio>

namespace holdfast::app {
namespace {

int complain_of(const Configuration& configuration) {
    for (const std::string& problem : configuration.problems) {
        complain(problem);
    }
    return configuration.problems.empty() ? exit_code::done : exit_code::wrong_usage;
}

void print_json(const std::vector<EffectiveSetting>& settings) {
    for (const EffectiveSetting& setting : settings) {
        std::string line;
        JsonWriter(line)
            .open_object()
            .field("name", std::string_view(setting.name))
            .field("value", std::string_view(setting.value))
            .field("where", std::string_view(setting.where))
            .close_object();
        std::printf("%s\n", line.c_str());
    }
}

void print_table(const std::vector<EffectiveSetting>& settings) {
    std::size_t name_width = 0;
    std::size_t value_width = 0;
    for (const EffectiveSetting& setting : settings) {
        name_width = std::max(name_width, setting.name.size());
        value_width = std::max(value_width, setting.value.size());
    }
    value_width = std::min<std::size_t>(value_width, 40);  // a long value moves its own line only
    for (const EffectiveSetting& setting : settings) {
        std::printf(
            "%-*s  %-*s  %s\n",
            static_cast<int>(name_width),
            setting.name.c_str(),
            static_cast<int>(value_width),
            setting.value.c_str(),
            setting.where.c_str()
        );
    }
}

}  // namespace

int config_check(const ConfigurationArguments& arguments) {
    const Configuration configuration = read_configuration(arguments, false);
    const int code = complain_of(configuration);
    if (code == exit_code::done) {
        for (const std::string& note : configuration.notes) {
            std::printf("note: %s\n", note.c_str());
        }
        std::printf(
            "settings: %s; store: %s; nothing is wrong\n",
            configuration.plan.settings_from.c_str(),
            configuration.plan.store.shown().c_str()
        );
    }
    return code;
}

int config_show(const ConfigurationArguments& arguments, bool json) {
    const Configuration configuration = read_configuration(arguments, false);
    if (configuration.config.has_value()) {
        const auto settings = configuration.config->effective();
        json ? print_json(settings) : print_table(settings);
    }
    return complain_of(configuration);
}

}  // namespace holdfast::app
