#include "opened_stores.h"

#include <holdfast/store/metered_store.h>

namespace holdfast::app {

std::variant<OpenedStores, std::string>
OpenedStores::open(Runtime& runtime, const ServePlan& plan, Metrics& metrics) {
    std::vector<PlannedStore> planned{PlannedStore(plan.service.store_name, plan.store)};
    planned.insert(planned.end(), plan.more_stores.begin(), plan.more_stores.end());
    OpenedStores opened;
    for (const PlannedStore& one : planned) {
        SqlStoreMetrics* probe = nullptr;
        if (one.choice.kind() == StoreChoice::Kind::sqlite) {
            opened.probes_.push_back(std::make_unique<SqlStoreMetrics>(metrics));
            probe = opened.probes_.back().get();
        }
        auto store = open_store(runtime, one.choice, plan.store_queue_max, probe);
        if (!store.ok()) {
            return describe(one.choice, store.error());
        }
        opened.stores_.push_back(meter(std::move(store).value(), runtime, metrics));
        opened.names_.push_back(one.name);
    }
    return opened;
}

IdStores OpenedStores::named() const {
    IdStores named;
    for (std::size_t i = 0; i < stores_.size(); ++i) {
        named.push_back({names_[i], stores_[i].get()});
    }
    return named;
}

}  // namespace holdfast::app
