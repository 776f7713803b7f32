// The names of the settings of ids and their machine.

#include "ids_settings.h"
#include "value_rules.h"

#include <holdfast/ids/limits.h>
#include <holdfast/settings/limits.h>
#include <holdfast/store/limits.h>

#include <limits>

namespace holdfast {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t number_max = std::numeric_limits<std::int64_t>::max();

ConfigSchema with_machine(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::text("cosid.machine.leased.store")
                 .about("The store that the machine's slot is leased from. Default: the store that "
                        "is served."))
        .add(Setting::text("cosid.machine.leased.namespace")
                 .checked(is_namespace, "1 to 100 of A-Z a-z 0-9 . _ - : @, not . or ..")
                 .about("Whose slots. Default: cosid.namespace."))
        .add(Setting::duration("cosid.machine.leased.ttl", limits::ttl_min, limits::ttl_max)
                 .or_else("30s")
                 .about("How long a lease holds without a renewal; all of a namespace say the same."
                 ))
        .add(Setting::duration("cosid.machine.leased.tolerance", 0ms, limits::tolerance_max)
                 .or_else("5s")
                 .about("How far the clocks of store and machine may be apart; all of a namespace "
                        "say the same."))
        .add(Setting::duration(
                 "cosid.machine.leased.renew-interval",
                 limits::renew_interval_min,
                 limits::ttl_max / 2
        )
                 .about("How often the lease is renewed, at most half of the ttl. Default: a third "
                        "of the ttl."))
        .add(Setting::integer("cosid.machine.leased.limit", 1, limits::slot_limit_max)
                 .about("How many machines the namespace has room for; all of it say the same. "
                        "Default: 2^(fewest machine bits of a generator), at most 65536."))
        .add(Setting::text("cosid.machine.leased.owner-key")
                 .checked(is_namespace, "1 to 100 of A-Z a-z 0-9 . _ - : @, not . or ..")
                 .about("Who this machine is, the same over restarts. Default: the host's name."))
        .add(Setting::integer("cosid.machine.leased.preferred-slot", 0, limits::slot_limit_max - 1)
                 .about("Taken if it is free. Default: the ordinal of a host name such as web-3 of "
                        "a stateful set, where it is below the limit."))
        .add(Setting::duration("cosid.machine.leased.max-ahead", 0ms, limits::max_ahead_max)
                 .about("How far ids may run ahead of a clock that was set back. Default: the "
                        "tolerance."))
        .add(Setting::integer("cosid.machine.manual.id", 0, limits::slot_limit_max - 1)
                 .about("A machine number without a lease: that no other machine has it rests on "
                        "you."));
}

ConfigSchema with_generators(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::boolean("cosid.generators.*.enabled")
                 .or_else("true")
                 .about("Whether the generator issues; if not, it is answered 409 "
                        "generator_disabled."))
        .add(Setting::choice(
                 "cosid.generators.*.strategy", {"snowflake", "string", "segment", "periodic"}
        )
                 .about(
                     "snowflake: numbers ordered by time. string: texts ordered by time. segment: "
                     "numbers from reserved ranges. periodic: the same, from the start in each "
                     "period."
                 ))
        .add(Setting::text("cosid.generators.*.store")
                 .about("segment, periodic: the store of the ranges. Default: the store that is "
                        "served."))
        .add(Setting::choice("cosid.generators.*.timestamp-unit", {"millisecond", "second"})
                 .about("snowflake, string: what a tick is. Default: millisecond."))
        .add(
            Setting::integer("cosid.generators.*.epoch", 0, limits::epoch_ms_max)
                .about("snowflake, string: what time counts from, in milliseconds since 1970, also "
                       "where a tick is a second. Default: 1577203200000 of snowflake, 0 of "
                       "string. Never change it under ids in use.")
        )
        .add(Setting::integer(
                 "cosid.generators.*.timestamp-bits", 1, limits::time_bits_max_milliseconds
        )
                 .about("snowflake, string: bits of the time. Default: 41, 31 in seconds, 44 of "
                        "string."))
        .add(Setting::integer("cosid.generators.*.machine-bits", 0, limits::machine_bits_max)
                 .about("snowflake, string: bits of the machine. Default: 10, 3 js-safe, 20 of "
                        "string."))
        .add(
            Setting::integer("cosid.generators.*.sequence-bits", 0, limits::sequence_bits_max)
                .about("snowflake, string: bits of the sequence. Default: 12, 22 in seconds, 9 and "
                       "19 js-safe, 16 of string.")
        )
        .add(Setting::integer("cosid.generators.*.sequence-reset-threshold", 0, number_max)
                 .about("snowflake, string: a new tick starts at 0 from this sequence on and goes "
                        "on below it. Default: 2^(sequence bits - 1) - 1."))
        .add(Setting::boolean("cosid.generators.*.js-safe")
                 .about("snowflake: ids fit into the 53 bits of a JavaScript number. Default: "
                        "false."));
}

