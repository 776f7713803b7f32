// The three operations over a table of rows.
#include <holdfast/base/fault_switch.h>
#include <holdfast/store/slot_rules.h>

#include <algorithm>

namespace holdfast {
namespace {

constexpr int lowest_looked_at = 7;
constexpr int spread_looked_at = 7;
constexpr int held_looked_at = 16;
static_assert(2 + lowest_looked_at + spread_looked_at == limits::slot_candidates_max);

class Acquisition {
public:
    Acquisition(SlotTable& table, const AcquireRequest& request, StoreTime now)
        : table_(table), request_(request), terms_{request.ttl(), request.tolerance()},
          now_(clamp_now(now, terms_)) {}

    Result<AcquireOutcome> run(int sweep_max);

private:
    struct Candidate {
        SlotEntry entry;
        AcquireReason reason;
    };

    Result<Done> sweep(int count);
    Result<Done> look_at_held();
    Result<Done> look_at_own(SlotEntry entry);
    Result<Done> search();
    Result<Done> look_at_free(Slot from, int count);
    Result<Done> look_at_slot(std::optional<Slot> slot, AcquireReason reason);
    Result<Done> look_at(SlotEntry entry, AcquireReason reason);
    Result<Done> give_back(SlotEntry& entry);
    Result<AcquireOutcome> repeat();
    Result<AcquireOutcome> take();
    Result<AcquireOutcome> none_free();
    void may_help_at(StoreTime time) { earliest_ = std::min(earliest_.value_or(time), time); }
    Acquired answer(const SlotEntry& entry, AcquireReason reason) const {
        return Acquired{lease_of(entry.slot, entry.row, now_), reason, duplicate_};
    }

