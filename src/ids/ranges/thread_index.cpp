#include "ranges/thread_index.h"

#include "ranges/range_limits.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

namespace holdfast {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t words = limits::stripes_max / word_bits;
static_assert(limits::stripes_max % word_bits == 0);

// Threads belong to the program, so their numbers do too. Atomics alone: a forked child must not
// find a lock that a thread of its parent held.
constinit std::array<std::atomic<std::uint64_t>, words> taken{};
constinit thread_local bool ended = false;

// The lowest that is free: thread pools that come and go use the same few again.
std::size_t take_index() {
    for (std::size_t word = 0; word < words; ++word) {
        std::uint64_t bits = taken[word].load(std::memory_order_relaxed);
        while (bits != ~std::uint64_t{0}) {
            const int free = std::countr_one(bits);
            if (taken[word].compare_exchange_weak(
                    bits,
                    bits | std::uint64_t{1} << free,
                    std::memory_order_acquire,
                    std::memory_order_relaxed
                )) {
                return word * word_bits + static_cast<std::size_t>(free);
            }
        }
    }
    return no_thread_index;
}

class Owner {
public:
    Owner() { known_thread_index = take_index(); }
    ~Owner() {
        const std::size_t index = known_thread_index;
        known_thread_index = no_thread_index;
        ended = true;
        if (index != no_thread_index) {
            taken[index / word_bits].fetch_and(
                ~(std::uint64_t{1} << index % word_bits), std::memory_order_release
            );
        }
    }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;
};

}  // namespace

constinit thread_local std::size_t known_thread_index = no_thread_index;

std::size_t find_thread_index() {
    if (ended) {
        return no_thread_index;
    }
    thread_local const Owner owner;
    if (known_thread_index == no_thread_index) {
        known_thread_index = take_index();  // there were too many when this thread first asked
    }
    return known_thread_index;
}

}  // namespace holdfast
