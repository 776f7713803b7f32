#include "store_metrics.h"

#include <array>

namespace holdfast::app {
namespace {

constexpr std::array<double, 8> batch_bounds = {1, 2, 4, 8, 16, 32, 64, 128};

constexpr MetricFamily batches(
    "cosid_server_store_batch_calls",
    "Calls that one committed transaction of the embedded store answered."
);
constexpr MetricFamily failures(
    "cosid_server_store_batches_failed_total",
    "Transactions of the embedded store that failed, by what may have been kept.",
    {"effect"}
);
constexpr MetricFamily lock_misses(
    "cosid_server_store_lock_missed_total",
    "Waits for the store's file that ended without it: another process held it."
);

}  // namespace

SqlStoreMetrics::SqlStoreMetrics(Metrics& metrics)
    : batch_calls_(&metrics.histogram(batches, {}, batch_bounds)),
      failed_none_(&metrics.shared_counter(failures, {"none"})),
      failed_unknown_(&metrics.shared_counter(failures, {"unknown"})),
      lock_missed_(&metrics.shared_counter(lock_misses)) {}

void SqlStoreMetrics::batch_committed(std::size_t calls) {
    batch_calls_->record(static_cast<double>(calls));
}

void SqlStoreMetrics::batch_failed(std::size_t, Effect effect) {
    (effect == Effect::none ? failed_none_ : failed_unknown_)->add();
}

}  // namespace holdfast::app
