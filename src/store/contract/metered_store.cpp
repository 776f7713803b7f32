#include "store_meter.h"

#include <holdfast/observe/stopwatch.h>
#include <holdfast/store/metered_store.h>

namespace holdfast {
namespace {

class Meters {
public:
    Meters(Runtime& runtime, Metrics& metrics) {
        for (std::size_t i = 0; i < runtime.loop_count(); ++i) {
            loops_.emplace_back(runtime.loop(i), metrics);
        }
    }

    // Null: not a loop of ours.
    StoreMeter* of(const Loop& loop) {
        for (StoreMeter& meter : loops_) {
            if (&meter.loop() == &loop) {
                return &meter;
            }
        }
        return nullptr;
    }

private:
    std::vector<StoreMeter> loops_;
};

// A call is counted when its answer is there; one that is destroyed before it ends is not.
template <class T>
Task<T> counted(Meters& meters, Operation operation, Task<T> call) {
    const Scope& scope = co_await this_scope();
    const Stopwatch watch;
    Result<T> answer = co_await std::move(call);
    if (StoreMeter* meter = meters.of(scope.loop())) {
        meter->called(operation, outcome_of(answer), watch.seconds());
    }
    co_return answer;
}

class MeteredRanges final : public RangeStore {
public:
    MeteredRanges(RangeStore& inner, Meters& meters) : inner_(inner), meters_(meters) {}
    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override {
        return counted(meters_, Operation::reserve, inner_.reserve(std::move(request), deadline));
    }
    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override {
        return counted(meters_, Operation::seal, inner_.seal(std::move(key), deadline));
    }

private:
    RangeStore& inner_;
    Meters& meters_;
};

class MeteredSlots final : public SlotLeaseStore {
public:
    MeteredSlots(SlotLeaseStore& inner, Meters& meters) : inner_(inner), meters_(meters) {}
    Task<AcquireOutcome> acquire(AcquireRequest request, Deadline deadline) override {
        return counted(meters_, Operation::acquire, inner_.acquire(std::move(request), deadline));
    }
    Task<RenewOutcome>
    renew(LeaseKey key, Duration ttl, Duration tolerance, Deadline deadline) override {
        return counted(
            meters_, Operation::renew, inner_.renew(std::move(key), ttl, tolerance, deadline)
        );
    }
    Task<ReleaseOutcome> release(LeaseKey key, StoreTime last_issued, Deadline deadline) override {
        return counted(
            meters_, Operation::release, inner_.release(std::move(key), last_issued, deadline)
        );
    }

private:
    SlotLeaseStore& inner_;
    Meters& meters_;
};

class MeteredStore final : public Store {
public:
    MeteredStore(std::unique_ptr<Store> inner, Runtime& runtime, Metrics& metrics)
        : inner_(std::move(inner)), meters_(runtime, metrics), ranges_(inner_->ranges(), meters_),
          slots_(inner_->slots(), meters_) {}

    RangeStore& ranges() override { return ranges_; }
    SlotLeaseStore& slots() override { return slots_; }
    std::string_view type() const override { return inner_->type(); }
    Task<Done> probe(Deadline deadline) override {
        return counted(meters_, Operation::probe, inner_->probe(deadline));
    }

private:
    std::unique_ptr<Store> inner_;
    Meters meters_;
    MeteredRanges ranges_;
    MeteredSlots slots_;
};

}  // namespace

std::unique_ptr<Store> meter(std::unique_ptr<Store> store, Runtime& runtime, Metrics& metrics) {
    return std::make_unique<MeteredStore>(std::move(store), runtime, metrics);
}

}  // namespace holdfast
