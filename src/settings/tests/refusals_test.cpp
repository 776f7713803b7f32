// Each refusal with its exact line: tests/golden/refusals.inc.

#include <holdfast/settings/service_settings.h>

#include <support/cases.h>

#include <sstream>

namespace holdfast {
namespace {

constexpr std::string_view golden =
#include "tests/golden/refusals.inc"
    ;

using Variables = std::vector<std::pair<std::string, std::string>>;

Variables variables_of(const std::string& text) {
    Variables variables;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const std::size_t equals = line.find('=');
        variables.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
    return variables;
}

ServiceOutcome outcome_of(const testing::GoldenCase& one) {
    const std::string& file = one.section("file");
    ConfigSources sources = ConfigSources().environment(variables_of(one.section("environment")));
    if (!file.empty()) {
        sources = std::move(sources).file("application.yaml", file);
    }
    if (const std::string& listen = one.section("override"); !listen.empty()) {
        const std::size_t equals = listen.find('=');
        const std::string value = listen.substr(equals + 1, listen.size() - equals - 2);
        sources =
            std::move(sources).overrides({{listen.substr(0, equals), value, "command line --listen"}
            });
    }
    return read_service_settings(std::move(sources), {"memory", "sqlite"}, false);
}

TEST(Refusals, every_refusal_is_one_line_with_place_setting_and_what_is_allowed) {
    const auto cases = testing::golden_cases(golden);
    EXPECT_GE(cases.size(), 40U);
    for (const testing::GoldenCase& one : cases) {
        std::string lines;
        for (const ConfigProblem& problem : outcome_of(one).problems) {
            lines += problem.line() + "\n";
        }
        EXPECT_EQ(lines, one.section("says")) << "name=" << one.name;
    }
}

// Every secret of the cases has this word in it.
TEST(Refusals, no_refusal_shows_a_secret) {
    for (const testing::GoldenCase& one : testing::golden_cases(golden)) {
        const ServiceOutcome outcome = outcome_of(one);
        for (const ConfigProblem& problem : outcome.problems) {
            EXPECT_EQ(problem.line().find("hunter"), std::string::npos) << problem.line();
        }
        for (const EffectiveSetting& setting : outcome.config.effective()) {
            EXPECT_EQ(setting.value.find("hunter"), std::string::npos) << setting.name;
        }
    }
}

}  // namespace
}  // namespace holdfast
