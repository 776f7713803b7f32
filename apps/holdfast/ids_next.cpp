// holdfast ids next: a runtime of ids for as long as the command runs.

#include "commands.h"
#include "configuration.h"
#include "opened_ids.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/store/limits.h>

#include <algorithm>
#include <cstdio>

namespace holdfast::app {
namespace {

constexpr std::size_t batch_max = 1'000;
constexpr Duration batch_time{10'000};

// The service of this host goes by the host's name: we go by another, and leave it its slot.
LeasedMachine beside_the_service(const LeasedMachine& told) {
    std::string owner = told.owner().text().substr(0, limits::name_bytes_max - 4) + ".cli";
    LeasedMachine machine = LeasedMachine(told.name(), OwnerKey::parse(owner).value())
                                .ttl(told.ttl())
                                .tolerance(told.tolerance())
                                .renew_interval(told.renew_interval())
                                .max_ahead(told.max_ahead())
                                .call_timeout(told.call_timeout());
    return told.limit().has_value() ? std::move(machine).limit(*told.limit()) : machine;
}

class Printer {
public:
    Printer(IdGenerator& generator, Runtime& runtime, bool text, bool json)
        : generator_(generator), runtime_(runtime),
          text_(text || generator.strategy() == IdStrategy::string), json_(json) {}

    Result<Done> print(std::size_t count) {
        while (count > 0) {
            auto printed = batch(std::min(count, batch_max));
            if (!printed.ok()) {
                return std::move(printed).error();
            }
            count -= printed.value();
        }
        return Done();
    }

private:
    Deadline deadline() const { return Deadline::in(batch_time, runtime_.clock()); }

    Result<std::size_t> batch(std::size_t count) {
        if (text_) {
            std::vector<std::string> texts(count);
            auto filled = wait(runtime_, generator_.fill_text(texts, deadline()));
            if (!filled.ok()) {
                return std::move(filled).error();
            }
            for (const std::string& text : texts) {
                print_line(
                    [&](JsonWriter& json) { json.field("text", std::string_view(text)); }, text
                );
            }
            return count;
        }
        std::vector<std::int64_t> ids(count);
        if (generator_.strategy() == IdStrategy::periodic) {
            return batch_of_period(ids);
        }
        auto filled = wait(runtime_, generator_.fill(ids, deadline()));
        if (!filled.ok()) {
            return std::move(filled).error();
        }
        for (const std::int64_t id : ids) {
            print_line([&](JsonWriter& json) { json.field("id", id); }, std::to_string(id));
        }
        return count;
    }
    Result<std::size_t> batch_of_period(std::span<std::int64_t> ids) {
        auto filled = wait(runtime_, generator_.fill_of_period(ids, deadline()));
        if (!filled.ok()) {
            return std::move(filled).error();
        }
        const PeriodicIds& of = filled.value();
        for (const std::int64_t id : ids.first(of.count)) {
            const auto object = [&](JsonWriter& json) {
                json.field("period", std::string_view(of.period)).field("id", id);
            };
            print_line(object, of.period + " " + std::to_string(id));
        }
        return of.count;
    }

    template <class Object>
    void print_line(const Object& object, const std::string& plain) const {
        if (!json_) {
            std::printf("%s\n", plain.c_str());
            return;
        }
        std::string line;
        JsonWriter json(line);
        json.open_object();
        object(json);
        json.close_object();
        std::printf("%s\n", line.c_str());
    }

    IdGenerator& generator_;
    Runtime& runtime_;
    bool text_;
    bool json_;
};

// The generator alone: no other's ranges are fetched for nothing.
std::optional<IdRuntimeOptions>
for_one_generator(const IdRuntimeOptions& all, const std::string& name) {
    IdRuntimeOptions options(all.name());
    options = std::move(options).machine_store(all.machine_store());
    if (const auto* leased = std::get_if<LeasedMachine>(&all.machine())) {
        LeasedMachine machine = beside_the_service(*leased);
        if (!machine.limit().has_value()) {  // the same for all of a namespace
            machine = std::move(machine).limit(machine_limit(all));
        }
        options = std::move(options).machine(std::move(machine));
    } else if (const auto* manual = std::get_if<ManualMachine>(&all.machine())) {
        options = std::move(options).machine(*manual);
    }
    for (const GeneratorOptions& generator : all.generators()) {
        if (generator.name() == name) {
            return std::move(options).add(generator);
        }
    }
    return std::nullopt;
}

int issue(
    const IdsNextArguments& arguments, const ServePlan& plan, IdRuntimeOptions options, Log& log
) {
    auto runtime = open_runtime(RuntimeOptions()
                                    .loops(1)
                                    .pool_threads(plan.blocking_threads)
                                    .pool_queue_max(plan.store_queue_max));
    if (!runtime.ok()) {
        complain(std::string(runtime.error().what()));
        return exit_code::unreachable;
    }
    Metrics metrics;
    auto stores = OpenedStores::open(*runtime.value(), plan, metrics);
    if (const auto* problem = std::get_if<std::string>(&stores)) {
        complain(*problem);
        return exit_code::unreachable;
    }
    auto opened = open_ids(
        std::move(options), std::get<OpenedStores>(stores), *runtime.value(), metrics, log
    );
    if (const auto* problem = std::get_if<IdsProblem>(&opened)) {
        complain(problem->text);
        return problem->exit_code;
    }
    IdRuntime& ids = *std::get<0>(opened);
    IdGenerator& generator = *ids.find(arguments.generator);
    const auto printed =
        Printer(generator, *runtime.value(), arguments.text, arguments.json).print(arguments.count);
    std::fflush(stdout);
    close_ids(ids, *runtime.value(), log);
    if (!printed.ok()) {
        complain(arguments.generator + ": " + std::string(printed.error().what()));
        return printed.error().code() == Code::denied ? exit_code::no : exit_code::unreachable;
    }
    return exit_code::done;
}

}  // namespace

int ids_next(const IdsNextArguments& arguments) {
    Configuration configuration = read_configuration(arguments.configuration, true);
    for (const std::string& problem : configuration.problems) {
        complain(problem);
    }
    if (!configuration.problems.empty()) {
        return exit_code::wrong_usage;
    }
    const ServePlan& plan = configuration.plan;
    if (!plan.ids.has_value()) {
        complain("no generator is configured; the least is cosid.generators.default.strategy");
        return exit_code::wrong_usage;
    }
    auto options = for_one_generator(*plan.ids, arguments.generator);
    if (!options.has_value()) {
        complain(arguments.generator + ": no such generator; holdfast ids describe lists them");
        return exit_code::wrong_usage;
    }
    if (plan.store.kind() == StoreChoice::Kind::memory) {
        complain("a memory store is its service's alone: ids from here would repeat its ids");
        return exit_code::wrong_usage;
    }
    Log log(plan.log_format, std::max(plan.log_level, LogLevel::warn), system_clock());
    return issue(arguments, plan, std::move(*options), log);
}

}  // namespace holdfast::app
