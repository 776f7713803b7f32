#pragma once
// The runtime of ids that a plan asks for, over stores that are open.

#include "opened_stores.h"

#include <holdfast/ids/id_runtime.h>
#include <holdfast/observe/log.h>

#include <memory>
#include <string>
#include <variant>

namespace holdfast::app {

struct IdsProblem {
    std::string text;  // for people
    int exit_code;
};

// Gets the lease, or says why there is none. Not on a loop thread. All but `options` outlive what
// is answered.
std::variant<std::unique_ptr<IdRuntime>, IdsProblem> open_ids(
    IdRuntimeOptions options,
    const OpenedStores& stores,
    Runtime& runtime,
    Metrics& metrics,
    Log& log
);

// Gives the lease back, for some seconds at most. Not on a loop thread.
void close_ids(IdRuntime& ids, Runtime& runtime, Log& log);

}  // namespace holdfast::app
