#pragma once
// A store in this process's memory: for tests, for trying things out, and the model that other
// stores are compared with. Nothing survives the process, so ids from it are unique within one run
// only.

#include <holdfast/base/time.h>
#include <holdfast/store/store.h>

#include <memory>

namespace holdfast {

class MemoryStoreOptions {
public:
    // The store's clock is its wall_now(), which may jump. It must outlive the store.
    MemoryStoreOptions clock(const Clock& clock) && {
        clock_ = &clock;
        return std::move(*this);
    }
    const Clock& clock() const { return *clock_; }

private:
    const Clock* clock_ = &system_clock();
};

// Any thread, any loop: one mutex guards each half, and no call suspends. Range keys, namespaces
// and the rows of granted slots are never removed, so memory grows with the number of different
// names: about 100 bytes a range key, 8 KiB a namespace and 300 bytes a slot that was ever granted.
std::unique_ptr<Store> open_memory_store(MemoryStoreOptions options = MemoryStoreOptions());

}  // namespace holdfast
