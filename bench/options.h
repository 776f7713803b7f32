#pragma once
// The command line that every benchmark understands.

#include <cstdint>
#include <optional>
#include <string>

namespace holdfast::bench {

enum class Side : std::uint8_t { ours, peer };

struct Options {
    bool check = false;  // judge the bars: the exit code is 1 if one does not hold
    bool quick = false;  // few operations, two rounds, no judgement: does it still run?
    std::optional<std::uint64_t> rounds;
    std::string folder = "/var/tmp";  // of files whose fsync is measured: must be on a real disk
    std::string plot;                 // the folder that gets the turns of each case; empty: none
    std::string only;                 // cases whose name begins with this
    // One side once, with so many operations, and no report: for tools that count instructions.
    std::optional<Side> side;
    std::optional<std::uint64_t> operations;
};

// Ends the program with its usage: code 0 if it was asked for, 2 if an argument is wrong.
Options read_options(int argc, char** argv);

}  // namespace holdfast::bench
