#pragma once
// Runs cases: the two sides of each take turns (ours, peer, ours, peer, ..), so that what the
// machine does meanwhile meets both.

#include "options.h"
#include "report.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace holdfast::bench {

// Does so many operations and says how long they took.
using RunSide = std::function<Run(std::uint64_t operations)>;

class Case {
public:
    explicit Case(std::string name) { measured_.name = std::move(name); }

    // `operations`: of one turn, so many that it takes about half a second.
    Case& ours(std::string name, std::uint64_t operations, RunSide run) {
        measured_.ours = std::move(name);
        our_operations_ = operations;
        ours_ = std::move(run);
        return *this;
    }
    Case& peer(std::string name, std::uint64_t operations, RunSide run) {
        measured_.peer = std::move(name);
        peer_operations_ = operations;
        peer_ = std::move(run);
        return *this;
    }
    // The median of the turns' ratios.
    Case& ratio_at_least(double limit) { return bar("ratio", Bar::Kind::at_least, limit); }
    Case& counter_at_most(std::string name, double limit) {
        return bar(std::move(name), Bar::Kind::at_most, limit);
    }
    Case& counter_at_least(std::string name, double limit) {
        return bar(std::move(name), Bar::Kind::at_least, limit);
    }

private:
    friend class Program;
    Case& bar(std::string what, Bar::Kind kind, double limit) {
        measured_.bars.push_back({std::move(what), kind, limit});
        return *this;
    }

    Measured measured_;
    RunSide ours_;
    RunSide peer_;
    std::uint64_t our_operations_ = 0;
    std::uint64_t peer_operations_ = 0;
};

class Program {
public:
    Program(std::string name, Options options)
        : name_(std::move(name)), options_(std::move(options)) {}

    const Options& options() const { return options_; }
    // Whether the options ask for the case: others need not be prepared.
    bool wants(const std::string& name) const;
    void run(Case subject);
    // The JSON lines and the exit code: 1 if a bar is judged and missed.
    int finish() const;

private:
    void take_turns(Case& subject) const;
    void run_one_side(const Case& subject) const;

    std::string name_;
    Options options_;
    std::vector<std::string> lines_;
    std::vector<std::string> missed_;
};

}  // namespace holdfast::bench
