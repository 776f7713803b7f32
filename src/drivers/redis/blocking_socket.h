#pragma once
// A socket that one thread waits on at a time.

#include "blocking_resolver.h"

#include <holdfast/io/fork.h>

#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>

namespace holdfast::redis {

// What a forked child looks at: made before its owner is known to the registry of forks.
class SocketDescriptor {
protected:
    std::atomic<int> fd_ = -1;
    std::atomic<bool> forked_ = false;
};

// In a forked child it is closed without a word to the peer, who is the parent's.
class BlockingSocket final : private SocketDescriptor, private ForkAware {
public:
    BlockingSocket() = default;
    ~BlockingSocket() override { close(); }
    BlockingSocket(const BlockingSocket&) = delete;
    BlockingSocket& operator=(const BlockingSocket&) = delete;

    // The first address that takes it. Every error: none.
    Result<Done> open_tcp(
        std::span<const SocketAddress> addresses, Duration unacknowledged_max, Deadline deadline
    );
    Result<Done> open_unix(const std::string& path, Deadline deadline);
    bool is_open() const { return fd_ >= 0; }
    // This is a child of the process that opened it: nothing works any more.
    bool is_forked() const { return forked_; }
    void close();

    // What can be sent now; 0: nothing. `unreachable`: broken.
    Result<std::size_t> send_now(std::string_view bytes);
    // Waits for bytes for about `most` (at least 1 ms; may come back earlier). 0: none came.
    // `unreachable`: the end, or broken.
    Result<std::size_t> receive(std::span<std::byte> into, Duration most);
    // The same without waiting.
    Result<std::size_t> receive_now(std::span<std::byte> into);
    // The peer has ended it, or it broke; without waiting.
    bool has_ended() const;
    // Whoever is in receive() comes back. Another thread may say it while the socket is not opened
    // or closed.
    void wake_reader() const;
    // Waits until it can be written or has something to read.
    void wait_for_room(Duration most) const;

private:
    Result<Done> connect_to(int family, const void* address, unsigned size, Deadline deadline);
    void set_receive_time(Duration most);
    void forked() noexcept override;

    Duration receive_time_{0};  // what the system was told
};

}  // namespace holdfast::redis
