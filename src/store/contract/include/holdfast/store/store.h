#pragma once
// A backend: both halves of the contract over one connection to one place.

#include <holdfast/store/range_store.h>
#include <holdfast/store/slot_lease_store.h>

#include <string_view>

namespace holdfast {

class Store {
public:
    virtual ~Store() = default;
    virtual RangeStore& ranges() = 0;
    virtual SlotLeaseStore& slots() = 0;
    virtual std::string_view type() const = 0;  // "memory", "sqlite", "redis", ..

    // Whether the store answers now; for readiness, never for liveness. Any loop of the store's
    // runtime.
    virtual Task<Done> probe(Deadline deadline) = 0;
};

}  // namespace holdfast
