// holdfast_sim: runs worlds of given seeds and says what went wrong.

#include "world.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/base/time.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

namespace holdfast::sim {
namespace {

constexpr const char* usage =
    "usage: holdfast_sim [--seeds A..B | --seed N] [--trace] [--twice] [--first]\n"
    "  --seeds A..B  these worlds, both included; default 1..100\n"
    "  --seed N      one world; with --trace every event of it\n"
    "  --twice       each world twice: its trace hash must be the same\n"
    "  --first       stops at the first seed with something wrong\n"
    "  --fault NAME  a broken variant (the program holdfast_sim_faults only)\n"
    "exit status: 0 nothing is wrong, 1 something is, 2 wrong usage\n";
constexpr Duration progress_each{5'000};

struct Arguments {
    std::uint64_t first = 1;
    std::uint64_t last = 100;
    bool traces = false;
    bool twice = false;
    bool stops_at_first = false;
    const char* fault_name = "";
};

std::optional<std::uint64_t> number_of(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

bool read_seeds(Arguments& arguments, std::string_view text) {
    const std::size_t dots = text.find("..");
    const auto first = number_of(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : number_of(text.substr(dots + 2));
    if (!first || !last || *last < *first) {
        return false;
    }
    arguments.first = *first;
    arguments.last = *last;
    return true;
}

bool read_arguments(Arguments& arguments, int count, char** values) {
    for (int i = 1; i < count; ++i) {
        const std::string_view name = values[i];
        const bool has_value = i + 1 < count;
        if (name == "--trace") {
            arguments.traces = true;
        } else if (name == "--twice") {
            arguments.twice = true;
        } else if (name == "--first") {
            arguments.stops_at_first = true;
        } else if ((name == "--seeds" || name == "--seed") && has_value) {
            if (!read_seeds(arguments, values[++i])) {
                return false;
            }
#ifdef HOLDFAST_FAULTS
        } else if (name == "--fault" && has_value) {
            arguments.fault_name = values[++i];
            fault_on = arguments.fault_name;
#endif
        } else {
            return false;
        }
    }
    return true;
}

unsigned long long wide(std::uint64_t number) {
    return number;
}

class Report {
public:
    explicit Report(const Arguments& arguments)
        : arguments_(arguments), begin_(system_clock().steady_now()), told_(begin_) {}

    void add(std::uint64_t seed, const Verdict& verdict) {
        ++seeds_;
        totals_ += verdict.totals;
        hash_ = (hash_ ^ verdict.trace_hash) * 1099511628211U;
        for (const std::string& wrong : verdict.wrongs) {
            std::printf("seed %llu: %s\n", wide(seed), wrong.c_str());
        }
        // A broken variant is caught by what it breaks, not by somebody who noticed in time.
        const bool right = *arguments_.fault_name == '\0';
        for (const std::string& alarm : verdict.alarms) {
            ++alarms_;
            if (right) {
                std::printf("seed %llu: %s\n", wide(seed), alarm.c_str());
            }
        }
        if (!verdict.wrongs.empty() || (right && !verdict.alarms.empty())) {
            ++bad_;
            std::printf("seed %llu: repeat with --seed %llu --trace", wide(seed), wide(seed));
            if (*arguments_.fault_name != '\0') {
                std::printf(" --fault %s", arguments_.fault_name);
            }
            std::printf("\n");
        }
    }
    void differs(std::uint64_t seed) {
        ++bad_;
        std::printf("seed %llu: the second run took another course\n", wide(seed));
    }
    void progress(std::uint64_t seed) {
        const SteadyTime now = system_clock().steady_now();
        if (now - told_ >= progress_each) {
            told_ = now;
            std::printf(
                "seed %llu of %llu..%llu, %llu events, %llu ids, %llu bad\n",
                wide(seed),
                wide(arguments_.first),
                wide(arguments_.last),
                wide(totals_.events),
                wide(totals_.time_ids + totals_.range_ids),
                wide(bad_)
            );
            std::fflush(stdout);
        }
    }
    bool any_bad() const { return bad_ != 0; }
    int finish() const {
        const double seconds =
            static_cast<double>((system_clock().steady_now() - begin_).count()) / 1'000;
        std::printf(
            "seeds %llu, bad %llu, alarms %llu, virtual seconds %llu, events %llu, time ids %llu, "
            "range ids "
            "%llu, "
            "calls refused %llu,\n"
            "sessions %llu, not opened %llu, releases %llu, leases lost %llu, crashes %llu, pauses "
            "%llu, clock jumps %llu, store restarts %llu,\n"
            "messages %llu, lost %llu, late %llu, executed twice %llu, trace hash %016llx\n",
            wide(seeds_),
            wide(bad_),
            wide(alarms_),
            wide(totals_.virtual_ms / 1'000),
            wide(totals_.events),
            wide(totals_.time_ids),
            wide(totals_.range_ids),
            wide(totals_.refused),
            wide(totals_.sessions),
            wide(totals_.not_opened),
            wide(totals_.releases),
            wide(totals_.leases_lost),
            wide(totals_.crashes),
            wide(totals_.pauses),
            wide(totals_.clock_jumps),
            wide(totals_.store_restarts),
            wide(totals_.messages),
            wide(totals_.messages_lost),
            wide(totals_.messages_late),
            wide(totals_.executed_twice),
            wide(hash_)
        );
        std::printf(
            "%.1f s, %.2f M events/s, %.0f times real time\n",
            seconds,
            static_cast<double>(totals_.events) / 1e6 / seconds,
            static_cast<double>(totals_.virtual_ms) / 1e3 / seconds
        );
        return bad_ == 0 ? 0 : 1;
    }

private:
    const Arguments& arguments_;
    SteadyTime begin_;
    SteadyTime told_;
    std::uint64_t seeds_ = 0;
    std::uint64_t bad_ = 0;
    std::uint64_t alarms_ = 0;
    std::uint64_t hash_ = 14695981039346656037U;
    Totals totals_;
};

int run(const Arguments& arguments) {
    Report report(arguments);
    for (std::uint64_t seed = arguments.first; seed <= arguments.last; ++seed) {
        const Verdict verdict = run_world(seed, arguments.traces);
        report.add(seed, verdict);
        if (arguments.twice && run_world(seed, false).trace_hash != verdict.trace_hash) {
            report.differs(seed);
        }
        report.progress(seed);
        if (arguments.stops_at_first && report.any_bad()) {
            break;
        }
    }
    return report.finish();
}

}  // namespace
}  // namespace holdfast::sim

int main(int count, char** values) {
    holdfast::sim::Arguments arguments;
    if (!holdfast::sim::read_arguments(arguments, count, values)) {
        std::fputs(holdfast::sim::usage, stderr);
        return 2;
    }
    return holdfast::sim::run(arguments);
}
