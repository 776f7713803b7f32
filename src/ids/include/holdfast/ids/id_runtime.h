#pragma once
// Generators by name, with the lease and the ranges they live on.

#include <holdfast/ids/generator.h>
#include <holdfast/ids/machine.h>
#include <holdfast/ids/options.h>
#include <holdfast/io/runtime.h>
#include <holdfast/observe/log.h>
#include <holdfast/observe/metrics.h>
#include <holdfast/store/store.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct IdStore {
    std::string name;
    Store* store;
};
using IdStores = std::vector<IdStore>;  // the first is the default

// Ranges in hand, for /actuator/cosid.
struct RangeInfo {
    std::string key;
    std::uint64_t issued = 0;
    std::int64_t prefetched = 0;
};

// Any thread, unless a line says otherwise. Destroyed without close(): nothing is sent, as when the
// process dies; the lease runs out by itself. Not destroyed on a loop thread.
class IdRuntime {
public:
    virtual ~IdRuntime() = default;

    // Null: no generator has that name. The same object for the same name, as long as this lives.
    virtual IdGenerator* find(std::string_view name) = 0;
    virtual std::vector<GeneratorInfo> generators() const = 0;
    virtual std::vector<LeaseInfo> leases() const = 0;  // none: no machine, or a manual one
    virtual std::vector<RangeInfo> ranges() const = 0;
    // The operator's number, where the machine is manual: uniqueness rests on the operator.
    virtual std::optional<std::uint32_t> manual_machine() const = 0;
    // Some lease or range suggests that a store has lost an acknowledged write.
    virtual bool rollback_suspected() const = 0;

    // Called for each change from now on; the listener outlives the runtime.
    virtual void listen(LeaseListener& listener) = 0;

    // Closes the gates, releases the lease with what was issued last, stops the prefetchers. From
    // its begin on generators answer `closed`. An error says only that the lease is left to run
    // out. Again: does nothing. Any loop.
    virtual Task<Done> close(Deadline deadline) = 0;
};

// How many machines fit into the ids of every time-based generator: 2^(fewest machine bits), at
// most 65,536. The limit of slots where a leased machine says none.
std::uint32_t machine_limit(const IdRuntimeOptions& options);

// What open_id_runtime refuses before it asks anything of a store: names, layouts, limits, pairs of
// options, and `stores` as the names there are. invalid_argument, none: what() says what is wrong
// and what is allowed; the context's server_text names the generator (empty: the machine), its
// command the option, spelled as in the settings.
Result<Done>
check_id_options(const IdRuntimeOptions& options, const std::vector<std::string>& stores);

// Validates everything, acquires the lease (up to the deadline), fetches first ranges, starts what
// runs by itself on `runtime`. Stores, runtime, metrics and log outlive it; metrics read it until
// they are gone.
//   invalid_argument, none  a name, a layout, a limit or a pair of options; what() names it, the
//                           context's server_text names the generator
//   timed_out, unreachable  no lease in time: time-based ids are never issued without one
//   overloaded              every slot of the namespace is leased
Task<std::unique_ptr<IdRuntime>> open_id_runtime(
    IdRuntimeOptions options,
    IdStores stores,
    Runtime& runtime,
    Metrics& metrics,
    Log& log,
    Deadline deadline
);

}  // namespace holdfast
