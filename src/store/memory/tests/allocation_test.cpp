// The steady state of a service that reserves ranges over and over.
#include <holdfast/io/runtime.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#ifndef HOLDFAST_SANITIZED  // a sanitizer brings its own
namespace {
std::atomic<long> allocations = 0;
}
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(bytes)) {
        return memory;
    }
    std::abort();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace holdfast {
namespace {

// How often memory was asked for in `times` reserves of a key that exists. The key's text fits into
// its string.
Task<long> reserve_often(Store& store, int times, Deadline deadline) {
    const RangeKey key = RangeKey::parse("orders").value();
    (void)co_await store.ranges().reserve(ReserveRequest(key, 1), deadline);
    const long before = allocations;
    for (int i = 0; i < times; ++i) {
        auto answer = co_await store.ranges().reserve(ReserveRequest(key, 1), deadline);
        if (!answer.ok()) {
            co_return std::move(answer).error();
        }
    }
    co_return allocations - before;
}

TEST(MemoryStoreMemory, a_reserve_of_a_known_key_allocates_nothing) {
    const auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    const auto store = open_memory_store();
    const Deadline deadline = Deadline::in(std::chrono::seconds(30), runtime->loop(0).now());
    const auto counted = wait(*runtime, reserve_often(*store, 1000, deadline));
    ASSERT_TRUE(counted.ok());
    EXPECT_EQ(counted.value(), 0);
}

}  // namespace
}  // namespace holdfast
#endif
