#pragma once
// The stores of a plan, opened: the one that is served, and those that ids name beside it.

#include "configuration.h"
#include "store_metrics.h"

#include <holdfast/ids/id_runtime.h>
#include <holdfast/observe/metrics.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace holdfast::app {

class OpenedStores {
public:
    // The served one alone, or with all that ids name. Blocks on the disk: not on a loop thread. A
    // text for people: which one could not be opened, and why. `metrics` and the runtime outlive
    // what is answered.
    static std::variant<OpenedStores, std::string>
    open(Runtime& runtime, const ServePlan& plan, Metrics& metrics);

    Store& served() { return *stores_.front(); }
    // The served one first.
    IdStores named() const;

private:
    std::vector<std::unique_ptr<SqlStoreMetrics>> probes_;  // outlive the stores
    std::vector<std::unique_ptr<Store>> stores_;
    std::vector<std::string> names_;
};

}  // namespace holdfast::app
