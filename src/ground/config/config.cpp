#include "shown.h"

#include <holdfast/base/check.h>
#include <holdfast/config/config.h>

#include <algorithm>

namespace holdfast {
namespace {

SettingPath path_of(std::string_view name) {
    auto path = SettingPath::parse(name);
    check(path.has_value(), "a setting's name in the program cannot be read");
    return *std::move(path);
}

std::string shown_default(const Setting& setting) {
    return setting.kind() == SettingKind::secret ? "***" : single_line(*setting.default_text());
}

}  // namespace

std::string ConfigProblem::line() const {
    std::string line;
    for (const std::string* piece : {&where, &setting, &text}) {
        if (!piece->empty()) {
            line += line.empty() ? single_line(*piece) : ": " + single_line(*piece);
        }
    }
    return line;
}

Config::Config(ConfigSchema schema)
    : schema_(std::make_shared<const ConfigSchema>(std::move(schema))) {}

const Config::Entry* Config::entry(const SettingPath& path) const {
    const auto found = entries_.find(path);
    return found == entries_.end() ? nullptr : &found->second;
}

const Setting& Config::known(const SettingPath& path, SettingKind kind, SettingKind other) const {
    const Setting* setting = schema_->find(path);
    check(setting != nullptr, "the schema has no such setting");
    check(setting->kind() == kind || setting->kind() == other, "the setting is of another kind");
    return *setting;
}

SettingValue Config::value(std::string_view name, SettingKind kind, SettingKind other) const {
    const SettingPath path = path_of(name);
    const Setting& setting = known(path, kind, other);
    if (const Entry* found = entry(path)) {
        return found->value;
    }
    if (!setting.default_text()) {
        return {};
    }
    const auto value = setting.read(*setting.default_text());
    check(value.has_value(), "a default in the schema is not allowed by it");
    return *value;
}

std::vector<SettingValue>
Config::items(std::string_view name, SettingKind kind, SettingKind other) const {
    const SettingPath path = path_of(name);
    const Setting& setting = known(path.with_index(0), kind, other);
    std::vector<SettingValue> items;
    if (has(name)) {
        while (const Entry* found = entry(path.with_index(items.size()))) {
            items.push_back(found->value);
        }
        return items;
    }
    std::string_view rest =
        setting.default_text() ? std::string_view(*setting.default_text()) : std::string_view();
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const auto value = setting.read(rest.substr(0, end));
        check(value.has_value(), "a default in the schema is not allowed by it");
        items.push_back(*value);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return items;
}

bool Config::has(std::string_view name) const {
    const SettingPath path = path_of(name);
    return std::ranges::any_of(entries_, [&](const auto& entry) {
        return path.begins(entry.first);
    });
}

std::string Config::text(std::string_view name) const {
    const SettingPath path = path_of(name);
    const Setting* setting = schema_->find(path);
    const bool choice = setting != nullptr && setting->kind() == SettingKind::choice;
    return value(name, choice ? SettingKind::choice : SettingKind::text, SettingKind::option).text;
}

bool Config::boolean(std::string_view name) const {
    return value(name, SettingKind::boolean, SettingKind::boolean).number != 0;
}

std::int64_t Config::integer(std::string_view name) const {
    return value(name, SettingKind::integer, SettingKind::integer).number;
}

Duration Config::duration(std::string_view name) const {
    return Duration(value(name, SettingKind::duration, SettingKind::duration).number);
}

std::int64_t Config::bytes(std::string_view name) const {
    return value(name, SettingKind::bytes, SettingKind::bytes).number;
}

Secret Config::secret(std::string_view name) const {
    return Secret(value(name, SettingKind::secret, SettingKind::option).text);
}

std::size_t Config::size(std::string_view list) const {
    const SettingPath path = path_of(list);
    std::size_t count = 0;
    for (const auto& [name, entry] : entries_) {
        if (name.size() > path.size() && path.begins(name) &&
            name.parts()[path.size()].kind == SettingPart::Kind::index) {
            count = std::max(count, name.parts()[path.size()].index + 1);
        }
    }
    return count;
}

std::vector<std::string> Config::list(std::string_view name) const {
    std::vector<std::string> texts;
    for (SettingValue& item : items(name, SettingKind::text, SettingKind::choice)) {
        texts.push_back(std::move(item.text));
    }
    return texts;
}

std::vector<Secret> Config::secrets(std::string_view name) const {
    std::vector<Secret> secrets;
    for (SettingValue& item : items(name, SettingKind::secret, SettingKind::secret)) {
        secrets.emplace_back(std::move(item.text));
    }
    return secrets;
}

std::vector<std::string> Config::children(std::string_view group) const {
    const SettingPath path = path_of(group);
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) {
        if (name.size() <= path.size() || !path.begins(name)) {
            continue;
        }
        const SettingPart& part = name.parts()[path.size()];
        const bool again = !names.empty() && relaxed_equal(names.back(), part.text);
        if (part.kind == SettingPart::Kind::word && !again) {
            names.push_back(part.text);
        }
    }
    return names;
}

std::string Config::where(std::string_view name) const {
    const SettingPath path = path_of(name);
    for (const auto& [known, entry] : entries_) {
        if (path.begins(known)) {
            return entry.where;
        }
    }
    return "default";
}

// The names that a pattern has here: one for each entry of its maps and lists.
class EffectiveNames {
public:
    EffectiveNames(const SettingPath& pattern, const Config& config)
        : pattern_(pattern), config_(config) {}

    std::vector<SettingPath> all() {
        step(SettingPath());
        return std::move(names_);
    }

private:
    void step(const SettingPath& path) {
        if (path.size() == pattern_.size()) {
            names_.push_back(path);
            return;
        }
        const SettingPart& part = pattern_.parts()[path.size()];
        if (part.kind == SettingPart::Kind::any_word) {
            for (const std::string& word : config_.children(path.text())) {
                step(path.with_word(word));
            }
        } else if (part.kind == SettingPart::Kind::any_index) {
            const std::size_t count = config_.size(path.text());
            if (count == 0 && path.size() + 1 == pattern_.size()) {
                names_.push_back(path);  // an empty or default list
            }
            for (std::size_t i = 0; i < count; ++i) {
                step(path.with_index(i));
            }
        } else {
            step(path.with(part));
        }
    }

    const SettingPath& pattern_;
    const Config& config_;
    std::vector<SettingPath> names_;
};

std::vector<EffectiveSetting> Config::effective() const {
    std::map<SettingPath, EffectiveSetting> found;
    for (const Setting& setting : schema_->settings()) {
        for (const SettingPath& path : EffectiveNames(setting.pattern(), *this).all()) {
            const bool entry_of_map =
                setting.pattern().parts().back().kind == SettingPart::Kind::any_word;
            if (const Entry* given = entry(path)) {
                found.insert_or_assign(
                    path, EffectiveSetting{path.text(), given->shown, given->where}
                );
            } else if (!entry_of_map) {
                const bool set = setting.default_text().has_value();
                found.emplace(
                    path,
                    EffectiveSetting{
                        path.text(), set ? shown_default(setting) : "", set ? "default" : "not set"
                    }
                );
            }
        }
    }
    std::vector<EffectiveSetting> settings;
    for (auto& [path, setting] : found) {
        settings.push_back(std::move(setting));
    }
    return settings;
}

ConfigProblem refused(const Config& config, std::string_view setting, std::string_view text) {
    const std::string where = config.where(setting);
    return {where == "default" ? "" : where, std::string(setting), std::string(text)};
}

}  // namespace holdfast
