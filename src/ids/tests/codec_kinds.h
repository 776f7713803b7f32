#pragma once
// One of each kind of codec, with ids at the borders of what it can print.

#include <holdfast/ids/codec.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace holdfast::testing {

struct NumberCodec {
    std::string name;
    std::unique_ptr<IdCodec> codec;
    std::int64_t id_max;
    bool keeps_order;
    bool date_of_now;
};

inline std::vector<NumberCodec> number_codecs() {
    constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t js_max = (std::int64_t{1} << 53) - 1;
    std::vector<NumberCodec> kinds;
    const auto add =
        [&kinds](std::string name, CodecOptions options, std::int64_t max, bool order) {
            const bool of_now = options.date_prefix().has_value() && !options.layout().has_value();
            kinds.push_back({std::move(name), make_codec(options).value(), max, order, of_now});
        };
    const auto base = [](TextBase which) {
        return CodecOptions(which);
    };
    const auto kathmandu = TimeZone::find("Asia/Kathmandu").value();
    add("decimal", base(TextBase::decimal), int64_max, false);
    add("decimal padded", base(TextBase::decimal).pad(true), int64_max, true);
    add("decimal 5", base(TextBase::decimal).pad(true).width(5), 99'999, true);
    add("radix62", base(TextBase::radix62), int64_max, true);
    add("radix62 free", base(TextBase::radix62).pad(false), int64_max, false);
    add("radix62 3", base(TextBase::radix62).width(3), 238'327, true);
    add("radix36", base(TextBase::radix36), int64_max, true);
    add("radix36 free", base(TextBase::radix36).pad(false), int64_max, false);
    add("js", base(TextBase::radix62).layout(IdLayout::js_safe_milliseconds()), js_max, true);
    add("friendly",
        base(TextBase::friendly).layout(IdLayout::milliseconds()).zone(kathmandu),
        int64_max,
        false);
    add("friendly padded",
        base(TextBase::friendly).layout(IdLayout::seconds()).pad(true),
        int64_max,
        true);
    add("prefix", base(TextBase::decimal).prefix("o-").suffix("0"), int64_max, false);
    add("date",
        base(TextBase::radix62).date_prefix(PrefixOptions().pattern("yyyy-MM-dd")).prefix("p"),
        int64_max,
        true);
    add("own date",
        base(TextBase::radix36)
            .layout(IdLayout::seconds())
            .zone(kathmandu)
            .date_prefix(PrefixOptions().before_prefix(false).pattern("yyyyMMddHH"))
            .prefix("x")
            .suffix("y"),
        int64_max,
        true);
    return kinds;
}

// Borders of the digits and of the width, and random ids of every magnitude.
inline std::vector<std::int64_t>
numbers_of(const NumberCodec& kind, std::mt19937_64& random, std::size_t count) {
    std::vector<std::int64_t> ids{0, 1, kind.id_max, kind.id_max - 1};
    for (const std::int64_t radix : {10, 36, 62}) {
        for (std::int64_t power = radix; power <= kind.id_max / radix; power *= radix) {
            ids.push_back(power);
            ids.push_back(power - 1);
        }
    }
    while (ids.size() < count + 4) {
        const auto wide = static_cast<std::int64_t>(random() >> (1 + random() % 63));
        if (wide <= kind.id_max) {
            ids.push_back(wide);
        }
    }
    std::shuffle(ids.begin() + 4, ids.end(), random);
    ids.resize(count + 4);
    return ids;
}

// The text with one character replaced, left out or put in.
inline std::vector<std::string> mutants_of(const std::string& text) {
    constexpr std::string_view others("019AZaz -+_.\0\x7f\xc3\xd9", 16);
    std::vector<std::string> mutants;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        for (const char other : others) {
            std::string more = text;
            more.insert(at, 1, other);
            mutants.push_back(more);
            if (at < text.size() && text[at] != other) {
                std::string replaced = text;
                replaced[at] = other;
                mutants.push_back(replaced);
            }
        }
        if (at < text.size()) {
            std::string less = text;
            less.erase(at, 1);
            mutants.push_back(less);
            for (int step : {-1, 1}) {
                std::string near = text;
                near[at] = static_cast<char>(near[at] + step);
                mutants.push_back(near);
            }
        }
    }
    return mutants;
}

}  // namespace holdfast::testing
