// holdfast ids describe: what the settings' generators are, without asking a store.

#include "commands.h"
#include "configuration.h"

#include <holdfast/codec/json_writer.h>

#include <cstdio>
#include <ctime>

namespace holdfast::app {
namespace {

std::string day_of(WallTime time) {
    const LocalTime local = TimeZone::utc().local(time);
    char text[32];
    std::snprintf(text, sizeof(text), "%04d-%02d-%02d", local.year, local.month, local.day);
    return text;
}

// The first millisecond that has no id any more.
WallTime end_of(const IdLayout& layout) {
    return layout.time_of(layout.last_tick() + 1);
}

std::string_view word_of(SegmentMode mode) {
    switch (mode) {
    case SegmentMode::chain:
        return "chain";
    case SegmentMode::plain:
        return "plain";
    case SegmentMode::direct:
        break;
    }
    return "direct";
}
std::string_view word_of(Period period) {
    switch (period) {
    case Period::year:
        return "year";
    case Period::month:
        return "month";
    case Period::day:
        return "day";
    case Period::hour:
        break;
    }
    return "hour";
}

void print_json(const GeneratorOptions& generator, WallTime now) {
    std::string line;
    JsonWriter json(line);
    json.open_object()
        .field("name", std::string_view(generator.name()))
        .field("strategy", name_of(generator.strategy()))
        .field("enabled", generator.enabled());
    if (is_time_based(generator.strategy())) {
        const IdLayout& layout = generator.layout();
        json.field("timestampUnit", layout.unit() == TickUnit::second ? "second" : "millisecond")
            .field("epoch", layout.epoch().time_since_epoch().count())
            .field("timestampBits", layout.time_bits())
            .field("machineBits", layout.machine_bits())
            .field("sequenceBits", layout.sequence_bits())
            .field("ends", std::string_view(day_of(end_of(layout))))
            .name("yearsLeft")
            .real(layout.years_left(now));
    } else {
        json.field("step", generator.segment().step())
            .field("offset", generator.segment().offset())
            .field("mode", word_of(generator.segment().mode()));
        if (generator.strategy() == IdStrategy::periodic) {
            json.field("period", word_of(generator.period().period()))
                .field("zone", std::string_view(generator.period().zone().name()));
        }
    }
    json.close_object();
    std::printf("%s\n", line.c_str());
}

std::string described(const GeneratorOptions& generator, WallTime now) {
    char text[256];
    if (is_time_based(generator.strategy())) {
        const IdLayout& layout = generator.layout();
        std::snprintf(
            text,
            sizeof(text),
            "%d/%d/%d bits of time, machine, sequence in %s since %s; ends %s, %.1f years left",
            layout.time_bits(),
            layout.machine_bits(),
            layout.sequence_bits(),
            layout.unit() == TickUnit::second ? "seconds" : "milliseconds",
            day_of(layout.epoch()).c_str(),
            day_of(end_of(layout)).c_str(),
            layout.years_left(now)
        );
        return text;
    }
    std::string words = "ranges of " + std::to_string(generator.segment().step()) + " from " +
                        std::to_string(generator.segment().offset()) + " on, " +
                        std::string(word_of(generator.segment().mode()));
    if (generator.strategy() == IdStrategy::periodic) {
        words += "; again in each " + std::string(word_of(generator.period().period())) + " of " +
                 generator.period().zone().name();
    }
    return words;
}

}  // namespace

int ids_describe(const ConfigurationArguments& arguments, const std::string& generator, bool json) {
    const Configuration configuration = read_configuration(arguments, false);
    for (const std::string& problem : configuration.problems) {
        complain(problem);
    }
    if (!configuration.problems.empty()) {
        return exit_code::wrong_usage;
    }
    const auto& ids = configuration.plan.ids;
    bool found = false;
    const WallTime now = system_clock().wall_now();
    for (const GeneratorOptions& one :
         ids.has_value() ? ids->generators() : std::vector<GeneratorOptions>()) {
        if (!generator.empty() && one.name() != generator) {
            continue;
        }
        found = true;
        if (json) {
            print_json(one, now);
        } else {
            std::printf(
                "%-16s %-10s %s%s\n",
                one.name().c_str(),
                std::string(name_of(one.strategy())).c_str(),
                described(one, now).c_str(),
                one.enabled() ? "" : " (disabled)"
            );
        }
    }
    if (!found) {
        complain(
            generator.empty() ? "no generator is configured" : generator + ": no such generator"
        );
    }
    return found ? exit_code::done : exit_code::no;
}

}  // namespace holdfast::app
