#pragma once
// Waiting for what servers of a test will say.

#include <live/raw_redis.h>

#include <string>

namespace holdfast::testing {

inline constexpr Duration asking_pace = std::chrono::milliseconds(5);  // leaves servers their core

// Asks until the condition holds; what fails to be asked does not hold. Throws RawFailure(what)
// once it has not held for so long.
template <class Condition>
void await(Condition condition, const std::string& what, Duration limit = patience) {
    const Deadline deadline = Deadline::in(limit, system_clock());
    std::string last;
    while (!deadline.passed(system_clock().steady_now())) {
        try {
            if (condition()) {
                return;
            }
            last.clear();
        } catch (const RawFailure& failure) {  // a server ends connections when its role changes
            last = std::string(": ") + failure.what();
        }
        poll(nullptr, 0, static_cast<int>(asking_pace.count()));
    }
    throw RawFailure(what + last);
}

}  // namespace holdfast::testing
