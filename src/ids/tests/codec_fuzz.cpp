// Any bytes as an id, a date pattern and the rule of a zone: what a codec reads it prints again,
// byte for byte.
#include "codecs/date_pattern.h"
#include "tests/codec_kinds.h"
#include "zone_rule.h"

#include <holdfast/ids/parse.h>

#include <cstdint>
#include <cstdlib>

namespace holdfast {
namespace {

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void numbers(std::string_view text) {
    static const auto& kinds = *new auto(testing::number_codecs());
    for (const testing::NumberCodec& kind : kinds) {
        const auto id = kind.codec->parse(text);
        if (!id.ok()) {
            require(id.error().effect() == Effect::none && !id.error().what().empty());
            continue;
        }
        require(id.value() >= 0 && id.value() <= kind.id_max);
        std::string again;
        require(kind.codec->append(again, id.value(), {}).ok());
        require(kind.date_of_now ? again.size() == text.size() : again == text);
    }
}

void texts(std::string_view text) {
    static const auto& codecs = *new auto([] {
        std::vector<std::unique_ptr<TextIdCodec>> made;
        for (const TextBase base : {TextBase::radix62, TextBase::radix36, TextBase::friendly}) {
            made.push_back(make_text_codec(CodecOptions(base).layout(IdLayout::text())).value());
        }
        return made;
    }());
    for (const auto& codec : codecs) {
        const auto parts = codec->parse(text);
        std::string again;
        require(!parts.ok() || (codec->append(again, parts.value(), {}).ok() && again == text));
    }
}

void guesses(std::string_view text) {
    static const auto& layouts = *new auto(standard_layouts());
    for (const IdGuess& guess : guess_id(text, layouts)) {
        const auto reading = read_id(guess.reading.layout, guess.reading.parts);
        require(reading.ok() && reading.value().number == guess.reading.number);
        require(!describe_id(reading.value()).empty());
    }
}

void patterns(std::string_view text) {
    const auto pattern = DatePattern::parse(text);
    if (pattern.ok()) {
        std::string date;
        pattern.value().append(date, LocalTime{2024, 2, 29, 23, 59, 59, 999});
        require(date.size() == pattern.value().length());
        // Not every pattern has a year; with yyyyMMdd twice the last one counts.
        require(pattern.value().is_date(date));
        pattern.value().is_date(text);
    }
    if (const auto rule = ZoneRule::parse(text); rule.has_value()) {
        for (std::int64_t at = 0; at < 40'000'000'000; at += 123'456'789) {
            const auto instant = rule->instant(at);
            require(!instant.has_value() || *instant + rule->offset_at(*instant) == at);
        }
    }
}

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size <= 200) {
        const std::string_view text(reinterpret_cast<const char*>(data), size);
        holdfast::numbers(text);
        holdfast::texts(text);
        holdfast::guesses(text);
        holdfast::patterns(text);
    }
    return 0;
}
