#pragma once
// A segment generator without the call: its counter, compiled into the loop that takes from it.

#include <holdfast/ids/generator.h>
#include <holdfast/ids/range_window.h>

#include <cstdint>
#include <optional>

namespace holdfast {

// What a handle asks of its generator once a range.
class SegmentSource {
public:
    virtual ~SegmentSource() = default;
    // Null: the threads take from parts of their own, or each number is a call of the store.
    virtual RangeWindow* window() = 0;
    // After window()->take() was not good.
    virtual Result<std::int64_t> next_slowly(RangeWindow::Taken taken, std::uint64_t number) = 0;
};

// Any thread; copies are the same. The generator outlives it.
class SegmentHandle {
public:
    // Nothing: not a segment generator in `order: process` and mode chain or plain.
    static std::optional<SegmentHandle> of(IdGenerator& generator);

    // As generator.next(): same numbers, same errors, in turn with everyone else.
    Result<std::int64_t> next() {
        std::uint64_t number = 0;
        const RangeWindow::Taken taken = window_->take(number);
        if (taken == RangeWindow::Taken::good) [[likely]] {
            return static_cast<std::int64_t>(number);
        }
        return source_->next_slowly(taken, number);
    }
    // The same without the reason: nothing is for next() to explain. Travels in registers.
    std::optional<std::int64_t> try_next() {
        std::uint64_t number = 0;
        const RangeWindow::Taken taken = window_->take(number);
        if (taken == RangeWindow::Taken::good) [[likely]] {
            return static_cast<std::int64_t>(number);
        }
        const Result<std::int64_t> late = source_->next_slowly(taken, number);
        return late.ok() ? std::optional(late.value()) : std::nullopt;
    }

private:
    SegmentHandle(RangeWindow& window, SegmentSource& source)
        : window_(&window), source_(&source) {}

    RangeWindow* window_;
    SegmentSource* source_;
};

}  // namespace holdfast
