#pragma once
// What was measured, as lines for people and as one JSON object a case.

#include "machine.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::bench {

// One turn of one side.
struct Run {
    std::uint64_t operations = 0;
    double seconds = 0;
    std::map<std::string, double> counters;  // by name; the report shows their medians

    double rate() const { return static_cast<double>(operations) / seconds; }
};

// What a figure is held to. `what`: "ratio", or the name of a counter of our side.
struct Bar {
    enum class Kind : std::uint8_t { at_least, at_most };
    std::string what;
    Kind kind;
    double limit;
};

struct Spread {
    double median = 0;
    double min = 0;
    double max = 0;
};
Spread spread_of(std::vector<double> values);

// A case after its turns. Turn i of one side stands beside turn i of the other.
struct Measured {
    std::string name;
    std::string ours;
    std::string peer;  // empty: measured alone
    std::vector<Run> our_runs;
    std::vector<Run> peer_runs;
    std::vector<MachineLoad> loads;  // one a turn
    std::vector<Bar> bars;

    // Our rate over the peer's of the same turn: above 1 we are faster.
    Spread ratio() const;
};

struct Verdict {
    Bar bar;
    double figure;
    bool holds;
};
std::vector<Verdict> judge(const Measured& measured);

void print(const Measured& measured, bool judged);
// The turns as FOLDER/PROGRAM-CASE.tsv, for bench/plot.py. False: it could not be written.
bool write_turns(const std::string& folder, const std::string& program, const Measured& measured);
std::string json_line(const std::string& program, const Measured& measured, bool judged);

}  // namespace holdfast::bench
