#pragma once
// SIGTERM, SIGINT, SIGHUP as awaits. One object a signal and process; while it lives the signal
// does nothing else.

#include <holdfast/io/loop.h>

#include <memory>
#include <vector>

namespace holdfast {

// Belongs to the loop it was opened on: loop thread only; destroyed on any thread, before its
// runtime.
class Signals {
public:
    virtual ~Signals() = default;
    // The number of the next signal; those that came while nobody waited are kept. One at a time.
    // `cancelled`, none.
    virtual Task<int> next() = 0;
};

// Any thread. `invalid_argument`: a number that cannot be caught; `unsupported`: a virtual loop.
Result<std::unique_ptr<Signals>> open_signals(Loop& loop, const std::vector<int>& numbers);

}  // namespace holdfast
