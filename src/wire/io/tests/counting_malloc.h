#pragma once
// Counts allocations of every kind in this program, by standing before the C library's. Include in
// one file.
#include <atomic>
#include <cstddef>

namespace holdfast {

inline std::atomic<long> allocations = 0;

#ifdef HOLDFAST_SANITIZED  // a sanitizer brings its own allocator
inline constexpr bool allocations_counted = false;
#else
inline constexpr bool allocations_counted = true;
#endif

}  // namespace holdfast

#ifndef HOLDFAST_SANITIZED
extern "C" {
void* __libc_malloc(std::size_t);  // NOLINT(bugprone-reserved-identifier): glibc's name
void* __libc_memalign(
    std::size_t, std::size_t
);  // NOLINT(bugprone-reserved-identifier): glibc's name

[[gnu::noinline]] void* malloc(std::size_t bytes) {
    holdfast::allocations.fetch_add(1, std::memory_order_relaxed);
    return __libc_malloc(bytes);
}
[[gnu::noinline]] void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
    holdfast::allocations.fetch_add(1, std::memory_order_relaxed);
    return __libc_memalign(alignment, bytes);
}
}
#endif
