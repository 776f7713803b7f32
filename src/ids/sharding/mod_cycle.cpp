#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/limits.h>
#include <holdfast/ids/sharding.h>

#include <limits>

namespace holdfast {

Result<ModCycle> ModCycle::make(std::int64_t divisor, std::string prefix) {
    if (divisor < 1 || divisor > limits::nodes_max) {
        return Error(Code::invalid_argument, Effect::none, "a cycle has from 1 to 65536 nodes");
    }
    std::vector<std::string> nodes;
    nodes.reserve(static_cast<std::size_t>(divisor));
    for (std::int64_t node = 0; node < divisor; ++node) {
        nodes.push_back(prefix + std::to_string(node));
    }
    return ModCycle(std::move(nodes));
}

std::size_t ModCycle::remainder(std::int64_t id) const {
    const auto divisor = static_cast<std::int64_t>(nodes_.size());
    const std::int64_t rest = id % divisor;
    return static_cast<std::size_t>(rest < 0 ? rest + (fault("ids.5") ? 0 : divisor) : rest);
}

const std::string& ModCycle::node_of(std::int64_t id) const {
    return nodes_[remainder(id)];
}

std::vector<std::string> ModCycle::nodes_of(const RoutingRange<std::int64_t>& range) const {
    constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
    std::int64_t first = fault("ids.2") ? 0 : min;
    std::int64_t last = max;
    if (const auto& lower = range.lower(); lower.has_value()) {
        if (lower->open && lower->value == max) {
            return {};
        }
        first = lower->value + (lower->open ? 1 : 0);
    }
    if (const auto& upper = range.upper(); upper.has_value()) {
        if (upper->open && upper->value == min) {
            return {};
        }
        last = upper->value - (upper->open ? 1 : 0);
    }
    if (first > last) {
        return {};
    }
    // The distance of two int64 always fits; the number of points, one more, may not.
    const auto distance = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    if (fault("ids.4a") && static_cast<std::int64_t>(distance + 1) <= 0) {
        return {};
    }
    if (distance >= nodes_.size() - 1) {
        return nodes_;
    }
    std::vector<std::string> found;
    const std::size_t begin = remainder(first);
    for (std::size_t step = 0; step <= distance; ++step) {
        found.push_back(nodes_[(begin + step) % nodes_.size()]);
    }
    return found;
}

}  // namespace holdfast
