#pragma once
// Golden cases in one text: "== name" begins a case, "-- section" a section of it; a section is the
// lines below.

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::testing {

struct GoldenCase {
    std::string name;
    std::map<std::string, std::string, std::less<>> sections;

    const std::string& section(std::string_view which) const {
        static const std::string none;
        const auto found = sections.find(which);
        return found == sections.end() ? none : found->second;
    }
};

inline std::vector<GoldenCase> golden_cases(std::string_view text) {
    std::vector<GoldenCase> cases;
    std::string* section = nullptr;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.starts_with("== ")) {
            cases.push_back({std::string(line.substr(3)), {}});
            section = nullptr;
        } else if (line.starts_with("-- ") && !cases.empty()) {
            section = &cases.back().sections[std::string(line.substr(3))];
        } else if (section != nullptr) {
            *section += std::string(line) + "\n";
        }
    }
    return cases;
}

}  // namespace holdfast::testing
