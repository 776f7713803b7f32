#pragma once
// Settings as the program reads them: typed, each with the place it came from.

#include <holdfast/base/secret.h>
#include <holdfast/base/time.h>
#include <holdfast/config/schema.h>
#include <holdfast/config/sources.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// One line for a person: place, setting, what is allowed, nearest known name. Never the value of a
// secret.
struct ConfigProblem {
    std::string where;    // "application.yaml:12", "environment COSID_NAMESPACE"; empty: nowhere in
                          // particular
    std::string setting;  // empty: the file as a whole
    std::string text;

    // "where: setting: text", always one line.
    std::string line() const;
};

// A setting as it holds, for people: secrets are hidden.
struct EffectiveSetting {
    std::string name;
    std::string value;  // "***" for a secret
    std::string where;  // "default", or as in ConfigProblem
};

// Names may be in any spelling. A name that the schema does not know, or knows as another kind, is
// the program's bug and aborts. A setting without a value and without default reads as empty, false
// or 0: ask has().
class Config {
public:
    bool has(std::string_view name) const;          // some source gave it, or anything below it
    std::string text(std::string_view name) const;  // text, option and choice
    bool boolean(std::string_view name) const;
    std::int64_t integer(std::string_view name) const;
    Duration duration(std::string_view name) const;
    std::int64_t bytes(std::string_view name) const;
    Secret secret(std::string_view name) const;

    std::size_t size(std::string_view list) const;  // of plain values or of groups
    std::vector<std::string> list(std::string_view name) const;
    std::vector<Secret> secrets(std::string_view name) const;
    // The names below a group, as written: the stores' names below `cosid.stores`.
    std::vector<std::string> children(std::string_view group) const;

    // The place of the setting, or of the first one below it; "default" where no source gave it.
    std::string where(std::string_view name) const;
    // Every setting of the schema and every entry of its maps and lists, ordered by name.
    std::vector<EffectiveSetting> effective() const;

private:
    friend class ConfigLoader;
    struct Entry {
        const Setting* setting = nullptr;
        SettingValue value;
        std::string shown;
        std::string where;
        bool empty_list = false;
    };
    explicit Config(ConfigSchema schema);
    const Entry* entry(const SettingPath& path) const;
    const Setting& known(const SettingPath& path, SettingKind kind, SettingKind other) const;
    SettingValue value(std::string_view name, SettingKind kind, SettingKind other) const;
    std::vector<SettingValue>
    items(std::string_view name, SettingKind kind, SettingKind other) const;

    std::shared_ptr<const ConfigSchema> schema_;
    std::map<SettingPath, Entry> entries_;
};

struct ConfigOutcome {
    Config config;  // complete only without problems
    std::vector<ConfigProblem>
        problems;  // all of them, in the order of the file, then the environment
    std::vector<ConfigProblem> notes;  // names that were not ours to judge and had no effect
};

ConfigOutcome load_config(ConfigSchema schema, ConfigSources sources);

// "place: setting: 'value' is not allowed; allowed: ..." for rules that only the caller knows. The
// value is not shown.
ConfigProblem refused(const Config& config, std::string_view setting, std::string_view text);

}  // namespace holdfast