ConfigSchema with_ranges(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::integer("cosid.generators.*.step", 1, limits::reserve_size_max)
                 .about("segment, periodic: numbers of one range. Default: 1000."))
        .add(Setting::integer("cosid.generators.*.offset", 0, number_max)
                 .about("segment, periodic: the first number of a new key. Default: 0."))
        .add(Setting::choice("cosid.generators.*.mode", {"chain", "plain", "direct"})
                 .about("segment, periodic: ranges fetched ahead (chain), when the last is used up "
                        "(plain), or a call of the store for each id (direct). Default: chain."))
        .add(Setting::choice("cosid.generators.*.order", {"process", "relaxed"})
                 .about("segment, periodic: ids rise in one process, or (relaxed, faster) in each "
                        "thread only. Default: process."))
        .add(Setting::integer("cosid.generators.*.safe-distance", 1, limits::safe_distance_max)
                 .about("segment, periodic: ranges kept ahead when all is quiet. Default: 2."))
        .add(Setting::choice("cosid.generators.*.period", {"year", "month", "day", "hour"})
                 .about("periodic: when the numbers start again. Default: month."))
        .add(Setting::text("cosid.generators.*.zone")
                 .checked(is_time_zone, "a time zone such as UTC or Europe/Berlin")
                 .about("periodic: whose calendar. Default: UTC."));
}

ConfigSchema with_converter(ConfigSchema schema) {
    return std::move(schema)
        .add(Setting::choice(
                 "cosid.generators.*.converter.type",
                 {"radix62", "radix36", "decimal", "snowflake-friendly", "radix", "to-string"}
        )
                 .about("The text of an id; radix and to-string are older words for radix62 and "
                        "decimal. Default: radix62."))
        .add(Setting::boolean("cosid.generators.*.converter.pad")
                 .about(
                     "Zeros before the number, so that texts sort as numbers do. Default: true of "
                     "radix62, radix36 and texts."
                 ))
        .add(Setting::integer("cosid.generators.*.converter.width", 1, 19)
                 .about("How many characters a padded number has. Default: those of the widest."))
        .add(Setting::text("cosid.generators.*.converter.prefix").about("Text before the number."))
        .add(Setting::text("cosid.generators.*.converter.suffix").about("Text after the number."))
        .add(Setting::text("cosid.generators.*.converter.zone")
                 .checked(is_time_zone, "a time zone such as UTC or Europe/Berlin")
                 .about("The time zone of snowflake-friendly and of the date prefix. Default: UTC.")
        )
        .add(
            Setting::boolean("cosid.generators.*.converter.group-prefix.enabled")
                .about("periodic: the period before the number. Default: true where anything of it "
                       "is set.")
        )
        .add(Setting::text("cosid.generators.*.converter.group-prefix.delimiter")
                 .about("Between period and number. Default: -."))
        .add(Setting::boolean("cosid.generators.*.converter.group-prefix.before-prefix")
                 .about("CosId's order: applied before the fixed prefix, so it stands behind it. "
                        "Default: true."))
        .add(Setting::boolean("cosid.generators.*.converter.date-prefix.enabled")
                 .about("The date before the number: the id's own where it has one, else today. "
                        "Default: true where anything of it is set."))
        .add(Setting::text("cosid.generators.*.converter.date-prefix.pattern")
                 .about("y M d H m s S and other characters as they are. Default: yyMMdd."))
        .add(Setting::text("cosid.generators.*.converter.date-prefix.delimiter")
                 .about("Between date and number. Default: -."))
        .add(Setting::boolean("cosid.generators.*.converter.date-prefix.before-prefix")
                 .about("CosId's order: applied before the fixed prefix, so it stands behind it. "
                        "Default: true."));
}

}  // namespace

ConfigSchema with_ids(ConfigSchema schema) {
    return with_converter(with_ranges(with_generators(with_machine(
        std::move(schema)
            .add(Setting::boolean("cosid.server.ids.enabled")
                     .or_else("false")
                     .about("Whether the service issues ids itself, at /ids."))
            .add(Setting::integer("cosid.server.limits.max-count", 1, ids_count_setting_max)
                     .or_else("1000")
                     .about("The most ids of one request."))
    ))));
}

}  // namespace holdfast
