#pragma once
// Generators that live on reserved ranges: segment and periodic. What the runtime of ids needs of
// them beside the verbs.

#include <holdfast/ids/generator.h>
#include <holdfast/ids/id_runtime.h>
#include <holdfast/ids/options.h>
#include <holdfast/io/runtime.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/metrics.h>
#include <holdfast/store/range_store.h>

#include <memory>
#include <vector>

namespace holdfast {

// Any thread, unless a line says otherwise. Not destroyed on a loop thread, nor while a call runs.
class RangeGenerator : public IdGenerator {
public:
    // Fetches the first ranges where the mode fetches ahead, waiting up to the deadline, and starts
    // what fetches the next. An answer of the store is never an error here: a store that is away,
    // or a key that was ended, shows in info() and in the answers of the verbs. Once. Any loop.
    virtual Task<Done> open(Deadline deadline) = 0;
    // From its begin on every verb answers `closed`. Waits for reservations that are under way; at
    // the deadline they are asked to stop. What was not given out is burnt. Again: does nothing.
    // Any loop.
    virtual Task<Done> close(Deadline deadline) = 0;

    virtual std::vector<RangeInfo> ranges() const = 0;
    // The store answered a range below one that it had given before: it has lost a write.
    virtual bool rollback_suspected() const = 0;
};

// Store, runtime, clock, metrics and log outlive it; metrics read it until they are gone. The keys
// are `{namespace}/{generator}`, with `@{period}` behind it where the strategy is periodic.
// invalid_argument, none: step, offset, distance, name or codec options; what() names which.
Result<std::unique_ptr<RangeGenerator>> make_range_generator(
    const GeneratorOptions& options,
    const Namespace& name,
    RangeStore& store,
    Runtime& runtime,
    const Clock& clock,
    Metrics& metrics,
    Log& log
);

}  // namespace holdfast
