#include "counting_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

constinit std::atomic<std::uint64_t> count = 0;

}  // namespace

namespace holdfast::bench {

std::uint64_t allocations() {
    return count.load(std::memory_order_relaxed);
}

}  // namespace holdfast::bench

#ifndef HOLDFAST_SANITIZED  // a sanitizer brings its own
[[gnu::noinline]] void* operator new(std::size_t bytes) {
    count.fetch_add(1, std::memory_order_relaxed);
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
#endif
