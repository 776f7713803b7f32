#include "service_metrics.h"

#include <holdfast/base/check.h>
#include <holdfast/server/metric_names.h>

namespace holdfast {

LoopMetrics::LoopMetrics(Metrics& metrics)
    : metrics_(&metrics), busy_(&metrics.counter(metric::rejections, {"busy"})),
      too_many_keys_(&metrics.counter(metric::rejections, {"too_many_keys"})),
      too_many_namespaces_(&metrics.counter(metric::rejections, {"too_many_namespaces"})),
      cancelled_(&metrics.counter(metric::cancelled_calls)),
      refused_tokens_(&metrics.counter(metric::refused_tokens)),
      rollback_suspected_(&metrics.counter(metric::rollback_suspected)) {
    check(routes().size() <= routes_max, "more routes than the metrics have room for");
}

void LoopMetrics::answered(const Route* route, int status, double seconds) {
    const std::size_t row =
        route == nullptr ? routes_max : static_cast<std::size_t>(route - routes().data());
    for (Cell& cell : cells_[row]) {
        if (cell.histogram == nullptr) {
            cell.status = status;
            cell.histogram = &metrics_->histogram(
                metric::requests,
                {route == nullptr ? "none" : std::string(route->path), std::to_string(status)}
            );
        }
        if (cell.status == status) {
            cell.histogram->record(seconds);
            return;
        }
    }
}

}  // namespace holdfast
