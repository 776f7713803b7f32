// holdfast ids parse: what ids tell, without asking anybody.

#include "commands.h"
#include "configuration.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/ids/generator_codec.h>
#include <holdfast/ids/parse.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iostream>

namespace holdfast::app {
namespace {

constexpr std::size_t line_bytes_max = 4'096;  // far above any id with its prefixes

std::optional<GeneratorOptions> of_layout(const std::string& word) {
    for (const NamedLayout& known : standard_layouts()) {
        if (known.name == word) {
            return known.layout.is_text() ? GeneratorOptions::string(word, known.layout)
                                          : GeneratorOptions::snowflake(word, known.layout);
        }
    }
    return std::nullopt;
}

std::string layout_words() {
    std::string words;
    for (const NamedLayout& known : standard_layouts()) {
        words += (words.empty() ? "" : ", ") + known.name;
    }
    return words;
}

// What one id tells.
struct Reading {
    std::optional<std::int64_t> id;
    std::optional<IdParts> parts;
};

class Reader {
public:
    Reader(GeneratorOptions generator, GeneratorCodec codec, bool digits_are_text)
        : generator_(std::move(generator)), codec_(std::move(codec)),
          digits_are_text_(digits_are_text) {}

    Result<Reading> read(const std::string& text) const {
        Reading reading;
        if (generator_.strategy() == IdStrategy::string) {
            auto parts = codec_.parse_parts(text);
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
            return codec_.parse(text);
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
    GeneratorCodec codec_;
    bool digits_are_text_;
};

// The generator whose ids are read. Nothing: a complaint was made.
std::optional<GeneratorOptions> chosen(const IdsParseArguments& arguments) {
    if (!arguments.layout.empty()) {
        auto generator = of_layout(arguments.layout);
        if (!generator.has_value()) {
            complain("--layout: '" + arguments.layout + "' is none; allowed: " + layout_words());
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
    auto codec = GeneratorCodec::make(*generator);
    if (!codec.ok()) {
        complain(std::string(codec.error().what()));
        return exit_code::wrong_usage;
    }
    const Reader reader(std::move(*generator), std::move(codec).value(), arguments.text);
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
