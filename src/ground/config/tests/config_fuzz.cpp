// A file, a zero byte, and then variables as NAME=value lines, against the sample schema. Whatever
// comes, every problem is one line and the effective settings can be shown.

#include "tests/sample_schema.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace holdfast {
namespace {

Variables variables_of(std::string_view text) {
    Variables variables;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const std::size_t equals = std::min(line.find('='), line.size());
        variables.emplace_back(
            line.substr(0, equals), line.substr(std::min(equals + 1, line.size()))
        );
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return variables;
}

void one_line(const std::string& text) {
    if (text.empty() || text.find('\n') != std::string::npos) {
        std::abort();
    }
}

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace holdfast;
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const std::size_t zero = std::min(all.find('\0'), all.size());
    const ConfigOutcome outcome = load_sample(
        std::string(all.substr(0, zero)), variables_of(all.substr(std::min(zero + 1, all.size())))
    );
    for (const ConfigProblem& problem : outcome.problems) {
        one_line(problem.line());
    }
    for (const ConfigProblem& note : outcome.notes) {
        one_line(note.line());
    }
    for (const EffectiveSetting& setting : outcome.config.effective()) {
        one_line(setting.name + setting.value + setting.where);
    }
    return 0;
}
