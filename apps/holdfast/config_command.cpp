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

std::string_view kind_of(const Setting& setting) {
    switch (setting.kind()) {
    case SettingKind::text:
        return "text";
    case SettingKind::boolean:
        return "yes or no";
    case SettingKind::integer:
        return "whole number";
    case SettingKind::duration:
        return "time";
    case SettingKind::bytes:
        return "size";
    case SettingKind::choice:
        return "one of a few words";
    case SettingKind::secret:
        return "secret";
    case SettingKind::option:
        return "text that may hold a password";
    }
    return "text";
}

void print_row(const char* label, std::string_view text) {
    std::printf("  %-9s%.*s\n", label, static_cast<int>(text.size()), text.data());
}

// What the setting means, and what it is now.
void explain(const Setting& setting, const std::optional<Config>& config) {
    std::printf("%s\n  %s\n", setting.name().c_str(), setting.about().c_str());
    print_row("kind", std::string(setting.is_list() ? "list: " : "").append(kind_of(setting)));
    print_row("allowed", setting.allowed());
    print_row("default", setting.default_text().value_or("none"));
    if (!config.has_value()) {
        return;
    }
    for (const EffectiveSetting& now : config->effective()) {
        const auto path = SettingPath::parse(now.name);
        if (path.has_value() && (setting.pattern().matches(*path) || now.name == setting.name())) {
            const std::string shown = now.value + " (" + now.where + ")";
            print_row("now", now.name == setting.name() ? shown : now.name + ": " + shown);
        }
    }
}

}  // namespace

int config_explain(const ConfigurationArguments& arguments, const std::string& name) {
    const ConfigSchema schema = known_settings();
    const auto path = SettingPath::parse_pattern(name);
    const Setting* asked = schema.find(name);
    if (!path.has_value() || (asked == nullptr && !schema.is_group(*path))) {
        const std::string nearest = path.has_value() ? schema.nearest(*path) : "";
        complain(
            name + ": no such setting" + (nearest.empty() ? "" : "; nearest: " + nearest) +
            "; holdfast config show lists them"
        );
        return exit_code::wrong_usage;
    }
    const Configuration configuration = read_configuration(arguments, false);
    if (asked != nullptr) {
        explain(*asked, configuration.config);
    } else {
        for (const Setting& setting : schema.settings()) {
            if (path->begins(setting.pattern())) {
                explain(setting, configuration.config);
            }
        }
    }
    return complain_of(configuration);
}

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