    SlotTable& table_;
    const AcquireRequest& request_;
    LeaseTerms terms_;
    StoreTime now_;
    std::optional<SlotEntry>
        own_;  // held by this owner and incarnation: the request is a repeated one
    std::optional<Candidate> best_;    // usable at once
    std::optional<Candidate> second_;  // usable, but its holder has to wait for its floor
    std::optional<StoreTime> earliest_;
    std::vector<Slot> seen_;
    bool duplicate_ = false;
};

Result<AcquireOutcome> Acquisition::run(int sweep_max) {
    const SlotSettings wanted{request_.limit(), request_.tolerance()};
    auto stored = table_.settings(wanted);
    if (!stored.ok()) {
        return std::move(stored).error();
    }
    if (stored.value() != wanted) {
        return AcquireOutcome(NamespaceMismatch());
    }
    auto step = sweep(sweep_max);
    if (step.ok()) {
        step = look_at_held();
    }
    if (step.ok() && own_.has_value()) {
        return repeat();
    }
    if (step.ok()) {
        step = search();
    }
    if (!step.ok()) {
        return std::move(step).error();
    }
    return best_.has_value() || second_.has_value() ? take() : none_free();
}

Result<Done> Acquisition::sweep(int count) {
    auto due = table_.expired(now_, count);
    if (!due.ok()) {
        return std::move(due).error();
    }
    for (SlotEntry& entry : due.value()) {
        auto given = give_back(entry);
        if (!given.ok()) {
            return given;
        }
    }
    return Done();
}

Result<Done> Acquisition::look_at_held() {
    auto held = table_.held_by(request_.owner().text(), held_looked_at);
    if (!held.ok()) {
        return std::move(held).error();
    }
    for (SlotEntry& entry : held.value()) {
        auto looked = look_at_own(std::move(entry));
        if (!looked.ok()) {
            return looked;
        }
    }
    if (held.value().size() < held_looked_at) {
        return Done();
    }
    // More slots than the list shows: the one granted last is the likeliest to be asked for again.
    auto last = table_.sticky(request_.owner().text());
    if (!last.ok()) {
        return std::move(last).error();
    }
    if (!last.value().has_value()) {
        return Done();
    }
    auto row = table_.row(*last.value());
    if (!row.ok()) {
        return row.error().code() == Code::corrupt ? Result<Done>(Done()) : std::move(row).error();
    }
    return look_at_own(SlotEntry{*last.value(), std::move(row).value()});
}

Result<Done> Acquisition::look_at_own(SlotEntry entry) {
    if (entry.row.owner != request_.owner().text()) {
        return Done();
    }
    if (entry.row.incarnation == request_.incarnation().text()) {
        if (!own_.has_value()) {
            own_ = std::move(entry);
        }
        return Done();
    }
    if (held_now(entry.row, now_) && fault("steal-same-floor")) {
        entry.row.next_floor = entry.row.floor;
        best_.emplace(Candidate{std::move(entry), AcquireReason::held});
        return Done();
    }
    if (held_now(entry.row, now_)) {
        duplicate_ = true;
        return Done();
    }
    return give_back(entry);
}

Result<Done> Acquisition::search() {
    auto step = look_at_slot(request_.preferred(), AcquireReason::preferred);
    if (step.ok() && !best_.has_value()) {
        auto last = table_.sticky(request_.owner().text());
        if (!last.ok()) {
            return std::move(last).error();
        }
        step = look_at_slot(last.value(), AcquireReason::sticky);
    }
    if (step.ok() && !best_.has_value()) {
        step = look_at_free(Slot(0), lowest_looked_at);
    }
    if (step.ok() && !best_.has_value()) {
        step =
            look_at_free(spread_start(request_.incarnation(), request_.limit()), spread_looked_at);
    }
    return step;
}

Result<Done> Acquisition::look_at_free(Slot from, int count) {
    auto free = table_.free_slots(from, request_.limit(), count);
    if (!free.ok()) {
        return std::move(free).error();
    }
    for (SlotEntry& entry : free.value()) {
        if (best_.has_value()) {
            break;
        }
        if (held_now(entry.row, now_)) {
            may_help_at(now_);  // the list was wrong; the next look may find better
        }
        auto looked = look_at(std::move(entry), AcquireReason::free);
        if (!looked.ok()) {
            return looked;
        }
    }
    return Done();
}

Result<Done> Acquisition::look_at_slot(std::optional<Slot> slot, AcquireReason reason) {
    if (!slot.has_value()) {
        return Done();
    }
    auto row = table_.row(*slot);
    if (!row.ok()) {
        return row.error().code() == Code::corrupt ? Result<Done>(Done()) : std::move(row).error();
    }
    return look_at(SlotEntry{*slot, std::move(row).value()}, reason);
}

Result<Done> Acquisition::look_at(SlotEntry entry, AcquireReason reason) {
    if (std::find(seen_.begin(), seen_.end(), entry.slot) != seen_.end()) {
        return Done();
    }
    seen_.push_back(entry.slot);
    if (entry.slot.value() >= request_.limit() || held_now(entry.row, now_)) {
        return Done();
    }
    if (!entry.row.free()) {
        auto given = give_back(entry);
        if (!given.ok()) {
            return given;
        }
    }
    if (usable_from(entry.row, terms_) > now_) {
        may_help_at(usable_from(entry.row, terms_));
    } else if (usable_at_once(entry.row, terms_.tolerance, now_)) {
        best_.emplace(Candidate{std::move(entry), reason});
    } else if (!second_.has_value()) {
        second_.emplace(Candidate{std::move(entry), reason});
    }
    return Done();
}

Result<Done> Acquisition::give_back(SlotEntry& entry) {
    expire(entry.row);
    if (fault("expire-next-floor-is-clock")) {
        entry.row.next_floor = std::clamp(now_, entry.row.floor, entry.row.ceiling);
    }
    return table_.write(entry.slot, entry.row);
}

Result<AcquireOutcome> Acquisition::repeat() {
    extend(own_->row, terms_, now_);
    auto written = table_.write(own_->slot, own_->row);
    if (!written.ok()) {
        return std::move(written).error();
    }
    return AcquireOutcome(answer(*own_, AcquireReason::held));
}

Result<AcquireOutcome> Acquisition::take() {
    Candidate& chosen = best_.has_value() ? *best_ : *second_;
    SlotEntry& entry = chosen.entry;
    Result<Done> step = Done();
    if (!entry.row.last_owner.empty() && entry.row.last_owner != request_.owner().text()) {
        step = table_.drop_sticky(
            entry.row.last_owner, entry.slot
        );  // random owner names would fill the store
    }
    if (step.ok()) {
        step = table_.set_sticky(request_.owner().text(), entry.slot);
    }
    if (step.ok()) {
        grant(entry.row, request_, now_);
        step = table_.write(entry.slot, entry.row);
    }
    if (!step.ok()) {
        return std::move(step).error();
    }
    return AcquireOutcome(answer(entry, chosen.reason));
}

Result<AcquireOutcome> Acquisition::none_free() {
    auto expiry = table_.earliest_expiry();
    if (!expiry.ok()) {
        return std::move(expiry).error();
    }
    if (expiry.value().has_value()) {
        may_help_at(*expiry.value());
    }
    return AcquireOutcome(SlotsExhausted{earliest_.value_or(now_)});
}

}  // namespace

Result<AcquireOutcome>
acquire_slot(SlotTable& table, const AcquireRequest& request, StoreTime now, int sweep_max) {
    return Acquisition(table, request, now).run(std::min(sweep_max, limits::slot_sweep_max));
}

Result<RenewOutcome>
renew_slot(SlotTable& table, const LeaseKey& key, Duration ttl, Duration tolerance, StoreTime now) {
    auto read = table.row(key.slot());
    if (!read.ok()) {
        return std::move(read).error();
    }
    SlotRow& row = read.value();
    const bool wrongly = (fault("renew-any") && !row.free()) ||
                         (fault("renew-owner-only") && row.owner == key.owner().text());
    if (!matches(row, key) && !wrongly) {
        return RenewOutcome(lost(row, key));
    }
    const LeaseTerms terms{ttl, tolerance};
    const StoreTime store_now = clamp_now(now, terms);
    extend(row, terms, store_now);
    auto written = table.write(key.slot(), row);
    if (!written.ok()) {
        return std::move(written).error();
    }
    SlotLease lease = lease_of(key.slot(), row, store_now);
    lease.fence = key.fence();  // on a wire the answer names none: it matched
    return RenewOutcome(lease);
}

Result<ReleaseOutcome> release_slot(SlotTable& table, const LeaseKey& key, StoreTime last_issued) {
    auto read = table.row(key.slot());
    if (!read.ok()) {
        return std::move(read).error();
    }
    SlotRow& row = read.value();
    const bool wrongly = (fault("release-any") && !row.free()) ||
                         (fault("release-owner-only") && row.owner == key.owner().text());
    if (!matches(row, key) && !wrongly) {
        return ReleaseOutcome(lost(row, key));
    }
    if (!releasable(row, last_issued) && !wrongly) {
        return Error(
            Code::invalid_argument, Effect::none, "last issued lies outside the window of the lease"
        );
    }
    release(row, last_issued);
    auto written = table.write(key.slot(), row);
    if (!written.ok()) {
        return std::move(written).error();
    }
    return ReleaseOutcome(Released());
}

}  // namespace holdfast
