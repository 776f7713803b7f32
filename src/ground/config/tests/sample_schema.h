#pragma once
// A small schema with every kind of setting.

#include <holdfast/config/config.h>

#include <string>
#include <utility>
#include <vector>

namespace holdfast {

inline ConfigSchema sample_schema() {
    return ConfigSchema()
        .strict("app")
        .unsupported("app.old")
        .unsupported("app.stores.*.legacy")
        .add(Setting::text("app.title").or_else("none").about("What it is called."))
        .add(Setting::boolean("app.fast").or_else("false"))
        .add(Setting::integer("app.limits.max-count", 1, 1'000).or_else("10"))
        .add(Setting::duration(
                 "app.limits.min-ttl", std::chrono::milliseconds(1), std::chrono::hours(1)
        )
                 .or_else("100ms"))
        .add(Setting::bytes("app.limits.body", 1, 1 << 20).or_else("64KiB"))
        .add(Setting::choice("app.log.format", {"text", "json"}).or_else("text"))
        .add(Setting::secret("app.tokens[]", 8))
        .add(Setting::text("app.paths[]").or_else("/a,/b"))
        .add(Setting::text("app.clients[].name"))
        .add(Setting::secret("app.clients[].token", 8))
        .add(Setting::text("app.clients[].spaces[]"))
        .add(Setting::text("app.stores.*.type"))
        .add(Setting::duration(
                 "app.stores.*.timeout", std::chrono::milliseconds(1), std::chrono::hours(1)
        )
                 .or_else("3s"))
        .add(Setting::option("app.stores.*.options.*"))
        .add(Setting::integer("server.port", 0, 65'535).or_else("80"));
}

using Variables = std::vector<std::pair<std::string, std::string>>;

inline ConfigOutcome load_sample(
    std::string yaml, Variables variables = {}, std::vector<LocatedSetting> overrides = {}
) {
    return load_config(
        sample_schema(),
        ConfigSources()
            .file("app.yaml", std::move(yaml))
            .environment(std::move(variables))
            .overrides(std::move(overrides))
    );
}

inline std::vector<std::string> problem_lines(const ConfigOutcome& outcome) {
    std::vector<std::string> lines;
    for (const ConfigProblem& problem : outcome.problems) {
        lines.push_back(problem.line());
    }
    return lines;
}

}  // namespace holdfast
