#pragma once
// The range half of the store contract: intervals of numbers, each given out once for ever.

#include <holdfast/base/time.h>
#include <holdfast/io/task.h>
#include <holdfast/store/names.h>

#include <cstdint>
#include <variant>

namespace holdfast {

// Half-open: start is the first number of the range, end the first that is not.
struct Range {
    std::int64_t start;
    std::int64_t end;
    friend bool operator==(const Range&, const Range&) = default;
};
struct RangeSealed {
    friend bool operator==(const RangeSealed&, const RangeSealed&) = default;
};
// The reservation would pass 2^63-1; nothing was changed.
struct RangeExhausted {
    friend bool operator==(const RangeExhausted&, const RangeExhausted&) = default;
};
using ReserveOutcome = std::variant<Range, RangeSealed, RangeExhausted>;

enum class SealOutcome : std::uint8_t { sealed, unsupported };

class ReserveRequest {
public:
    ReserveRequest(RangeKey key, std::int64_t size, std::int64_t initial_offset = 0)
        : key_(std::move(key)), size_(size), initial_offset_(initial_offset) {}

    const RangeKey& key() const { return key_; }
    std::int64_t size() const { return size_; }  // 1..1e12
    std::int64_t initial_offset() const {
        return initial_offset_;
    }  // 0..2^63-1; used while the key does not exist

private:
    RangeKey key_;
    std::int64_t size_;
    std::int64_t initial_offset_;
};

class RangeStore {
public:
    virtual ~RangeStore() = default;

    // Takes the next `size` numbers of the key. The answer is given only when the write is durable.
    // invalid_argument, none: size or offset out of range. An error with effect unknown may have
    // burnt numbers; it may be sent again, which burns more but never repeats one. Any loop of the
    // store's runtime.
    virtual Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) = 0;

    // Ends a key: no later reserve of it succeeds. Sealing twice is sealing once; a key that does
    // not exist can be sealed.
    virtual Task<SealOutcome> seal(RangeKey key, Deadline deadline) = 0;
};

}  // namespace holdfast
