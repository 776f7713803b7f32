#pragma once
// The shared counter of a chain: one cursor for its whole life, and the end of the range in use.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace holdfast {

// Why each number is given out once, and only from a range of ours:
// - The cursor is one counter. fetch_add and the swap of take_many() hand each value to one caller;
//   raise() only skips values. give_back() returns a value that its one holder has not used.
// - open() raises the cursor to the start of a range before it publishes the range's end, and the
//   cursor never falls below that start: a value is given back only if it lies behind the range in
//   use. Who sees an end E (acquire) and then takes from the cursor therefore gets at least the
//   start of E's range; so `value < E` says that the value is inside, also when the range has
//   changed in between.
// - A value at or above E was taken too late. Its holder asks again under the chain's lock, where
//   start and end of the range in use stand still: inside, it is good; above, it waits for the next
//   range or is given back; below, it is dropped: another range has begun, and it may be another's.
// A test walks through all orders of these steps, with an atomic of its own.
template <template <class> class Atomic>
class alignas(64) RangeWindowOf {
public:
    enum class Taken : std::uint8_t {
        good,
        beyond,  // taken, behind the end
        none,    // nothing was taken: no range is open
    };

    Taken take(std::uint64_t& number) {
        const std::uint64_t end = end_.load(std::memory_order_acquire);
        if (end == 0) {
            return Taken::none;
        }
        number = cursor_.fetch_add(1, std::memory_order_relaxed);
        return number < end ? Taken::good : Taken::beyond;
    }

    // Up to `wanted` from `first` on; 0: the range is used up, and nothing was taken.
    std::uint64_t take_many(std::uint64_t wanted, std::uint64_t& first) {
        const std::uint64_t end = end_.load(std::memory_order_acquire);
        first = cursor_.load(std::memory_order_relaxed);
        while (first < end) {
            const std::uint64_t count = std::min(wanted, end - first);
            if (cursor_.compare_exchange_weak(first, first + count, std::memory_order_relaxed)) {
                return count;
            }
        }
        return 0;
    }

    // Opens a range behind all earlier ones. Returns how many values were skipped. One thread at a
    // time calls this, shut() and give_back().
    std::uint64_t open(std::uint64_t start, std::uint64_t end) {
        std::uint64_t before = cursor_.load(std::memory_order_relaxed);
        while (before < start &&
               !cursor_.compare_exchange_weak(before, start, std::memory_order_relaxed)) {
        }
        end_.store(end, std::memory_order_release);
        return before < start ? start - before : 0;
    }
    // Nothing is taken from now on; a caller that has seen the end already may still be given its
    // number.
    void shut() noexcept { end_.store(0, std::memory_order_release); }
    // Only while shut, by the holder of a value behind the last range. False: others have taken
    // later ones.
    bool give_back(std::uint64_t number) {
        std::uint64_t next = number + 1;
        return cursor_.compare_exchange_strong(next, number, std::memory_order_relaxed);
    }

    std::uint64_t cursor() const { return cursor_.load(std::memory_order_relaxed); }

private:
    Atomic<std::uint64_t> cursor_{0};
    Atomic<std::uint64_t> end_{0};  // 0: shut
};

using RangeWindow = RangeWindowOf<std::atomic>;

}  // namespace holdfast
