#pragma once
// The memory store as the kit needs it: each opening is a new, empty store on a clock that is set
// by hand.

#include "manual_clock.h"

#include <holdfast/store_kit/store_kit.h>
#include <holdfast/store_memory/memory_store.h>

namespace holdfast {

class MemoryUnderTest final : public StoreUnderTest {
public:
    explicit MemoryUnderTest(Runtime& runtime) : StoreUnderTest(runtime, 1) {}

    Result<std::unique_ptr<Store>> open() override {
        return open_memory_store(MemoryStoreOptions().clock(clock_));
    }
    bool has_clock() const override { return true; }
    void set_clock(StoreTime time) override { clock_.set(WallTime(time.time_since_epoch())); }

private:
    ManualClock clock_;
};

}  // namespace holdfast
