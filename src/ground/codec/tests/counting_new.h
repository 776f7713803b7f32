#pragma once
// Counts what this program takes from the heap. Include in one file.

#include <atomic>
#include <cstdlib>
#include <new>

inline std::atomic<long> allocations = 0;

#ifdef HOLDFAST_SANITIZED  // a sanitizer brings its own operator new, and tells of each call
extern "C" int __sanitizer_install_malloc_and_free_hooks(  // g++ 12 comes without its header
    void (*)(const volatile void*, std::size_t),
    void (*)(const volatile void*)
);

inline const int counting_hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { allocations.fetch_add(1, std::memory_order_relaxed); },
    [](const volatile void*) {}
);
#else
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
