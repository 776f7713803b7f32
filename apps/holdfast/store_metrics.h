#pragma once
// What the embedded store tells about its work, as metrics.

#include <holdfast/observe/metrics.h>
#include <holdfast/store_sql/sqlite_store.h>

namespace holdfast::app {

// A store has one transaction at a time, so its cells have one writer. `metrics` outlives it.
class SqlStoreMetrics final : public SqlStoreProbe {
public:
    explicit SqlStoreMetrics(Metrics& metrics);
    void batch_committed(std::size_t calls) override;
    void batch_failed(std::size_t calls, Effect effect) override;
    void lock_missed() override { lock_missed_->add(); }

private:
    Histogram* batch_calls_;
    SharedCounter* failed_none_;
    SharedCounter* failed_unknown_;
    SharedCounter* lock_missed_;
};

}  // namespace holdfast::app
