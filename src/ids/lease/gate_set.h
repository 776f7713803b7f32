#pragma once
// The gates of one machine, one for each kind of number that its generators give out.

#include "lease/gate.h"

#include <holdfast/ids/layout.h>
#include <holdfast/store/slot_lease_store.h>

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace holdfast {

// Any thread.
class GateSet {
public:
    // The clock outlives it. One gate for layouts that differ in nothing that an id shows.
    GateSet(const std::vector<IdLayout>& layouts, TickClock& clock, Duration max_ahead);

    Gate& of(const IdLayout& layout);  // one of those given

    // False: they were closed for ever meanwhile, and stay so.
    bool open(std::uint32_t machine, StoreTime floor, StoreTime ceiling);
    void raise(StoreTime ceiling);
    // As Gate::close() of each; the latest time of all (rule L6). `closed` is for ever.
    std::optional<StoreTime> close(Refusal why);
    std::optional<StoreTime> last_issued() const;
    // Some gate stands so far above the clock that it may not go on.
    bool ahead_of(StoreTime now, Duration max_ahead) const;

private:
    struct Kind {
        IdLayout layout;
        std::unique_ptr<Gate> gate;
    };
    mutable std::mutex mutex_;
    std::vector<Kind> kinds_;
    bool closed_ = false;
};

}  // namespace holdfast
