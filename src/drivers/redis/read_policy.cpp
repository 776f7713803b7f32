#include "read_policy.h"

#include <holdfast/redis/client_limits.h>

namespace holdfast::redis {
namespace {

// The next replica that is fit; 0: none is.
template <class Fit>
std::size_t next_replica(std::span<const ReadHealth* const> nodes, ReadTurn& turn, const Fit& fit) {
    for (std::size_t tried = 1; tried < nodes.size(); ++tried) {
        turn.last = turn.last + 1 < nodes.size() ? turn.last + 1 : 1;
        if (fit(*nodes[turn.last])) {
            return turn.last;
        }
    }
    return 0;
}

}  // namespace

void ReadHealth::measured(double seconds) {
    const double before = round_trip_.value_or(seconds);
    round_trip_ = before + (seconds - before) * round_trip_weight;
}

std::size_t
ReadPolicy::choose(std::span<const ReadHealth* const> nodes, ReadTurn& turn, SteadyTime now) const {
    const auto usable = [now](const ReadHealth& node) {
        return node.usable(now);
    };
    switch (from_) {
    case ReadFrom::primary:
        return 0;
    case ReadFrom::prefer_replica:
        return next_replica(nodes, turn, usable);
    case ReadFrom::nearest:
        return nearest(nodes, turn, now);
    case ReadFrom::zone:
        break;
    }
    const std::size_t near = next_replica(nodes, turn, [&](const ReadHealth& node) {
        return node.usable(now) && node.zone() == zone_;
    });
    if (near != 0 || (nodes[0] != nullptr && nodes[0]->zone() == zone_)) {
        return near;
    }
    return next_replica(nodes, turn, usable);
}

// Another one only if it is nearer by more than what measurements differ anyway.
std::size_t
ReadPolicy::nearest(std::span<const ReadHealth* const> nodes, ReadTurn& turn, SteadyTime now) {
    const auto far = [&](std::size_t at) {
        const bool known = at < nodes.size() && nodes[at] != nullptr && nodes[at]->usable(now);
        return known ? nodes[at]->round_trip() : std::nullopt;
    };
    const std::optional<double> current = far(turn.nearest);
    std::size_t best = current.has_value() ? turn.nearest : 0;
    std::optional<double> least = current;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        const std::optional<double> seconds = far(at);
        if (seconds.has_value() && (!least.has_value() || *seconds < *least)) {
            best = at;
            least = seconds;
        }
    }
    const bool worth_it = !current.has_value() || *least < *current * (1 - nearer_by_part);
    turn.nearest = worth_it ? best : turn.nearest;
    return turn.nearest;
}

}  // namespace holdfast::redis
