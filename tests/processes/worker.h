#pragma once
// One process of many: it issues, and writes down what it issued.

#include "records.h"

#include <holdfast/io/runtime.h>
#include <holdfast/store/store.h>

#include <cstdint>
#include <string>

namespace holdfast::testing {

struct WorkerOptions {
    std::string owner = "worker";
    Duration ttl{300};
    Duration tolerance{50};
    Duration run{0};  // 0: until it is told to stop
    std::uint32_t slots = 4;
    int span = 64;             // ids of one call
    Duration pause{8};         // between two rounds
    std::string bare_counter;  // the control: files instead of the store
    bool seconds = false;      // the layouts count seconds
};

// Each returns when the time is over or SIGTERM came; the exit code.
int issue_by_time(Store& store, Runtime& runtime, const WorkerOptions& options, RecordFile& file);
int reserve_ranges(Store& store, Runtime& runtime, const WorkerOptions& options, RecordFile& file);
// Forks while it holds a lease and ranges: the child must hear `closed` and nothing else.
int fork_amid(Store& store, Runtime& runtime, const WorkerOptions& options, RecordFile& file);

// Set by SIGTERM.
bool told_to_stop();

}  // namespace holdfast::testing
