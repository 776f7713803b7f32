#pragma once
// What the chains of one generator count together.

#include <holdfast/ids/metric_names.h>
#include <holdfast/observe/metrics.h>

#include <string>

namespace holdfast {

class ChainMeters {
public:
    ChainMeters(Metrics& metrics, const std::string& generator)
        : range(fetches(metrics, generator, "range")),
          sealed(fetches(metrics, generator, "sealed")),
          exhausted(fetches(metrics, generator, "exhausted")),
          refused(fetches(metrics, generator, "refused")),
          error_none(fetches(metrics, generator, "error_none")),
          error_unknown(fetches(metrics, generator, "error_unknown")),
          rollback_suspected(metrics.shared_counter(id_metrics::rollback_suspected)) {}

    SharedCounter& range;
    SharedCounter& sealed;
    SharedCounter& exhausted;
    SharedCounter& refused;  // a range below one that was given out before
    SharedCounter& error_none;
    SharedCounter& error_unknown;
    SharedCounter& rollback_suspected;

private:
    static SharedCounter&
    fetches(Metrics& metrics, const std::string& generator, const char* outcome) {
        return metrics.shared_counter(id_metrics::range_fetches, {generator, outcome});
    }
};

}  // namespace holdfast
