#include "options.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace holdfast::bench {
namespace {

constexpr const char* usage =
    "usage: %s [--check] [--quick] [--rounds N] [--folder PATH] [--only CASE]\n"
    "          [--plot FOLDER] [--side ours|peer] [--operations N]\n"
    "  --check       say which bars hold; exit 1 if one does not\n"
    "  --quick       few operations, no judgement\n"
    "  --rounds N    turns of each side\n"
    "  --folder PATH where files are made and removed again; must be on a real disk (/var/tmp)\n"
    "  --only CASE   cases whose name begins so\n"
    "  --plot FOLDER the turns of each case as a table, which bench/plot.py draws\n"
    "  --side, --operations  run one side once, so many operations, for tools that count\n";

[[noreturn]] void end_with_usage(const char* program, int code) {
    std::fprintf(code == 0 ? stdout : stderr, usage, program);
    std::exit(code);
}

std::optional<std::uint64_t> positive(std::string_view text) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number == 0) {
        return std::nullopt;
    }
    return number;
}

std::optional<Side> side_of(std::string_view text) {
    if (text == "ours") {
        return Side::ours;
    }
    if (text == "peer") {
        return Side::peer;
    }
    return std::nullopt;
}

// Takes an option that has a value; false: it is none, or the value is wrong.
bool take(Options& options, std::string_view name, std::string_view value) {
    if (name == "--folder" || name == "--only") {
        (name == "--folder" ? options.folder : options.only) = value;
        return !value.empty();
    }
    if (name == "--plot") {
        options.plot = value;
        return !value.empty();
    }
    if (name == "--side") {
        options.side = side_of(value);
        return options.side.has_value();
    }
    if (name == "--rounds") {
        options.rounds = positive(value);
        return options.rounds.has_value();
    }
    if (name == "--operations") {
        options.operations = positive(value);
        return options.operations.has_value();
    }
    return false;
}

}  // namespace

Options read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view name = argv[i];
        if (name == "--help") {
            end_with_usage(argv[0], 0);
        } else if (name == "--check") {
            options.check = true;
        } else if (name == "--quick") {
            options.quick = true;
        } else if (i + 1 < argc && take(options, name, argv[i + 1])) {
            ++i;
        } else {
            end_with_usage(argv[0], 2);
        }
    }
    return options;
}

}  // namespace holdfast::bench
