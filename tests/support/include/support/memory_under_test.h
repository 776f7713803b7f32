#pragma once
// The memory store as the kit needs it, also as the model of other stores: each opening is a new,
// empty store on a clock that is set by hand.

#include <holdfast/store_kit/store_kit.h>
#include <holdfast/store_memory/memory_store.h>

#include <atomic>

namespace holdfast::testing {

// Stands until it is set. Any thread.
class HandSetClock final : public Clock {
public:
    void set(StoreTime time) { wall_ms_ = time.time_since_epoch().count(); }
    SteadyTime steady_now() const override { return SteadyTime(); }
    WallTime wall_now() const override { return WallTime(Duration(wall_ms_.load())); }

private:
    std::atomic<Duration::rep> wall_ms_ = 0;
};

class MemoryUnderTest final : public StoreUnderTest {
public:
    explicit MemoryUnderTest(Runtime& runtime) : StoreUnderTest(runtime, 1) {}

    Result<std::unique_ptr<Store>> open() override {
        return open_memory_store(MemoryStoreOptions().clock(clock_));
    }
    bool has_clock() const override { return true; }
    void set_clock(StoreTime time) override { clock_.set(time); }

private:
    HandSetClock clock_;
};

}  // namespace holdfast::testing
