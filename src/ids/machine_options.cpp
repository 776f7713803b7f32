// The setters of a leased machine, and the words for what machines and generators are doing.

#include <holdfast/ids/generator.h>
#include <holdfast/ids/machine.h>

namespace holdfast {

LeasedMachine LeasedMachine::ttl(Duration ttl) && {
    ttl_ = ttl;
    return std::move(*this);
}
LeasedMachine LeasedMachine::tolerance(Duration tolerance) && {
    tolerance_ = tolerance;
    return std::move(*this);
}
LeasedMachine LeasedMachine::renew_interval(Duration time) && {
    renew_interval_ = time;
    return std::move(*this);
}
LeasedMachine LeasedMachine::limit(std::uint32_t slots) && {
    limit_ = slots;
    return std::move(*this);
}
LeasedMachine LeasedMachine::preferred(std::optional<Slot> slot) && {
    preferred_ = slot;
    return std::move(*this);
}
LeasedMachine LeasedMachine::max_ahead(Duration time) && {
    max_ahead_ = time;
    return std::move(*this);
}
LeasedMachine LeasedMachine::call_timeout(Duration time) && {
    call_timeout_ = time;
    return std::move(*this);
}

std::string_view name_of(LeaseState state) {
    switch (state) {
    case LeaseState::acquiring:
        return "acquiring";
    case LeaseState::leased:
        return "leased";
    case LeaseState::renewing_late:
        return "renewing_late";
    case LeaseState::lost:
        return "lost";
    case LeaseState::suspended:
        return "suspended";
    case LeaseState::closed:
        break;
    }
    return "closed";
}

bool is_time_based(IdStrategy strategy) {
    return strategy == IdStrategy::snowflake || strategy == IdStrategy::string;
}

std::string_view name_of(IdStrategy strategy) {
    switch (strategy) {
    case IdStrategy::snowflake:
        return "snowflake";
    case IdStrategy::string:
        return "string";
    case IdStrategy::segment:
        return "segment";
    case IdStrategy::periodic:
        break;
    }
    return "periodic";
}

std::string_view name_of(IdState state) {
    switch (state) {
    case IdState::issuing:
        return "issuing";
    case IdState::waiting:
        return "waiting";
    case IdState::sealed:
        return "sealed";
    case IdState::exhausted:
        return "exhausted";
    case IdState::lost:
        return "lost";
    case IdState::disabled:
        return "disabled";
    case IdState::closed:
        break;
    }
    return "closed";
}

}  // namespace holdfast
