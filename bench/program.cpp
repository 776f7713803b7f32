#include "program.h"

#include <algorithm>
#include <cstdio>

namespace holdfast::bench {
namespace {

constexpr std::uint64_t turns_default = 11;  // odd: the median is one of them
constexpr std::uint64_t turns_quick = 2;
constexpr std::uint64_t quick_part = 200;  // of the operations of a whole turn
constexpr std::uint64_t warm_part = 10;

}  // namespace

bool Program::wants(const std::string& name) const {
    return name.starts_with(options_.only);
}

void Program::run(Case subject) {
    if (!wants(subject.measured_.name)) {
        return;
    }
    if (options_.side.has_value()) {
        run_one_side(subject);
        return;
    }
    take_turns(subject);
    const bool judged = options_.check && !options_.quick;
    print(subject.measured_, judged);
    if (!options_.plot.empty() && !write_turns(options_.plot, name_, subject.measured_)) {
        std::fprintf(stderr, "%s: the turns cannot be written\n", options_.plot.c_str());
    }
    lines_.push_back(json_line(name_, subject.measured_, judged));
    for (const Verdict& verdict : judge(subject.measured_)) {
        if (judged && !verdict.holds) {
            missed_.push_back(subject.measured_.name + ": " + verdict.bar.what);
        }
    }
}

void Program::take_turns(Case& subject) const {
    std::uint64_t turns = options_.rounds.value_or(options_.quick ? turns_quick : turns_default);
    const auto sized = [&](std::uint64_t operations) {
        return options_.quick ? std::max<std::uint64_t>(1, operations / quick_part) : operations;
    };
    const std::uint64_t ours = sized(subject.our_operations_);
    const std::uint64_t peers = sized(subject.peer_operations_);
    (void)subject.ours_(std::max<std::uint64_t>(1, ours / warm_part));
    if (subject.peer_) {
        (void)subject.peer_(std::max<std::uint64_t>(1, peers / warm_part));
    }
    for (; turns > 0; --turns) {
        const CpuTimes begin = cpu_times();
        subject.measured_.our_runs.push_back(subject.ours_(ours));
        if (subject.peer_) {
            subject.measured_.peer_runs.push_back(subject.peer_(peers));
        }
        subject.measured_.loads.push_back(load_between(begin, cpu_times()));
    }
}

void Program::run_one_side(const Case& subject) const {
    const bool ours = *options_.side == Side::ours;
    const RunSide& run = ours ? subject.ours_ : subject.peer_;
    if (!run) {
        return;
    }
    const std::uint64_t usual = ours ? subject.our_operations_ : subject.peer_operations_;
    const Run once = run(options_.operations.value_or(usual));
    std::printf(
        "%s %s: %llu operations, %.1f ns each\n",
        subject.measured_.name.c_str(),
        ours ? "ours" : "peer",
        static_cast<unsigned long long>(once.operations),
        1e9 / once.rate()
    );
}

int Program::finish() const {
    for (const std::string& line : lines_) {
        std::printf("%s\n", line.c_str());
    }
    for (const std::string& bar : missed_) {
        std::printf("missed: %s\n", bar.c_str());
    }
    return missed_.empty() ? 0 : 1;
}

}  // namespace holdfast::bench
