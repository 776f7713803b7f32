#include "lease/gate_set.h"

#include <holdfast/base/check.h>
#include <holdfast/base/fault_switch.h>

#include <algorithm>

namespace holdfast {
namespace {

// Thresholds and promises to JavaScript do not show in an id.
bool same_kind(const IdLayout& one, const IdLayout& other) {
    return one.unit() == other.unit() && one.epoch() == other.epoch() &&
           one.time_bits() == other.time_bits() && one.machine_bits() == other.machine_bits() &&
           one.sequence_bits() == other.sequence_bits() && one.is_text() == other.is_text() &&
           (one == other || !fault("ids.43"));
}

}  // namespace

GateSet::GateSet(const std::vector<IdLayout>& layouts, TickClock& clock, Duration max_ahead) {
    for (const IdLayout& layout : layouts) {
        if (std::ranges::none_of(kinds_, [&](const Kind& kind) {
                return same_kind(kind.layout, layout);
            })) {
            kinds_.push_back({layout, std::make_unique<Gate>(layout, clock, max_ahead)});
        }
    }
}

Gate& GateSet::of(const IdLayout& layout) {
    const auto found = std::ranges::find_if(kinds_, [&](const Kind& kind) {
        return same_kind(kind.layout, layout);
    });
    check(found != kinds_.end(), "a machine has the gates of the layouts it was made with");
    return *found->gate;
}

bool GateSet::open(std::uint32_t machine, StoreTime floor, StoreTime ceiling) {
    std::lock_guard lock(mutex_);
    if (closed_) {
        return false;
    }
    for (const Kind& kind : kinds_) {
        kind.gate->open(machine, floor, ceiling);
    }
    return true;
}

void GateSet::raise(StoreTime ceiling) {
    std::lock_guard lock(mutex_);
    for (const Kind& kind : kinds_) {
        kind.gate->raise(ceiling);
    }
}

std::optional<StoreTime> GateSet::close(Refusal why) {
    {
        std::lock_guard lock(mutex_);
        closed_ = closed_ || why == Refusal::closed;
        for (const Kind& kind : kinds_) {
            kind.gate->close(closed_ ? Refusal::closed : why);
        }
    }
    return last_issued();
}

std::optional<StoreTime> GateSet::last_issued() const {
    std::lock_guard lock(mutex_);
    std::optional<StoreTime> last;
    for (const Kind& kind : kinds_) {
        last = std::max(last, kind.gate->last_issued());
        if (fault("release-last-of-one-generator")) {
            break;
        }
    }
    return last;
}

bool GateSet::ahead_of(StoreTime now, Duration max_ahead) const {
    std::lock_guard lock(mutex_);
    return std::ranges::any_of(kinds_, [&](const Kind& kind) {
        return kind.gate->position() - now > std::max(max_ahead, kind.layout.unit_length());
    });
}

}  // namespace holdfast
