#include "report.h"

#include <holdfast/codec/json_writer.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace holdfast::bench {
namespace {

// Above this share of the machine used by others a figure is only rough.
constexpr double foreign_share_max = 0.10;

Spread rates_of(const std::vector<Run>& runs) {
    std::vector<double> rates;
    for (const Run& run : runs) {
        rates.push_back(run.rate());
    }
    return spread_of(std::move(rates));
}

double counter_of(const std::vector<Run>& runs, const std::string& name) {
    std::vector<double> values;
    for (const Run& run : runs) {
        const auto found = run.counters.find(name);
        if (found != run.counters.end()) {
            values.push_back(found->second);
        }
    }
    return spread_of(std::move(values)).median;
}

MachineLoad worst_of(const std::vector<MachineLoad>& loads) {
    MachineLoad worst;
    for (const MachineLoad& load : loads) {
        worst.foreign = std::max(worst.foreign, load.foreign);
        worst.steal = std::max(worst.steal, load.steal);
    }
    return worst;
}

void print_side(const std::string& name, const std::vector<Run>& runs) {
    const Spread rates = rates_of(runs);
    std::printf(
        "  %-34s %12.0f/s  [%.0f..%.0f]  %.1f ns each\n",
        name.c_str(),
        rates.median,
        rates.min,
        rates.max,
        1e9 / rates.median
    );
    for (const auto& [counter, value] : runs.front().counters) {
        std::printf("    %-32s %12.3f\n", counter.c_str(), counter_of(runs, counter));
    }
}

void write_spread(JsonWriter& json, const char* name, const Spread& spread) {
    json.name(name).open_object();
    json.name("median").real(spread.median).name("min").real(spread.min);
    json.name("max").real(spread.max).close_object();
}

void write_side(
    JsonWriter& json, const char* side, const std::string& name, const std::vector<Run>& runs
) {
    json.name(side).open_object().field("name", name);
    write_spread(json, "per_second", rates_of(runs));
    json.name("counters").open_object();
    for (const auto& [counter, value] : runs.front().counters) {
        json.name(counter).real(counter_of(runs, counter));
    }
    json.close_object().close_object();
}

const char* sign_of(Bar::Kind kind) {
    return kind == Bar::Kind::at_least ? ">=" : "<=";
}

}  // namespace

Spread spread_of(std::vector<double> values) {
    if (values.empty()) {
        return {};
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    return {median, values.front(), values.back()};
}

Spread Measured::ratio() const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < peer_runs.size(); ++i) {
        ratios.push_back(our_runs[i].rate() / peer_runs[i].rate());
    }
    return spread_of(std::move(ratios));
}

std::vector<Verdict> judge(const Measured& measured) {
    std::vector<Verdict> verdicts;
    for (const Bar& bar : measured.bars) {
        const double figure =
            bar.what == "ratio" ? measured.ratio().median : counter_of(measured.our_runs, bar.what);
        const bool holds =
            bar.kind == Bar::Kind::at_least ? figure >= bar.limit : figure <= bar.limit;
        verdicts.push_back({bar, figure, holds});
    }
    return verdicts;
}

void print(const Measured& measured, bool judged) {
    std::printf("%s (%zu turns)\n", measured.name.c_str(), measured.our_runs.size());
    print_side(measured.ours, measured.our_runs);
    if (!measured.peer_runs.empty()) {
        print_side(measured.peer, measured.peer_runs);
        const Spread ratio = measured.ratio();
        std::printf("  ratio %.3f [%.3f..%.3f]\n", ratio.median, ratio.min, ratio.max);
    }
    const MachineLoad worst = worst_of(measured.loads);
    std::printf(
        "  other processes %.0f %%, steal %.0f %% of the machine at worst%s\n",
        worst.foreign * 100,
        worst.steal * 100,
        worst.foreign > foreign_share_max ? ": the figures are rough" : ""
    );
    for (const Verdict& verdict : judge(measured)) {
        std::printf(
            "  bar %s %s %g: %s\n",
            verdict.bar.what.c_str(),
            sign_of(verdict.bar.kind),
            verdict.bar.limit,
            !judged         ? "not judged"
            : verdict.holds ? "holds"
                            : "MISSED"
        );
    }
    (void)std::fflush(stdout);
}

bool write_turns(const std::string& folder, const std::string& program, const Measured& measured) {
    const std::string title = program + " " + measured.name;
    std::string name;
    for (const char c : title) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (plain || (!name.empty() && name.back() != '-')) {
            name.push_back(plain ? c : '-');
        }
    }
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    std::ofstream file(std::filesystem::path(folder) / (name + ".tsv"));
    file << "# " << title << "\nturn\tours\tpeer\tratio\n";
    for (std::size_t i = 0; i < measured.our_runs.size(); ++i) {
        const double ours = measured.our_runs[i].rate();
        file << i + 1 << '\t' << ours << '\t';
        if (i < measured.peer_runs.size()) {
            const double peer = measured.peer_runs[i].rate();
            file << peer << '\t' << ours / peer;
        } else {
            file << '\t';
        }
        file << '\n';
    }
    file.close();
    return file.good();
}

std::string json_line(const std::string& program, const Measured& measured, bool judged) {
    std::string line;
    JsonWriter json(line);
    json.open_object().field("bench", program).field("case", measured.name);
    json.field("turns", static_cast<std::uint64_t>(measured.our_runs.size()));
    write_side(json, "ours", measured.ours, measured.our_runs);
    if (!measured.peer_runs.empty()) {
        write_side(json, "peer", measured.peer, measured.peer_runs);
        write_spread(json, "ratio", measured.ratio());
    }
    const MachineLoad worst = worst_of(measured.loads);
    json.name("foreign_share_max").real(worst.foreign).name("steal_share_max").real(worst.steal);
    json.name("bars").open_array();
    for (const Verdict& verdict : judge(measured)) {
        json.open_object().field("what", verdict.bar.what);
        json.field("sign", sign_of(verdict.bar.kind)).name("limit").real(verdict.bar.limit);
        json.name("figure").real(verdict.figure).name("holds");
        (judged ? json.boolean(verdict.holds) : json.null()).close_object();
    }
    json.close_array().close_object();
    return line;
}

}  // namespace holdfast::bench
