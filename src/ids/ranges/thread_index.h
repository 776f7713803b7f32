#pragma once
// Small numbers for threads, so that each finds what is its own in an array.

#include <cstddef>

namespace holdfast {

inline constexpr std::size_t no_thread_index = ~std::size_t{0};

// Set by thread_index(); of one thread at a time.
extern constinit thread_local std::size_t known_thread_index;

// Below limits::stripes_max and of no other living thread, or no_thread_index: too many threads, or
// this one is ending. What its last owner did with memory of that number happens before this
// returns. Usable in a forked child.
std::size_t find_thread_index();

inline std::size_t thread_index() {
    return known_thread_index != no_thread_index ? known_thread_index : find_thread_index();
}

}  // namespace holdfast
