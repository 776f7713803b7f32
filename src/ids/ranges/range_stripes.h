#pragma once
// Numbers that belong to one thread each: no locked instruction, no shared line.

#include "ranges/range_limits.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace holdfast {

// Two cache lines: processors fetch them in pairs. The thread whose index it is writes; others only
// look, and shut it for ever. What an ended thread left goes to the next one with its index.
class alignas(128) RangeStripe {
public:
    bool take(std::uint64_t& number) {
        number = next_.load(std::memory_order_relaxed);
        if (number >= end_.load(std::memory_order_relaxed)) {
            return false;
        }
        next_.store(number + 1, std::memory_order_relaxed);
        return true;
    }
    std::uint64_t take_many(std::uint64_t wanted, std::uint64_t& first) {
        first = next_.load(std::memory_order_relaxed);
        const std::uint64_t end = end_.load(std::memory_order_relaxed);
        const std::uint64_t count = first < end ? std::min(wanted, end - first) : 0;
        next_.store(first + count, std::memory_order_relaxed);
        return count;
    }
    // Only when empty. Sequentially consistent: whoever fills a stripe and then sees its chain
    // running has filled it before the chain is halted, which shuts it after that.
    void fill(std::uint64_t first, std::uint64_t end) {
        next_.store(first, std::memory_order_relaxed);
        end_.store(end, std::memory_order_seq_cst);
    }
    void shut() noexcept { end_.store(0, std::memory_order_seq_cst); }

    // For figures: near the truth while its thread is taking.
    std::uint64_t left() const {
        const std::uint64_t end = end_.load(std::memory_order_relaxed);
        const std::uint64_t next = next_.load(std::memory_order_relaxed);
        const std::uint64_t count = next < end ? end - next : 0;
        return count <= static_cast<std::uint64_t>(limits::stripe_numbers_max) ? count : 0;
    }

private:
    std::atomic<std::uint64_t> next_ = 0;
    std::atomic<std::uint64_t> end_ = 0;
};

using RangeStripes = std::array<RangeStripe, limits::stripes_max>;

}  // namespace holdfast
