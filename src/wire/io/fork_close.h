#pragma once
// Closing in a forked child: the descriptor alone. No shutdown, which the parent's peer would see,
// and no word to the loop, whose epoll set is shared with the parent.

#include <unistd.h>

#include <atomic>

namespace holdfast {

inline void close_descriptor(std::atomic<int>& descriptor) noexcept {
    if (const int open = descriptor.exchange(-1); open >= 0) {
        ::close(open);
    }
}

}  // namespace holdfast
