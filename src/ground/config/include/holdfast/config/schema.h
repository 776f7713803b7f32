#pragma once
// The table of known settings, and what to say about a name that is not in it.

#include <holdfast/config/setting.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

class ConfigSchema {
public:
    ConfigSchema add(Setting setting) && {
        settings_.push_back(std::move(setting));
        return std::move(*this);
    }
    // Every name under the prefix must be known: another one is a problem. Elsewhere it is a note.
    ConfigSchema strict(std::string_view prefix) &&;
    // Names under the pattern exist in other versions: a problem that says so.
    ConfigSchema unsupported(std::string_view pattern) &&;

    const std::vector<Setting>& settings() const { return settings_; }
    // The setting that the name stands for, in any spelling; null: none. Also by its own pattern.
    const Setting* find(const SettingPath& name) const;
    const Setting* find(std::string_view name) const;
    // Whether known settings stand below this name.
    bool is_group(const SettingPath& name) const;
    bool is_strict(const SettingPath& name) const;
    bool is_unsupported(const SettingPath& name) const;
    // The words that may follow the group's name.
    std::vector<std::string> members(const SettingPath& group) const;
    // The known setting or group nearest to the name; empty: nothing is near.
    std::string nearest(const SettingPath& name) const;

private:
    std::vector<Setting> settings_;
    std::vector<SettingPath> strict_;
    std::vector<SettingPath> unsupported_;
};

// The word nearest to `text`; empty: nothing is near.
std::string nearest_word(std::string_view text, const std::vector<std::string>& words);

}  // namespace holdfast
