#pragma once
// Waiting for what another process or thread will do.

#include <holdfast/base/time.h>

#include <poll.h>

namespace holdfast::testing {

inline constexpr Duration patience = std::chrono::seconds(20);  // a loaded machine under sanitizers

// Asks until the condition holds; false: it did not within the limit.
template <class Condition>
bool eventually(Condition condition, Duration limit = patience) {
    const Deadline deadline = Deadline::in(limit, system_clock());
    while (!condition()) {
        if (deadline.passed(system_clock().steady_now())) {
            return false;
        }
        poll(nullptr, 0, 1);
    }
    return true;
}

}  // namespace holdfast::testing
