#pragma once
// The life of leases, one phase after the other: acquire, renew, release.

#include "program.h"

#include <holdfast/io/runtime.h>
#include <holdfast/store/store.h>

namespace holdfast::bench {

// Adds three cases without a peer, each with so many callers.
void run_slot_cases(Program& program, Runtime& runtime, Store& store, std::size_t callers);

}  // namespace holdfast::bench
