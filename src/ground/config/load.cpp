#include "collected.h"
#include "placeholders.h"
#include "shown.h"

#include <holdfast/config/config.h>
#include <holdfast/config/limits.h>

#include <algorithm>
#include <map>
#include <utility>

namespace holdfast {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

std::vector<ConfigProblem> lines(std::vector<PlacedProblem> placed) {
    std::multimap<std::pair<int, int>, const PlacedProblem*> ordered;
    for (const PlacedProblem& problem : placed) {
        ordered.emplace(std::pair(problem.place.source, problem.place.line), &problem);
    }
    std::vector<ConfigProblem> problems;
    for (const auto& [place, problem] : ordered) {
        if (problems.size() == config_problems_max) {
            problems.push_back(
                {"", "", "and " + std::to_string(placed.size() - config_problems_max) + " more"}
            );
            break;
        }
        problems.push_back({problem->place.text, problem->setting, problem->text});
    }
    return problems;
}

}  // namespace

// Turns what was collected into typed entries.
class ConfigLoader {
public:
    ConfigLoader(ConfigSchema schema, const ConfigSources& sources)
        : config_(std::move(schema)), collector_(*config_.schema_, sources),
          placeholders_([this](const std::string& name) { return look_up(name); }) {
        for (const auto& [name, value] : sources.environment()) {
            environment_.emplace(name, value);
        }
    }

    ConfigOutcome run() {
        collector_.run();
        problems_ = collector_.take_problems();
        given_ = collector_.strongest();
        for (const auto& [path, given] : given_) {
            take(path, given);
        }
        refuse_gaps();
        return ConfigOutcome{
            std::move(config_), lines(std::move(problems_)), lines(collector_.take_notes())
        };
    }

private:
    using Found = Placeholders::Found;

    std::optional<Found> look_up(const std::string& name) const {
        if (const auto variable = environment_.find(name); variable != environment_.end()) {
            return Found{variable->second, false};
        }
        const auto path = SettingPath::parse(name);
        if (!path) {
            return std::nullopt;
        }
        if (const auto given = given_.find(*path); given != given_.end()) {
            return Found{given->second.text, expands(given->second)};
        }
        if (const auto other = collector_.others().find(*path);
            other != collector_.others().end()) {
            return Found{other->second, true};
        }
        const Setting* setting = config_.schema_->find(*path);
        if (setting != nullptr && setting->default_text()) {
            return Found{*setting->default_text(), false};
        }
        return std::nullopt;
    }

    // Overrides are taken as they are: a shell, or an earlier load, has filled them in.
    static bool expands(const Given& given) { return given.place.source != Place::overrides; }

    void take(const SettingPath& path, const Given& given) {
        if (given.shape == Given::Shape::empty_list) {
            take_empty(path, given);
            return;
        }
        const Expansion expansion = expands(given) ? placeholders_.expand(given.text)
                                                   : Expansion{given.text, given.text, ""};
        if (!expansion.problem.empty()) {
            problems_.push_back({given.place, path.text(), expansion.problem});
            return;
        }
        if (given.shape == Given::Shape::value) {
            take_value(path, given, expansion.text, expansion.shown);
            return;
        }
        std::string_view rest = expansion.text;
        std::size_t index = 0;
        while (!trimmed(rest).empty()) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            if (index == config_list_items_max) {
                const std::string most = std::to_string(config_list_items_max);
                problems_.push_back(
                    {given.place, path.text(), "a list with more than " + most + " items"}
                );
                return;
            }
            take_value(
                path.with_index(index++), given, std::string(trimmed(rest.substr(0, end))), ""
            );
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (index == 0) {
            take_empty(path, given);
        }
    }

    void take_empty(const SettingPath& path, const Given& given) {
        Config::Entry entry;
        entry.setting = given.setting;
        entry.where = given.place.text;
        entry.empty_list = true;
        config_.entries_.emplace(path, std::move(entry));
    }

    void take_value(
        const SettingPath& path,
        const Given& given,
        const std::string& text,
        const std::string& shown
    ) {
        const Setting& setting = *given.setting;
        auto value = setting.read(text);
        if (!value) {
            problems_.push_back({given.place, path.text(), refusal(setting, given.text)});
            return;
        }
        Config::Entry entry;
        entry.setting = &setting;
        entry.where = given.place.text;
        if (setting.kind() == SettingKind::secret) {
            entry.shown = "***";
        } else if (setting.kind() == SettingKind::option) {
            entry.shown = shown_option(path.parts().back().text, shown);
        } else {
            entry.shown = single_line(value->text);
        }
        entry.value = *std::move(value);
        if (!config_.entries_.emplace(path, std::move(entry)).second) {
            problems_.push_back({given.place, path.text(), "is set twice"}
            );  // as a whole and as an item
        }
    }

    // The value as it was written: what placeholders brought in may be secret.
    static std::string refusal(const Setting& setting, const std::string& written) {
        std::string text = "this value is not allowed";
        if (setting.kind() != SettingKind::secret && setting.kind() != SettingKind::option) {
            text = "'" + shown_text(written) + "' is not allowed";
        }
        text += "; allowed: " + setting.allowed();
        const std::string nearest = nearest_word(written, setting.words());
        return nearest.empty() ? text : text + "; nearest: " + nearest;
    }

    void refuse_gaps() {
        std::map<SettingPath, std::size_t> next;
        for (const auto& [path, given] : given_) {
            for (std::size_t i = 0; i < path.size(); ++i) {
                if (path.parts()[i].kind != SettingPart::Kind::index) {
                    continue;
                }
                const std::size_t index = path.parts()[i].index;
                std::size_t& expected = next[path.first(i)];
                if (index > expected) {
                    problems_.push_back(
                        {given.place,
                         path.first(i + 1).text(),
                         "there is no [" + std::to_string(expected) +
                             "]; a list is numbered from 0 without gaps"}
                    );
                }
                expected = std::max(expected, index + 1);
            }
        }
    }

    Config config_;
    Collector collector_;
    Placeholders placeholders_;
    std::map<std::string, std::string> environment_;
    GivenMap given_;
    std::vector<PlacedProblem> problems_;
};

ConfigOutcome load_config(ConfigSchema schema, ConfigSources sources) {
    return ConfigLoader(std::move(schema), sources).run();
}

}  // namespace holdfast
