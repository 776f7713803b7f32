#pragma once
// Counts operator new in this binary. Include in one file.
#include <atomic>
#include <cstdlib>
#include <new>

inline std::atomic<long> allocations = 0;

#ifndef HOLDFAST_SANITIZED  // a sanitizer brings its own
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
#endif
