#pragma once
// What the kernel says about this process, under the names that every Prometheus client uses.

#include <holdfast/observe/metrics.h>

namespace holdfast {

// Once per registry. process_cpu_seconds_total, process_max_fds, process_open_fds,
// process_resident_memory_bytes, process_start_time_seconds, process_threads; read from /proc at
// each collection, 0 where it cannot be read.
void register_process_metrics(Metrics& metrics);

}  // namespace holdfast
