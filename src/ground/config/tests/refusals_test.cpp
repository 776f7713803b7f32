// Each refusal with its exact line: tests/golden/refusals.inc.

#include "tests/sample_schema.h"

#include <support/cases.h>

#include <sstream>

namespace holdfast {
namespace {

constexpr std::string_view golden =
#include "tests/golden/refusals.inc"
    ;

Variables variables_of(const std::string& text) {
    Variables variables;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const std::size_t equals = line.find('=');
        variables.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    return variables;
}

TEST(Refusals, every_refusal_is_one_line_with_place_setting_and_what_is_allowed) {
    const auto cases = testing::golden_cases(golden);
    EXPECT_GE(cases.size(), 35U);
    for (const testing::GoldenCase& one : cases) {
        std::string lines;
        for (const std::string& line : problem_lines(
                 load_sample(one.section("file"), variables_of(one.section("environment")))
             )) {
            lines += line + "\n";
        }
        EXPECT_EQ(lines, one.section("says")) << "name=" << one.name;
    }
}

}  // namespace
}  // namespace holdfast
