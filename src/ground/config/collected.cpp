#include "collected.h"

#include "yaml_file.h"

#include <holdfast/codec/utf.h>
#include <holdfast/config/limits.h>

#include <algorithm>

namespace holdfast {
namespace {

using Kind = SettingPart::Kind;

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += text.empty() ? word : ", " + word;
    }
    return text;
}

bool entry_name(std::string_view name) {
    return name.size() <= 64 && std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '_' || c == '-';
           });
}

// What is wrong with the words and indexes that the pattern leaves open; empty: nothing.
std::string wrong_entry(const SettingPath& pattern, const SettingPath& path) {
    for (std::size_t i = 0; i < std::min(pattern.size(), path.size()); ++i) {
        if (pattern.parts()[i].kind == Kind::any_word && !entry_name(path.parts()[i].text)) {
            return "a name that is not allowed; allowed: 1 to 64 of A-Z a-z 0-9 . _ -";
        }
        if (pattern.parts()[i].kind == Kind::any_index &&
            path.parts()[i].index >= config_list_items_max) {
            return "an index that is not allowed; allowed: 0 to " +
                   std::to_string(config_list_items_max - 1);
        }
    }
    return "";
}

const Setting* list_setting(const ConfigSchema& schema, const SettingPath& path) {
    const Setting* setting = schema.find(path.with_index(0));
    return setting != nullptr && setting->is_list() ? setting : nullptr;
}

}  // namespace

SettingPath outer_list(const SettingPath& path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path.parts()[i].kind == Kind::index) {
            return path.first(i);
        }
    }
    return {};
}

void Collector::run() {
    read_overrides();
    read_file();
    read_environment();  // last: it finds the names of maps that the others gave
}

void Collector::read_file() {
    if (sources_.file_name().empty()) {
        return;
    }
    const auto place = [this](int line) {
        const std::string& name = sources_.file_name();
        return Place{Place::file, line, line == 0 ? name : name + ":" + std::to_string(line)};
    };
    YamlFile file = read_yaml(sources_.file_text());
    for (YamlProblem& wrong : file.problems) {
        problem(place(wrong.line), wrong.setting, std::move(wrong.text));
    }
    for (YamlValue& value : file.values) {
        const Shape shape = value.shape == YamlValue::Shape::text      ? Shape::text
                            : value.shape == YamlValue::Shape::nothing ? Shape::nothing
                                                                       : Shape::empty_list;
        std::vector<Place> places;
        for (const int line : value.lines) {
            places.push_back(place(line));
        }
        identify(
            levels_[2],
            {std::move(value.path),
             std::move(value.text),
             shape,
             place(value.line),
             std::move(places)}
        );
    }
}

void Collector::read_overrides() {
    int order = 0;
    for (const LocatedSetting& setting : sources_.overrides()) {
        const Place place{Place::overrides, ++order, setting.where};
        auto path = SettingPath::parse(setting.name);
        if (!path) {
            problem(
                place, setting.name.substr(0, config_name_bytes_max), "a name that cannot be read"
            );
            continue;
        }
        identify(levels_[0], {*std::move(path), setting.value, Shape::text, place, {}});
    }
}

void Collector::read_environment() {
    auto variables = sources_.environment();
    std::ranges::sort(variables);
    for (const auto& [name, value] : variables) {
        read_variable(name, value);
    }
}

