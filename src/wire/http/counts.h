#pragma once
// Counters that one loop writes and any thread reads: no locked instruction on the way of a
// request.

#include <atomic>
#include <cstdint>

namespace holdfast {

class OwnCounter {
public:
    void add() {
        count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    std::uint64_t read() const { return count_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> count_ = 0;
};

struct LoopCounts {
    OwnCounter accepted;
    OwnCounter refused_connections;
    OwnCounter failed_handshakes;
    OwnCounter requests;
    OwnCounter refusals;
};

}  // namespace holdfast
