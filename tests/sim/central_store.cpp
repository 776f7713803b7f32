#include "central_store.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/store_memory/memory_store.h>

#include <algorithm>

namespace holdfast::sim {
namespace {

constexpr Duration between_read_and_write{3};

}  // namespace

CentralStore::CentralStore(Scene& scene)
    : scene_(&scene), clock_(scene.world()),
      store_(open_memory_store(MemoryStoreOptions().clock(clock_))) {}

Result<ReserveOutcome> CentralStore::reserve(const ReserveRequest& request, Deadline deadline) {
    if (fault("reserve-not-atomic")) {
        // Whoever reads between the read and the write of another gets the same numbers.
        const auto found = read_before_.find(request.key().text());
        const SteadyTime now = scene_->runtime().now();
        if (found != read_before_.end() && now - found->second.first <= between_read_and_write) {
            const std::int64_t start = found->second.second.start;
            return ReserveOutcome(Range{start, start + request.size()});
        }
        auto outcome = run(store_->ranges().reserve(request, deadline));
        if (outcome.ok() && std::holds_alternative<Range>(outcome.value())) {
            read_before_.insert_or_assign(
                request.key().text(), std::pair(now, std::get<Range>(outcome.value()))
            );
        }
        return outcome;
    }
    return run(store_->ranges().reserve(request, deadline));
}

void CentralStore::note_highest() {
    highest_ = std::max(highest_, clock_.wall_now());
}

void CentralStore::jump(Duration by) {
    note_highest();
    clock_.skew += by;
    note_highest();
}

void CentralStore::settle() {
    note_highest();
    const WallTime lowest = highest_ - scene_->chance().ms(0, store_behind_max.count());
    if (clock_.wall_now() < lowest) {
        clock_.skew += lowest - clock_.wall_now();
    }
}

}  // namespace holdfast::sim