void Collector::read_variable(const std::string& name, const std::string& value) {
    const Place place{
        Place::environment, 0, "environment " + name.substr(0, config_name_bytes_max)
    };
    const std::size_t end = std::min(name.find_first_of("_."), name.size());
    const SettingPath front = SettingPath().with_word(name.substr(0, end));
    const bool ours = schema_.is_strict(front);
    if (end == name.size() || (!ours && !schema_.is_group(front)) || is_service_link(name, value)) {
        return;
    }
    const std::vector<std::string> words = variable_words(name);
    const auto dotted =
        name.find('.') == std::string::npos ? std::nullopt : SettingPath::parse(name);
    if (name.size() > config_name_bytes_max || (words.empty() && !dotted)) {
        if (ours) {
            problem(place, "", "a name that cannot be read; allowed: words with _ between");
        }
        return;
    }
    SettingPath plain;
    for (const std::string& word : words) {
        plain = plain.with_word(word);
    }
    const auto path = dotted ? dotted : match_variable(schema_, words, names_);
    if (!path || (schema_.find(*path) == nullptr && list_setting(schema_, *path) == nullptr)) {
        if (ours) {
            unknown_variable(path ? *path : plain, place);
        }
        return;
    }
    if (value.size() > config_value_bytes_max || !is_utf8(value)) {
        problem(place, path->text(), "a value that is too long or not UTF-8");
        return;
    }
    identify(levels_[1], {*path, value, Shape::text, place, {}});
}

void Collector::unknown_variable(const SettingPath& path, const Place& place) {
    if (schema_.is_unsupported(path)) {
        problem(place, path.text(), "not supported by this version");
        return;
    }
    problem(place, path.text(), "unknown setting" + instead_of(path, known_parts(path)));
}

const Place& Collector::place_of(const Raw& raw, std::size_t part) {
    return part < raw.places.size() ? raw.places[part] : raw.place;
}

// The nearest known name with what it takes; where none is near, what the known part of the name
// may go on with.
std::string Collector::instead_of(const SettingPath& name, std::size_t known) const {
    const std::string nearest = schema_.nearest(name);
    if (!nearest.empty()) {
        const Setting* setting = schema_.find(nearest);
        return "; nearest known: " + nearest +
               (setting == nullptr ? "" : " (" + setting->allowed() + ")");
    }
    const std::vector<std::string> members = schema_.members(name.first(known));
    return known == 0 || members.empty()
               ? ""
               : "; known below " + name.first(known).text() + ": " + joined(members);
}

std::size_t Collector::known_parts(const SettingPath& path) const {
    std::size_t known = 0;
    while (known < path.size() && schema_.is_group(path.first(known + 1))) {
        ++known;
    }
    return known;
}

void Collector::identify(GivenMap& level, Raw raw) {
    if (!identify_known(level, raw) && !identify_list(level, raw) && !identify_group(level, raw) &&
        !below_a_setting(raw)) {
        unknown(raw);
    }
}

bool Collector::identify_known(GivenMap& level, const Raw& raw) {
    const Setting* setting = schema_.find(raw.path);
    if (setting == nullptr) {
        return false;
    }
    const SettingPath path = setting->pattern().spelled(raw.path);
    if (std::string wrong = wrong_entry(setting->pattern(), path); !wrong.empty()) {
        problem(raw.place, path.text(), std::move(wrong));
    } else if (raw.shape == Shape::nothing) {
        problem(raw.place, path.text(), "has no value; allowed: " + setting->allowed());
    } else if (raw.shape == Shape::empty_list) {
        problem(
            raw.place, path.text(), "takes one value, not a list; allowed: " + setting->allowed()
        );
    } else {
        remember_names(setting->pattern(), path);
        insert(level, path, {setting, raw.text, Given::Shape::value, raw.place});
    }
    return true;
}

// A list of plain values, written as a whole: "a, b", or empty.
bool Collector::identify_list(GivenMap& level, const Raw& raw) {
    const Setting* setting = list_setting(schema_, raw.path);
    if (setting == nullptr) {
        return false;
    }
    const SettingPath path = setting->pattern().spelled(raw.path);
    if (std::string wrong = wrong_entry(setting->pattern(), path); !wrong.empty()) {
        problem(raw.place, path.text(), std::move(wrong));
        return true;
    }
    remember_names(setting->pattern(), path);
    const bool text = raw.shape == Shape::text;
    insert(
        level,
        path,
        {setting, raw.text, text ? Given::Shape::list_text : Given::Shape::empty_list, raw.place}
    );
    return true;
}

