#include "lease/lease_journal.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/metric_names.h>

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::array<std::string_view, 5> renewal_names = {
    "renewed", "lost", "unmatched", "error_none", "error_unknown"
};

LogLevel level_of(LeaseState state) {
    switch (state) {
    case LeaseState::acquiring:
    case LeaseState::leased:
    case LeaseState::closed:
        return LogLevel::info;
    case LeaseState::renewing_late:
    case LeaseState::lost:
        return LogLevel::warn;
    case LeaseState::suspended:
        break;
    }
    return LogLevel::error;
}

LogText text_of(LeaseState state) {
    switch (state) {
    case LeaseState::acquiring:
        return "a machine lease is being acquired";
    case LeaseState::leased:
        return "the machine lease is held";
    case LeaseState::renewing_late:
        return "a renewal is overdue: ids are issued up to the ceiling";
    case LeaseState::lost:
        return "the machine lease was lost: nothing is issued until there is a new one";
    case LeaseState::suspended:
        return "nothing is issued any more: the store may have lost a write, an operator must look";
    case LeaseState::closed:
        break;
    }
    return "the machine lease is closed";
}

std::int64_t ms_of(StoreTime time) {
    return time.time_since_epoch().count();
}

}  // namespace

double LeaseJournal::TimeLeft::seconds() {
    std::lock_guard lock(mutex);
    const Duration left = clock == nullptr ? Duration() : until - clock->steady_now();
    return std::max(0.0, std::chrono::duration<double>(left).count());
}

LeaseJournal::LeaseJournal(
    const LeasedMachine& options, const Clock& clock, Metrics& metrics, Log& log
)
    : log_(log), info_{options.name(), options.owner()}, left_(std::make_shared<TimeLeft>()),
      slot_(metrics.gauge(id_metrics::lease_slot)),
      rollbacks_(metrics.counter(id_metrics::rollback_suspected)) {
    left_->clock = &clock;

    slot_.set(-1);
    for (std::size_t i = 0; i < changes_.size(); ++i) {
        const std::string name(name_of(static_cast<LeaseState>(i)));
        changes_[i] = &metrics.counter(id_metrics::lease_changes, {name});
    }
    for (std::size_t i = 0; i < renewals_.size(); ++i) {
        const std::string name(renewal_names[i]);
        renewals_[i] = &metrics.counter(id_metrics::lease_renewals, {name});
    }
    metrics.gauge_from(id_metrics::lease_seconds_left, {}, [left = left_] {
        return left->seconds();
    });
}

LeaseJournal::~LeaseJournal() {
    end_of_lease();
    std::lock_guard lock(left_->mutex);
    left_->clock = nullptr;
}

LeaseInfo LeaseJournal::info() const {
    std::lock_guard lock(mutex_);
    return info_;
}

void LeaseJournal::listen(LeaseListener& listener) {
    std::lock_guard lock(mutex_);
    listeners_.push_back(&listener);
}

void LeaseJournal::change(LeaseState to) {
    std::unique_lock lock(mutex_);
    const LeaseState before = info_.state;
    if (before == to) {
        return;
    }
    info_.state = to;
    const LeaseInfo now = info_;
    const std::vector<LeaseListener*> listeners = listeners_;
    lock.unlock();
    complained_ = false;
    changes_.at(static_cast<std::size_t>(to))->add();
    if (to != LeaseState::leased && to != LeaseState::renewing_late) {
        end_of_lease();
    }
    log_.write(
        level_of(to),
        "lease_changed",
        text_of(to),
        {{"namespace", now.name.text()},
         {"owner", now.owner.text()},
         {"before", name_of(before)},
         {"now", name_of(to)},
         {"slot", now.slot.value()},
         {"fence", now.fence.value()},
         {"floor_ms", ms_of(now.floor)},
         {"ceiling_ms", ms_of(now.ceiling)}}
    );
    for (LeaseListener* listener : listeners) {
        listener->lease_changed(before, now);
    }
}

void LeaseJournal::note(const SlotLease& lease, SteadyTime valid_until) {
    {
        std::lock_guard lock(mutex_);
        info_.slot = lease.slot;
        info_.fence = lease.fence;
        info_.expires_at = fault("ids.15") ? info_.expires_at : lease.expires_at;
        info_.floor = lease.floor;
        info_.ceiling = lease.ceiling;
    }
    slot_.set(lease.slot.value());
    std::lock_guard lock(left_->mutex);
    left_->until = valid_until;
}

void LeaseJournal::end_of_lease() {
    slot_.set(-1);
    std::lock_guard lock(left_->mutex);
    left_->until = SteadyTime();
}

void LeaseJournal::granted(const Acquired& grant, SteadyTime valid_until) {
    note(grant.lease, valid_until);
    {
        std::lock_guard lock(mutex_);
        info_.duplicate_owner_key = grant.duplicate_owner_key;
    }
    change(LeaseState::leased);
    if (grant.duplicate_owner_key) {
        log_.warn(
            "duplicate_owner_key",
            "another live lease has the same owner key: two processes share a name, or this one "
            "was restarted before its lease ran out",
            {{"owner", info().owner.text()}}
        );
    }
}

void LeaseJournal::renewed(const SlotLease& lease, SteadyTime valid_until) {
    note(lease, valid_until);
    change(LeaseState::leased);
}

void LeaseJournal::renewal(RenewalEnd end) {
    renewals_.at(static_cast<std::size_t>(end))->add();
}

void LeaseJournal::exhausted(StoreTime earliest) {
    if (first_time()) {
        log_.warn(
            "slots_exhausted",
            "every slot of the namespace is leased",
            {{"namespace", info().name.text()}, {"earliest_expires_at_ms", ms_of(earliest)}}
        );
    }
}

void LeaseJournal::failed(const Error& error) {
    if (first_time()) {
        log_.warn(
            "lease_call_failed",
            "the store of the machine lease did not answer",
            {{"code", name_of(error.code())},
             {"effect", name_of(error.effect())},
             {"what", error.what()}}
        );
    }
}

void LeaseJournal::mismatch() {
    if (first_time()) {
        log_.error(
            "namespace_mismatch",
            "the namespace exists with another limit or tolerance",
            {{"namespace", info().name.text()}}
        );
    }
}

void LeaseJournal::suspect_rollback(LogText what) {
    rollback_.store(true, std::memory_order_relaxed);
    rollbacks_.add();
    const LeaseInfo now = info();
    log_.error(
        "rollback_suspected",
        what,
        {{"namespace", now.name.text()}, {"slot", now.slot.value()}, {"fence", now.fence.value()}}
    );
}

}  // namespace holdfast
