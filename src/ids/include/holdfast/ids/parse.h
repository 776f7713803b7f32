#pragma once
// What an id says, for people and tools: its parts, its time, and how else it is written.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>
#include <holdfast/ids/codec.h>
#include <holdfast/ids/layout.h>
#include <holdfast/ids/zone.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct IdReading {
    IdLayout layout;
    IdParts parts;
    WallTime time;                       // the first millisecond of its tick
    std::optional<std::int64_t> number;  // none: a layout of text
};

struct NamedLayout {
    std::string name;
    IdLayout layout;
};
// Those that need no settings: snowflake, snowflake-seconds, js-safe, js-safe-seconds, string.
std::vector<NamedLayout> standard_layouts();

// One way to understand a text.
struct IdGuess {
    std::string layout;
    std::string encoding;  // decimal, radix62, radix36, friendly
    IdReading reading;
};

// invalid_argument, none: negative or wider than the layout.
Result<IdReading> read_id(const IdLayout& layout, std::int64_t id);
Result<IdReading> read_id(const IdLayout& layout, const IdParts& parts);
// An undecorated text of the layout, in any encoding; friendly ones in the zone. invalid_argument,
// none: it is none, or could be two (a decimal of 13 digits is a radix36 too: see guess_id).
Result<IdReading>
read_id(const IdLayout& layout, std::string_view text, const TimeZone& zone = TimeZone::utc());

// Every way in which the text is an undecorated id of one of the layouts, in their order.
std::vector<IdGuess> guess_id(
    std::string_view text,
    std::span<const NamedLayout> layouts,
    const TimeZone& zone = TimeZone::utc()
);

// ISO 8601 in UTC, with milliseconds.
std::string iso_of(WallTime time);

struct IdLine {
    std::string name;  // fit for a key of JSON
    std::string value;
};
// id, time, local_time (where the zone is not UTC), machine, sequence, and each encoding.
std::vector<IdLine> describe_id(const IdReading& reading, const TimeZone& zone = TimeZone::utc());
// unit, epoch, bits, last_time, years_left, machines, ids_per_tick, js_safe.
std::vector<IdLine> describe_layout(const IdLayout& layout, WallTime now);

}  // namespace holdfast
