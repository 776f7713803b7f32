#include "mutant_store.h"
#include "mutant_table.h"

#include <holdfast/io/loop.h>
#include <holdfast/store/request_rules.h>
#include <holdfast/store_memory/memory_store.h>

#include <limits>
#include <mutex>

namespace holdfast {
namespace {

Error late() {
    return Error(Code::timed_out, Effect::none, "the deadline had passed");
}

class MutantSlots final : public SlotLeaseStore {
public:
    MutantSlots(Mutant mutant, const Clock& clock) : mutant_(mutant), clock_(clock) {}

    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override {
        auto sound = check(request);
        if (!sound.ok()) {
            co_return std::move(sound).error();
        }
        Scope& scope = co_await this_scope();
        if (deadline.passed(scope.loop().now())) {
            co_return late();
        }
        std::lock_guard lock(mutex_);
        SlotSpace& space = spaces_[request.name().text()];
        if (mutant_ == Mutant::steal_same_floor) {
            const auto stolen = steal(space, request);
            if (stolen.has_value()) {
                co_return AcquireOutcome(*stolen);
            }
        }
        MutantTable table(space, mutant_, SlotCall::acquire, now());
        auto answer = acquire_slot(table, request, now());
        if (auto* granted = answer.ok() ? std::get_if<Acquired>(&answer.value()) : nullptr) {
            granted->lease = as_stored(space, granted->lease);
        }
        co_return answer;
    }

    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override {
        auto sound = check_renew(key, ttl, tolerance);
        if (!sound.ok()) {
            co_return std::move(sound).error();
        }
        Scope& scope = co_await this_scope();
        if (deadline.passed(scope.loop().now())) {
            co_return late();
        }
        std::lock_guard lock(mutex_);
        SlotSpace& space = spaces_[key.name().text()];
        MutantTable table(space, mutant_, SlotCall::renew, now());
        const LeaseKey taken = taken_for(space, key, Mutant::renew_any, Mutant::renew_owner_only);
        auto answer = renew_slot(table, taken, ttl, tolerance, now());
        if (auto* row = answer.ok() ? std::get_if<SlotLease>(&answer.value()) : nullptr) {
            *row = as_stored(space, *row);
        }
        co_return answer;
    }

    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last_issued, Deadline deadline) override {
        auto sound = check_release(key, last_issued);
        if (!sound.ok()) {
            co_return std::move(sound).error();
        }
        Scope& scope = co_await this_scope();
        if (deadline.passed(scope.loop().now())) {
            co_return late();
        }
        std::lock_guard lock(mutex_);
        SlotSpace& space = spaces_[key.name().text()];
        SlotRow row = space.row(key.slot()).value();
        if (mutant_ == Mutant::release_unclamped && matches(row, key)) {
            holdfast::release(row, last_issued);
            row.next_floor = last_issued + Duration(1);
            (void)space.write(key.slot(), row);
            co_return ReleaseOutcome(Released());
        }
        MutantTable table(space, mutant_, SlotCall::release, now());
        const LeaseKey taken =
            taken_for(space, key, Mutant::release_any, Mutant::release_owner_only);
        co_return release_slot(table, taken, last_issued);
    }

private:
    StoreTime now() const { return StoreTime(clock_.wall_now().time_since_epoch()); }

    static SlotLease as_stored(SlotSpace& space, const SlotLease& answered) {
        return lease_of(answered.slot, space.row(answered.slot).value(), answered.store_now);
    }

    // The key a rule works with that does not look at all of it.
    LeaseKey taken_for(SlotSpace& space, const LeaseKey& key, Mutant any, Mutant owner_only) const {
        const SlotRow row = space.row(key.slot()).value();
        const bool taken =
            mutant_ == any || (mutant_ == owner_only && row.owner == key.owner().text());
        if (row.free() || !taken) {
            return key;
        }
        return LeaseKey(
            key.name(),
            key.slot(),
            OwnerKey::parse(row.owner).value(),
            Incarnation::parse(row.incarnation).value(),
            row.fence
        );
    }

    // The wrong take-over: a live lease of the same owner changes hands with its floor.
    std::optional<Acquired> steal(SlotSpace& space, const AcquireRequest& request) const {
        auto held = space.held_by(request.owner().text(), 1).value();
        if (held.empty() || held[0].row.incarnation == request.incarnation().text()) {
            return std::nullopt;
        }
        SlotRow& row = held[0].row;
        row.incarnation = request.incarnation().text();
        row.fence = Fence(row.fence.value() + 1);
        extend(row, {request.ttl(), request.tolerance()}, now());
        (void)space.write(held[0].slot, row);
        return Acquired{lease_of(held[0].slot, row, now()), AcquireReason::held, true};
    }

    Mutant mutant_;
    const Clock& clock_;
    std::mutex mutex_;
    NamesMap<SlotSpace> spaces_;
};

// Reads, lets others run, writes.
class TwoStepRanges final : public RangeStore {
public:
    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override {
        auto sound = check(request);
        Scope& scope = co_await this_scope();
        if (!sound.ok() || deadline.passed(scope.loop().now())) {
            co_return sound.ok() ? late() : std::move(sound).error();
        }
        const std::int64_t start = read(request);
        co_await yield();
        if (start > std::numeric_limits<std::int64_t>::max() - request.size()) {
            co_return ReserveOutcome(RangeExhausted());
        }
        write(request, start + request.size());
        co_return ReserveOutcome(Range{start, start + request.size()});
    }
    Task<SealOutcome> seal(RangeKey, Deadline) override { co_return SealOutcome::unsupported; }

private:
    std::int64_t read(const ReserveRequest& request) {
        std::lock_guard lock(mutex_);
        const auto found = next_.find(request.key().text());
        return found == next_.end() ? request.initial_offset() : found->second;
    }
    void write(const ReserveRequest& request, std::int64_t end) {
        std::lock_guard lock(mutex_);
        next_[request.key().text()] = end;
    }

    std::mutex mutex_;
    NamesMap<std::int64_t> next_;
};

class MutantStore final : public Store {
public:
    MutantStore(Mutant mutant, const Clock& clock)
        : mutant_(mutant), right_(open_memory_store(MemoryStoreOptions().clock(clock))),
          slots_(mutant, clock) {}

    RangeStore& ranges() override {
        if (mutant_ == Mutant::reserve_in_two_steps) {
            return ranges_;
        }
        return right_->ranges();
    }
    SlotLeaseStore& slots() override { return slots_; }
    std::string_view type() const override { return "mutant"; }
    Task<Done> probe(Deadline deadline) override { return right_->probe(deadline); }

private:
    Mutant mutant_;
    std::unique_ptr<Store> right_;
    TwoStepRanges ranges_;
    MutantSlots slots_;
};

}  // namespace

std::string_view name_of(Mutant mutant) {
    constexpr std::string_view names[] = {
        "none",
        "expire_next_floor_is_floor",
        "expire_next_floor_is_clock",
        "floor_from_clock",
        "release_off_by_one",
        "release_unclamped",
        "renew_any",
        "renew_owner_only",
        "release_any",
        "release_owner_only",
        "ceiling_not_monotone",
        "steal_same_floor",
        "reserve_in_two_steps",
    };
    return names[static_cast<std::size_t>(mutant)];
}

std::unique_ptr<Store> open_mutant_store(Mutant mutant, const Clock& clock) {
    return std::make_unique<MutantStore>(mutant, clock);
}

}  // namespace holdfast
