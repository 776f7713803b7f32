#include "names_map.h"
#include "slot_space.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/io/loop.h>
#include <holdfast/store/request_rules.h>
#include <holdfast/store_memory/memory_store.h>

#include <limits>
#include <mutex>

namespace holdfast {
namespace {

// Asked before anything is touched: effect none is then the truth.
Result<Done> still_wanted(const Scope& scope, Deadline deadline) {
    if (scope.cancelled()) {
        return cancelled_error();
    }
    if (deadline.passed(scope.loop().now())) {
        return Error(Code::timed_out, Effect::none, "the deadline had passed before the start");
    }
    return Done();
}

class MemoryRanges final : public RangeStore {
public:
    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override {
        auto sound = check(request);
        if (!sound.ok()) {
            co_return std::move(sound).error();
        }
        Scope& scope = co_await this_scope();
        auto wanted = still_wanted(scope, deadline);
        if (!wanted.ok()) {
            co_return std::move(wanted).error();
        }
        co_return take(request);
    }

    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override {
        Scope& scope = co_await this_scope();
        auto wanted = still_wanted(scope, deadline);
        if (!wanted.ok()) {
            co_return std::move(wanted).error();
        }
        std::lock_guard lock(mutex_);
        keys_[key.text()].sealed = true;
        co_return SealOutcome::sealed;
    }

private:
    struct State {
        std::optional<std::int64_t> next;  // none: sealed before it was ever used
        bool sealed = false;
    };

    ReserveOutcome take(const ReserveRequest& request) {
        std::lock_guard lock(mutex_);
        const auto found = keys_.find(std::string_view(request.key().text()));
        if (found != keys_.end() && found->second.sealed) {
            return RangeSealed();
        }
        const std::int64_t start =
            found == keys_.end() ? request.initial_offset() : *found->second.next;
        if (start > std::numeric_limits<std::int64_t>::max() - request.size()) {
            return RangeExhausted();
        }
        const std::int64_t end = start + request.size();
        if (found == keys_.end()) {
            keys_[request.key().text()].next = end;
        } else {
            found->second.next = end;
        }
        return Range{start, end};
    }

    std::mutex mutex_;
    NamesMap<State> keys_;
};

class MemorySlots final : public SlotLeaseStore {
public:
    explicit MemorySlots(const Clock& clock) : clock_(clock) {}

    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override {
        auto sound = check(request);
        if (!sound.ok()) {
            co_return std::move(sound).error();
        }
        Scope& scope = co_await this_scope();
        auto wanted = still_wanted(scope, deadline);
        if (!wanted.ok()) {
            co_return std::move(wanted).error();
        }
        std::lock_guard lock(mutex_);
        std::string name = request.name().text();
        if (fault("ids.7c")) {
            name = name.substr(0, name.find('.'));
        }
        co_return acquire_slot(spaces_[name], request, now());
    }

    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override {
        auto sound = check_renew(key, ttl, tolerance);
        if (!sound.ok()) {
            co_return std::move(sound).error();
        }
        Scope& scope = co_await this_scope();
        auto wanted = still_wanted(scope, deadline);
        if (!wanted.ok()) {
            co_return std::move(wanted).error();
        }
        std::lock_guard lock(mutex_);
        const auto found = spaces_.find(key.name().text());
        if (found == spaces_.end()) {
            co_return RenewOutcome(lost(SlotRow(), key));
        }
        co_return renew_slot(found->second, key, ttl, tolerance, now());
    }

    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last_issued, Deadline deadline) override {
        auto sound = check_release(key, last_issued);
        if (!sound.ok()) {
            co_return std::move(sound).error();
        }
        Scope& scope = co_await this_scope();
        auto wanted = still_wanted(scope, deadline);
        if (!wanted.ok()) {
            co_return std::move(wanted).error();
        }
        std::lock_guard lock(mutex_);
        const auto found = spaces_.find(key.name().text());
        if (found == spaces_.end()) {
            co_return ReleaseOutcome(lost(SlotRow(), key));
        }
        co_return release_slot(found->second, key, last_issued);
    }

private:
    StoreTime now() const { return StoreTime(clock_.wall_now().time_since_epoch()); }

    const Clock& clock_;
    std::mutex mutex_;
    NamesMap<SlotSpace> spaces_;
};

class MemoryStore final : public Store {
public:
    explicit MemoryStore(const Clock& clock) : slots_(clock) {}

    RangeStore& ranges() override { return ranges_; }
    SlotLeaseStore& slots() override { return slots_; }
    std::string_view type() const override { return "memory"; }
    Task<Done> probe(Deadline deadline) override {
        Scope& scope = co_await this_scope();
        co_return still_wanted(scope, deadline);
    }

private:
    MemoryRanges ranges_;
    MemorySlots slots_;
};

}  // namespace

std::unique_ptr<Store> open_memory_store(MemoryStoreOptions options) {
    return std::make_unique<MemoryStore>(options.clock());
}

}  // namespace holdfast
