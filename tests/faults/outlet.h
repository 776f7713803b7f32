#pragma once
// Bytes on their way to a socket: delayed, in pieces.

#include <holdfast/base/time.h>

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace holdfast::testing {

struct Slices {
    std::size_t bytes = 0;  // 0: none
    Duration pace = Duration::zero();
};

class Outlet {
public:
    void add(std::string bytes, SteadyTime due);
    void clear();
    bool empty() const { return queue_.empty(); }
    std::size_t size() const { return size_; }
    // When there is something to write; the socket must also take it.
    std::optional<SteadyTime> due(const Slices& slices) const;
    // Writes what is due; false: the other side is gone.
    bool write(int fd, SteadyTime now, const Slices& slices);

private:
    struct Piece {
        std::string bytes;
        SteadyTime due;
        std::size_t sent = 0;
    };
    std::deque<Piece> queue_;
    std::size_t size_ = 0;
    SteadyTime paced_;  // the next slice does not leave before
};

}  // namespace holdfast::testing
