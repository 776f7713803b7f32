#include "parts.h"

#include <holdfast/ids/parse.h>

#include <array>
#include <cstdio>

namespace holdfast {
namespace {

struct Encoding {
    std::string_view name;
    TextBase base;
    bool pad;
};

// An unpadded text is not the padded one of the same id unless it is as wide: then it is found
// once.
constexpr Encoding encodings[] = {
    {"decimal", TextBase::decimal, false},
    {"radix62", TextBase::radix62, true},
    {"radix62", TextBase::radix62, false},
    {"radix36", TextBase::radix36, true},
    {"radix36", TextBase::radix36, false},
    {"friendly", TextBase::friendly, false},
    {"friendly", TextBase::friendly, true},
};

Error refused(std::string_view what) {
    return {Code::invalid_argument, Effect::none, what};
}

CodecOptions options_of(const Encoding& encoding, const IdLayout& layout, const TimeZone& zone) {
    return CodecOptions(encoding.base).pad(encoding.pad).layout(layout).zone(zone);
}

Result<IdReading> parse_as(
    const Encoding& encoding, const IdLayout& layout, const TimeZone& zone, std::string_view text
) {
    if (layout.is_text()) {
        const auto codec = make_text_codec(options_of(encoding, layout, zone));
        if (!codec.ok()) {
            return refused(codec.error().what());
        }
        auto parts = codec.value()->parse(text);
        return parts.ok() ? read_id(layout, parts.value()) : refused(parts.error().what());
    }
    const auto codec = make_codec(options_of(encoding, layout, zone));
    if (!codec.ok()) {
        return refused(codec.error().what());
    }
    const auto id = codec.value()->parse(text);
    return id.ok() ? read_id(layout, id.value()) : refused(id.error().what());
}

std::optional<std::string>
text_as(const Encoding& encoding, const IdReading& reading, const TimeZone& zone) {
    std::string text;
    const CodecOptions options = options_of(encoding, reading.layout, zone);
    if (reading.number.has_value()) {
        const auto codec = make_codec(options);
        const bool made = codec.ok() && codec.value()->append(text, *reading.number, {}).ok();
        return made ? std::optional(text) : std::nullopt;
    }
    const auto codec = make_text_codec(options);
    const bool made = codec.ok() && codec.value()->append(text, reading.parts, {}).ok();
    return made ? std::optional(text) : std::nullopt;
}

// ISO 8601; a year of more digits is printed whole.
std::string iso_of(const LocalTime& local) {
    std::array<char, 40> text;
    const int length = std::snprintf(
        text.data(),
        text.size(),
        "%04d-%02d-%02dT%02d:%02d:%02d.%03d",
        local.year,
        local.month,
        local.day,
        local.hour,
        local.minute,
        local.second,
        local.millisecond
    );
    return {text.data(), static_cast<std::size_t>(length)};
}

bool is_same(const IdGuess& a, const IdGuess& b) {
    return a.layout == b.layout && a.encoding == b.encoding && a.reading.parts == b.reading.parts;
}

}  // namespace

std::string iso_of(WallTime time) {
    return iso_of(TimeZone::utc().local(time)) + "Z";
}

std::vector<NamedLayout> standard_layouts() {
    return {
        {"snowflake", IdLayout::milliseconds()},
        {"snowflake-seconds", IdLayout::seconds()},
        {"js-safe", IdLayout::js_safe_milliseconds()},
        {"js-safe-seconds", IdLayout::js_safe_seconds()},
        {"string", IdLayout::text()}
    };
}

Result<IdReading> read_id(const IdLayout& layout, std::int64_t id) {
    const auto parts = decompose(layout, id);
    if (!parts.ok()) {
        return refused(parts.error().what());
    }
    return IdReading{layout, parts.value(), time_of(layout, parts.value()), id};
}

Result<IdReading> read_id(const IdLayout& layout, const IdParts& parts) {
    if (!parts_fit(layout, parts)) {
        return refused(fault_of_parts(layout, parts));
    }
    std::optional<std::int64_t> number;
    if (!layout.is_text()) {
        number = compose(layout, parts).value();
    }
    return IdReading{layout, parts, time_of(layout, parts), number};
}

Result<IdReading> read_id(const IdLayout& layout, std::string_view text, const TimeZone& zone) {
    const NamedLayout named{"", layout};
    auto guesses = guess_id(text, std::span(&named, 1), zone);
    if (guesses.empty()) {
        return refused("the text is no id of the layout");
    }
    for (const IdGuess& other : guesses) {
        if (other.reading.parts != guesses.front().reading.parts) {
            return refused("the text can be two ids of the layout: name its encoding");
        }
    }
    return std::move(guesses.front().reading);
}

std::vector<IdGuess>
guess_id(std::string_view text, std::span<const NamedLayout> layouts, const TimeZone& zone) {
    std::vector<IdGuess> guesses;
    for (const NamedLayout& named : layouts) {
        for (const Encoding& encoding : encodings) {
            auto reading = parse_as(encoding, named.layout, zone, text);
            if (!reading.ok()) {
                continue;
            }
            IdGuess guess{named.name, std::string(encoding.name), std::move(reading).value()};
            if (guesses.empty() || !is_same(guesses.back(), guess)) {
                guesses.push_back(std::move(guess));
            }
        }
    }
    return guesses;
}

std::vector<IdLine> describe_id(const IdReading& reading, const TimeZone& zone) {
    std::vector<IdLine> lines;
    if (reading.number.has_value()) {
        lines.push_back({"id", std::to_string(*reading.number)});
    }
    lines.push_back({"time", iso_of(reading.time)});
    if (zone.name() != TimeZone::utc().name()) {
        lines.push_back({"local_time", iso_of(zone.local(reading.time)) + " " + zone.name()});
    }
    lines.push_back({"machine", std::to_string(reading.parts.machine)});
    lines.push_back({"sequence", std::to_string(reading.parts.sequence)});
    const bool is_text = !reading.number.has_value();
    for (const Encoding& encoding :
         {Encoding{"radix62", TextBase::radix62, true},
          Encoding{"radix36", TextBase::radix36, true},
          Encoding{"friendly", TextBase::friendly, is_text}}) {
        if (auto text = text_as(encoding, reading, zone); text.has_value()) {
            lines.push_back({std::string(encoding.name), std::move(*text)});
        }
    }
    return lines;
}

std::vector<IdLine> describe_layout(const IdLayout& layout, WallTime now) {
    std::array<char, 32> years;
    std::snprintf(years.data(), years.size(), "%.1f", layout.years_left(now));
    const std::string bits = std::to_string(layout.time_bits()) + "/" +
                             std::to_string(layout.machine_bits()) + "/" +
                             std::to_string(layout.sequence_bits());
    return {
        {"unit", layout.unit() == TickUnit::second ? "second" : "millisecond"},
        {"epoch", iso_of(layout.epoch())},
        {"bits", bits},
        {"last_time", iso_of(layout.time_of(layout.last_tick()))},
        {"years_left", years.data()},
        {"machines", std::to_string(layout.machine_max() + 1)},
        {"ids_per_tick", std::to_string(layout.sequence_max() + 1)},
        {"js_safe", layout.is_js_safe() ? "yes" : "no"}
    };
}

}  // namespace holdfast
