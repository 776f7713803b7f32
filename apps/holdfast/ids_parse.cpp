// holdfast ids parse: what ids tell, without asking anybody.

#include "commands.h"
#include "configuration.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/ids/codec.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>

namespace holdfast::app {
namespace {

constexpr std::size_t line_bytes_max = 4'096;  // far above any id with its prefixes

bool is_time_based(IdStrategy strategy) {
    return strategy == IdStrategy::snowflake || strategy == IdStrategy::string;
}

std::string iso_of(WallTime time) {
    const LocalTime at = TimeZone::utc().local(time);
    char text[64];
    std::snprintf(
        text,
        sizeof(text),
        "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
        at.year,
        at.month,
        at.day,
        at.hour,
        at.minute,
        at.second,
        at.millisecond
    );
    return text;
}

std::optional<GeneratorOptions> of_layout(const std::string& word) {
    if (word == "snowflake") {
        return GeneratorOptions::snowflake(word);
    }
    if (word == "snowflake-second") {
        return GeneratorOptions::snowflake(word, IdLayout::seconds());
    }
    if (word == "js-safe") {
        return GeneratorOptions::snowflake(word, IdLayout::js_safe_milliseconds());
    }
    if (word == "js-safe-second") {
        return GeneratorOptions::snowflake(word, IdLayout::js_safe_seconds());
    }
    return word == "string" ? std::optional(GeneratorOptions::string(word)) : std::nullopt;
}

// What one id tells.
struct Reading {
    std::optional<std::int64_t> id;
    std::optional<IdParts> parts;
};

class Reader {
public:
    Reader(GeneratorOptions generator, bool digits_are_text)
        : generator_(std::move(generator)), digits_are_text_(digits_are_text) {}

    Result<Done> open() {
        CodecOptions codec = generator_.codec().value_or(CodecOptions());
        if (is_time_based(generator_.strategy()) && !codec.layout().has_value()) {
            codec = std::move(codec).layout(generator_.layout());
        }
        if (generator_.strategy() == IdStrategy::string) {
            auto made = make_text_codec(std::move(codec));
            if (!made.ok()) {
                return std::move(made).error();
            }
            texts_ = std::move(made).value();
            return Done();
        }
        auto made = make_codec(std::move(codec));
        if (!made.ok()) {
            return std::move(made).error();
        }
        numbers_ = std::move(made).value();
        return Done();
    }

    Result<Reading> read(const std::string& text) const {
        Reading reading;
        if (texts_ != nullptr) {
            auto parts = texts_->parse(text);
            if (!parts.ok()) {
                return std::move(parts).error();
            }
            reading.parts = parts.value();
            return reading;
        }
        auto id = number(text);
        if (!id.ok()) {
            return std::move(id).error();
        }
        reading.id = id.value();
        if (is_time_based(generator_.strategy())) {
            auto parts = decompose(generator_.layout(), id.value());
            if (!parts.ok()) {
                return std::move(parts).error();
            }
            reading.parts = parts.value();
        }
        return reading;
    }

    void print(const std::string& text, const Reading& reading, bool json) const {
        json ? print_json(text, reading) : print_words(text, reading);
    }

private:
    Result<std::int64_t> number(const std::string& text) const {
        const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
        if (!digits || digits_are_text_) {
            return numbers_->parse(text);
        }
        std::int64_t id = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
        if (error != std::errc() || end != text.data() + text.size()) {
            return Error(Code::invalid_argument, Effect::none, "the number has more than 63 bits");
        }
        return id;
    }
    void print_json(const std::string& text, const Reading& reading) const {
        std::string line;
        JsonWriter json(line);
        json.open_object();
        if (reading.id.has_value()) {
            json.field("id", *reading.id);
        } else {
            json.field("text", std::string_view(text));
        }
        if (reading.parts.has_value()) {
            const WallTime time = time_of(generator_.layout(), *reading.parts);
            json.field("time", std::string_view(iso_of(time)))
                .field("timeMs", time.time_since_epoch().count())
                .field("machine", reading.parts->machine)
                .field("sequence", reading.parts->sequence);
        }
        json.close_object();
        std::printf("%s\n", line.c_str());
    }
    void print_words(const std::string& text, const Reading& reading) const {
        std::string words = text;
        if (reading.id.has_value() && std::to_string(*reading.id) != text) {
            words += "  number " + std::to_string(*reading.id);
        }
        if (reading.parts.has_value()) {
            words += "  time " + iso_of(time_of(generator_.layout(), *reading.parts)) +
                     "  machine " + std::to_string(reading.parts->machine) + "  sequence " +
                     std::to_string(reading.parts->sequence);
        }
        std::printf("%s\n", words.c_str());
    }

    GeneratorOptions generator_;
    bool digits_are_text_;
    std::unique_ptr<IdCodec> numbers_;
    std::unique_ptr<TextIdCodec> texts_;  // of the strategy string
};

// The generator whose ids are read. Nothing: a complaint was made.
std::optional<GeneratorOptions> chosen(const IdsParseArguments& arguments) {
    if (!arguments.layout.empty()) {
        auto generator = of_layout(arguments.layout);
        if (!generator.has_value()) {
            complain(
                "--layout: '" + arguments.layout +
                "' is none; allowed: snowflake, snowflake-second, js-safe, js-safe-second, string"
            );
        }
        return generator;
    }
    const Configuration configuration = read_configuration(arguments.configuration, false);
    for (const std::string& problem : configuration.problems) {
        complain(problem);
    }
    if (!configuration.problems.empty()) {
        return std::nullopt;
    }
    const std::string name = arguments.generator.empty() ? "default" : arguments.generator;
    if (const auto& ids = configuration.plan.ids; ids.has_value()) {
        for (const GeneratorOptions& generator : ids->generators()) {
            if (generator.name() == name) {
                return generator;
            }
        }
    }
    complain(
        name + ": no such generator; holdfast ids describe lists them, --layout does without one"
    );
    return std::nullopt;
}

// Lines of standard input, without their ends; empty ones are passed over.
bool next_line(std::string& line) {
    while (std::getline(std::cin, line)) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        if (!line.empty()) {
            return true;
        }
    }
    return false;
}

}  // namespace

int ids_parse(const IdsParseArguments& arguments) {
    auto generator = chosen(arguments);
    if (!generator.has_value()) {
        return exit_code::wrong_usage;
    }
    Reader reader(std::move(*generator), arguments.text);
    if (auto opened = reader.open(); !opened.ok()) {
        complain(std::string(opened.error().what()));
        return exit_code::wrong_usage;
    }
    bool all = true;
    const auto one = [&](const std::string& text) {
        auto reading = reader.read(text);
        if (reading.ok()) {
            reader.print(text, reading.value(), arguments.json);
            return;
        }
        all = false;
        complain(text.substr(0, line_bytes_max) + ": " + std::string(reading.error().what()));
    };
    std::ranges::for_each(arguments.ids, one);
    if (arguments.ids.empty()) {
        for (std::string line; next_line(line);) {
            one(line);
        }
    }
    return all ? exit_code::done : exit_code::no;
}

}  // namespace holdfast::app
