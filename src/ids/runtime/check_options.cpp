// What open_id_runtime refuses before it asks anything of a store.

#include "lease/machine_rules.h"
#include "ranges/range_rules.h"

#include <holdfast/ids/generator_codec.h>
#include <holdfast/ids/id_runtime.h>
#include <holdfast/ids/limits.h>
#include <holdfast/store/names.h>

#include <algorithm>
#include <set>

namespace holdfast {
namespace {

constexpr std::string_view reserved_name = "strings";  // a path of the service: /ids/strings

// A layout that is not sound is a problem of its own.
std::vector<IdLayout> sound_layouts(const IdRuntimeOptions& options) {
    std::vector<IdLayout> layouts;
    for (const GeneratorOptions& generator : options.generators()) {
        if (is_time_based(generator.strategy()) && generator.layout().check().ok()) {
            layouts.push_back(generator.layout());
        }
    }
    return layouts;
}

class OptionCheck {
public:
    OptionCheck(const IdRuntimeOptions& options, const std::vector<std::string>& stores)
        : options_(options), stores_(stores) {}

    Result<Done> run() {
        machine();
        for (const GeneratorOptions& generator : options_.generators()) {
            whose_ = generator.name();
            name(generator);
            needs(generator);
            is_time_based(generator.strategy()) ? layout(generator)
                                                : require(problem_of(generator.segment()));
            converter(generator);
        }
        if (problem_.has_value()) {
            return std::move(*problem_);
        }
        return Done();
    }

private:
    // The first problem is the answer.
    void require(bool holds, std::string_view option, std::string_view what) {
        if (!holds && !problem_.has_value()) {
            ErrorContext context;
            context.server_text = whose_;
            context.command = option;
            problem_.emplace(
                Error(Code::invalid_argument, Effect::none, what).with(std::move(context))
            );
        }
    }
    template <class T>
    void require(const Result<T>& result, std::string_view option) {
        require(result.ok(), option, result.ok() ? "" : result.error().what());
    }
    void require(const std::optional<OptionProblem>& problem) {
        const OptionProblem none;
        const OptionProblem& found = problem.has_value() ? *problem : none;
        require(!problem.has_value(), found.option, found.what);
    }
    bool knows_store(const std::string& name) const {
        return name.empty() ? !stores_.empty() : std::ranges::count(stores_, name) == 1;
    }

    void machine() {
        if (const auto* leased = std::get_if<LeasedMachine>(&options_.machine())) {
            require(problem_of(*leased, sound_layouts(options_)));
            require(
                knows_store(options_.machine_store()),
                "store",
                "the machine's store is none of the configured ones"
            );
        } else if (const auto* manual = std::get_if<ManualMachine>(&options_.machine())) {
            require(
                manual->id < machine_limit(options_),
                "id",
                "the machine's number does not fit into the ids of a generator"
            );
        }
    }
    void name(const GeneratorOptions& generator) {
        require(
            Namespace::parse(generator.name()).ok() &&
                generator.name().size() <= limits::generator_name_bytes_max,
            "name",
            "a generator's name is 1 to 64 of A-Z a-z 0-9 . _ - : @, not . or .."
        );
        require(
            generator.name() != reserved_name,
            "name",
            "no generator may be named strings: that is a path of the service"
        );
        require(
            names_.insert(generator.name()).second, "name", "two generators have the same name"
        );
    }
    void needs(const GeneratorOptions& generator) {
        if (is_time_based(generator.strategy())) {
            require(
                !generator.enabled() || !std::holds_alternative<std::monostate>(options_.machine()),
                "strategy",
                "the strategy needs a machine, and none is configured"
            );
        } else {
            require(
                !generator.enabled() || knows_store(generator.store()),
                "store",
                "the generator's store is none of the configured ones"
            );
        }
    }
    void layout(const GeneratorOptions& generator) {
        const bool text = generator.strategy() == IdStrategy::string;
        require(
            generator.layout().is_text() == text,
            "layout",
            text ? "a string generator needs a layout of text"
                 : "a snowflake generator needs a layout of numbers"
        );
        require(generator.layout().check(), "layout");
    }
    void converter(const GeneratorOptions& generator) {
        if (!generator.codec().has_value() || problem_.has_value()) {
            return;  // a codec is checked against a layout that was found right
        }
        require(GeneratorCodec::make(generator), "converter");
    }

    const IdRuntimeOptions& options_;
    const std::vector<std::string>& stores_;
    std::string whose_;  // empty: the machine
    std::set<std::string> names_;
    std::optional<Error> problem_;
};

}  // namespace

std::uint32_t machine_limit(const IdRuntimeOptions& options) {
    return machines_of(sound_layouts(options));
}

Result<Done>
check_id_options(const IdRuntimeOptions& options, const std::vector<std::string>& stores) {
    return OptionCheck(options, stores).run();
}

}  // namespace holdfast
