#pragma once
// A YAML text as a flat list of names and values, each with its line.

#include <holdfast/config/path.h>

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct YamlValue {
    enum class Shape { text, nothing, empty_list };
    SettingPath path;
    std::string text;
    Shape shape = Shape::text;
    int line = 0;            // of the key, or of the item of a list; from 1
    std::vector<int> lines;  // the same for each part of the path
};

struct YamlProblem {
    int line = 0;  // 0: the file as a whole
    std::string setting;
    std::string text;
};

struct YamlFile {
    std::vector<YamlValue> values;
    std::vector<YamlProblem> problems;
};

// One document of mappings, lists and scalars; dots in keys split them as in Spring. Never throws.
YamlFile read_yaml(std::string_view text);

}  // namespace holdfast