bool Collector::identify_group(GivenMap& level, const Raw& raw) {
    if (!schema_.is_group(raw.path)) {
        return false;
    }
    const std::vector<std::string> members = schema_.members(raw.path);
    const bool list = members.size() == 1 && members.front() == "[]";
    if (raw.shape == Shape::empty_list && list) {
        insert(level, raw.path, {nullptr, "", Given::Shape::empty_list, raw.place});
    } else if (raw.shape != Shape::nothing) {
        problem(
            raw.place,
            raw.path.text(),
            list ? "takes a list of groups, not a value; allowed in each: " +
                       joined(schema_.members(raw.path.with_index(0)))
                 : "is a group, not a value; allowed below it: " + joined(members)
        );
    }
    return true;
}

bool Collector::below_a_setting(const Raw& raw) {
    for (std::size_t i = 1; i < raw.path.size(); ++i) {
        const SettingPath front = raw.path.first(i);
        const Setting* one = schema_.find(front);
        const Setting* list = list_setting(schema_, front);
        if (one == nullptr && list == nullptr) {
            continue;
        }
        if (first_time(front)) {
            const Setting& setting = one != nullptr ? *one : *list;
            problem(
                place_of(raw, i - 1),
                front.text(),
                std::string(one != nullptr ? "takes one value" : "takes a list") + ", not " +
                    (raw.path.parts()[i].kind == Kind::index ? "a list" : "a group") +
                    "; allowed: " + setting.allowed()
            );
        }
        return true;
    }
    return false;
}

void Collector::unknown(const Raw& raw) {
    const std::size_t known = known_parts(raw.path);
    const SettingPath front =
        raw.path.first(known + 1);  // the shortest part of the name that nobody knows
    for (std::size_t i = 1; i <= raw.path.size(); ++i) {
        if (schema_.is_unsupported(raw.path.first(i))) {
            if (first_time(raw.path.first(i))) {
                problem(
                    place_of(raw, i - 1), raw.path.first(i).text(), "not supported by this version"
                );
            }
            return;
        }
    }
    const bool strict = schema_.is_strict(raw.path);
    if (!strict && raw.shape == Shape::text) {
        others_.emplace(raw.path, raw.text);
    }
    if (!first_time(front)) {
        return;
    }
    std::string text = strict ? "unknown setting" : "not a setting of this program, ignored";
    text += instead_of(front, strict ? known : 0);
    (strict ? problems_ : notes_).push_back({place_of(raw, known), front.text(), std::move(text)});
}

void Collector::insert(GivenMap& level, const SettingPath& path, Given given) {
    const Place place = given.place;
    const auto [first, fresh] = level.emplace(path, std::move(given));
    if (!fresh) {
        problem(place, path.text(), "is set twice, first at " + first->second.place.text);
    }
}

void Collector::remember_names(const SettingPath& pattern, const SettingPath& path) {
    for (std::size_t i = 0; i < std::min(pattern.size(), path.size()); ++i) {
        if (pattern.parts()[i].kind == Kind::any_word) {
            std::vector<std::string>& names = names_[path.first(i)];
            const std::string& name = path.parts()[i].text;
            if (std::ranges::none_of(names, [&](const std::string& known) {
                    return relaxed_equal(known, name);
                })) {
                names.push_back(name);
            }
        }
    }
}

GivenMap Collector::strongest() const {
    GivenMap strongest;
    std::set<SettingPath> lists;
    for (const GivenMap& level : levels_) {
        std::set<SettingPath> own;
        for (const auto& [path, given] : level) {
            const SettingPath outer = outer_list(path);
            const SettingPath list =
                outer.size() == 0 && given.shape != Given::Shape::value ? path : outer;
            if (list.size() != 0) {
                if (lists.contains(list)) {
                    continue;
                }
                own.insert(list);
            }
            strongest.emplace(path, given);
        }
        lists.merge(own);
    }
    return strongest;
}

void Collector::problem(const Place& place, const std::string& setting, std::string text) {
    problems_.push_back({place, setting, std::move(text)});
}

}  // namespace holdfast
