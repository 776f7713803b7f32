#include "lease/machine_rules.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/limits.h>
#include <holdfast/store/limits.h>

#include <algorithm>

namespace holdfast {
namespace {

using Problem = std::optional<OptionProblem>;

Result<Done> refused(std::string_view what) {
    return Error(Code::invalid_argument, Effect::none, what);
}

template <class T>
bool within(T value, T lowest, T highest) {
    return (lowest <= value || fault("ids.35")) && value <= highest;
}

Result<Done> check_layouts(const std::vector<IdLayout>& layouts) {
    for (const IdLayout& layout : layouts) {
        auto sound = layout.check();
        if (!sound.ok()) {
            return sound;
        }
        if (layout.time_bits() + layout.sequence_bits() > limits::id_bits_max) {
            return refused("time and sequence have at most 63 bits together");
        }
    }
    return Done();
}

Problem problem_of_times(const LeasedMachine& options) {
    if (!within(options.ttl(), limits::ttl_min, limits::ttl_max)) {
        return OptionProblem{"ttl", "the lease's ttl is from 100ms to 1h"};
    }
    if (!within(options.tolerance(), Duration::zero(), limits::tolerance_max)) {
        return OptionProblem{"tolerance", "the tolerance is from 0ms to 1m"};
    }
    if (!within(options.renew_interval(), limits::renew_interval_min, options.ttl() / 2)) {
        return OptionProblem{
            "renew-interval",
            "the renew interval is at least 10ms and at most half of the ttl: a renewal that fails "
            "must be tried again in time"
        };
    }
    if (!within(options.call_timeout(), Duration(1), limits::machine_call_timeout_max)) {
        return OptionProblem{"call-timeout", "the time of one call is from 1ms to 1m"};
    }
    if (!within(options.max_ahead(), Duration::zero(), limits::max_ahead_max)) {
        return OptionProblem{"max-ahead", "max-ahead is from 0ms to 1m"};
    }
    return std::nullopt;
}

Problem problem_of_slots(const LeasedMachine& options, std::uint32_t machines) {
    const std::uint32_t limit = options.limit().value_or(machines);
    if (!within<std::uint32_t>(limit, 1, limits::slot_limit_max)) {
        return OptionProblem{"limit", "the limit of slots is from 1 to 65536"};
    }
    if (limit > machines) {
        return OptionProblem{
            "limit",
            "the limit of slots is above 2^(machine bits) of a generator: a slot would not fit "
            "into its ids"
        };
    }
    if (options.preferred().has_value() && options.preferred()->value() >= limit) {
        return OptionProblem{
            "preferred-slot", "the preferred slot is not below the limit of slots"
        };
    }
    return std::nullopt;
}

// A window that may hold no whole tick would leave a process without ids by chance.
Problem problem_of_windows(const LeasedMachine& options, const std::vector<IdLayout>& layouts) {
    for (const IdLayout& layout : layouts) {
        if (options.ttl() + options.tolerance() < 2 * layout.unit_length()) {
            return OptionProblem{
                "ttl", "ttl and tolerance together are shorter than two ticks of a generator"
            };
        }
    }
    return std::nullopt;
}

}  // namespace

std::uint32_t machines_of(const std::vector<IdLayout>& layouts) {
    std::int64_t most = limits::slot_limit_max;
    for (const IdLayout& layout : layouts) {
        most = std::min(most, layout.machine_max() + 1);
    }
    return static_cast<std::uint32_t>(most);
}

Problem problem_of(const LeasedMachine& options, const std::vector<IdLayout>& layouts) {
    Problem problem = problem_of_times(options);
    if (!problem.has_value()) {
        problem = problem_of_slots(options, machines_of(layouts));
    }
    if (!problem.has_value()) {
        problem = problem_of_windows(options, layouts);
    }
    return problem;
}

Result<Done> check_machine(const LeasedMachine& options, const std::vector<IdLayout>& layouts) {
    auto sound = check_layouts(layouts);
    if (!sound.ok()) {
        return sound;
    }
    if (const Problem problem = problem_of(options, layouts); problem.has_value()) {
        return refused(problem->what);
    }
    return Done();
}

Result<Done> check_machine(const ManualMachine& options, const std::vector<IdLayout>& layouts) {
    auto sound = check_layouts(layouts);
    if (sound.ok() && options.id >= machines_of(layouts)) {
        return refused("the machine's number is wider than a layout's machine bits");
    }
    return sound;
}

}  // namespace holdfast
