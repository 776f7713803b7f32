#pragma once
// A socket that one thread waits on at a time.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>
#include <holdfast/redis/options.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace holdfast::redis {

class BlockingSocket {
public:
    BlockingSocket() = default;
    ~BlockingSocket() { close(); }
    BlockingSocket(const BlockingSocket&) = delete;
    BlockingSocket& operator=(const BlockingSocket&) = delete;

    // TCP or unix. Every error: none.
    Result<Done> open(const RedisOptions& options, Deadline deadline);
    bool is_open() const { return fd_ >= 0; }
    void close();

    // What can be sent now; 0: nothing. `unreachable`: broken.
    Result<std::size_t> send_now(std::string_view bytes);
    // Waits for bytes for about `most` (at least 1 ms; may come back earlier). 0: none came.
    // `unreachable`: the end, or broken.
    Result<std::size_t> receive(std::span<std::byte> into, Duration most);
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

    int fd_ = -1;
    Duration receive_time_{0};  // what the system was told
};

}  // namespace holdfast::redis
