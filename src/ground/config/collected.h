#pragma once
// What the sources gave, by strength, each value under the name that the schema has for it.

#include "environment.h"

#include <holdfast/config/config.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace holdfast {

struct Place {
    static constexpr int file = 0;  // in the order of the lines that name them, not of the strength
    static constexpr int environment = 1;
    static constexpr int overrides = 2;
    int source = file;
    int line = 0;
    std::string text;
};

struct Given {
    enum class Shape { value, list_text, empty_list };
    const Setting* setting = nullptr;  // null: an empty list of groups
    std::string text;
    Shape shape = Shape::value;
    Place place;
};

using GivenMap = std::map<SettingPath, Given>;

struct PlacedProblem {
    Place place;
    std::string setting;
    std::string text;
};

class Collector {
public:
    Collector(const ConfigSchema& schema, const ConfigSources& sources)
        : schema_(schema), sources_(sources) {}

    void run();

    // The strongest value of each name; a list is taken whole from the strongest source that has
    // any of it.
    GivenMap strongest() const;
    // File values outside the schema: placeholders may name them.
    const std::map<SettingPath, std::string>& others() const { return others_; }
    std::vector<PlacedProblem> take_problems() { return std::move(problems_); }
    std::vector<PlacedProblem> take_notes() { return std::move(notes_); }

private:
    enum class Shape { text, nothing, empty_list };
    struct Raw {
        SettingPath path;
        std::string text;
        Shape shape = Shape::text;
        Place place;
        std::vector<Place> places;  // of each part of the path, in a file
    };
    // Where the name's part with this number stands.
    static const Place& place_of(const Raw& raw, std::size_t part);

    void read_file();
    void read_overrides();
    void read_environment();
    void read_variable(const std::string& name, const std::string& value);
    void unknown_variable(const SettingPath& path, const Place& place);

    void identify(GivenMap& level, Raw raw);
    bool identify_known(GivenMap& level, const Raw& raw);
    bool identify_list(GivenMap& level, const Raw& raw);
    bool identify_group(GivenMap& level, const Raw& raw);
    bool below_a_setting(const Raw& raw);
    void unknown(const Raw& raw);
    std::string instead_of(const SettingPath& name, std::size_t known) const;
    std::size_t known_parts(const SettingPath& path) const;
    void insert(GivenMap& level, const SettingPath& path, Given given);
    void remember_names(const SettingPath& pattern, const SettingPath& path);
    void problem(const Place& place, const std::string& setting, std::string text);
    bool first_time(const SettingPath& path) { return reported_.insert(path).second; }

    const ConfigSchema& schema_;
    const ConfigSources& sources_;
    std::array<GivenMap, 3> levels_;  // strongest first: overrides, environment, file
    MapNames names_;
    std::map<SettingPath, std::string> others_;
    std::set<SettingPath> reported_;
    std::vector<PlacedProblem> problems_;
    std::vector<PlacedProblem> notes_;
};

// Up to the first index, which makes the list that sources replace as a whole; empty: in no list.
SettingPath outer_list(const SettingPath& path);

}  // namespace holdfast
