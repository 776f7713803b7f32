#pragma once
// A socket with TLS around it where that is asked for.

#include "blocking_resolver.h"
#include "blocking_socket.h"

#include <holdfast/io/tls_session.h>
#include <holdfast/redis/options.h>

#include <memory>
#include <mutex>

namespace holdfast::redis {

// One thread receives and one sends at a time; they need not be the same. What the other members
// may run beside is said with each.
class BlockingStream {
public:
    BlockingStream() = default;
    ~BlockingStream() { close(); }
    BlockingStream(const BlockingStream&) = delete;
    BlockingStream& operator=(const BlockingStream&) = delete;

    // Name, TCP and TLS, or a unix socket. Alone. Every error: none; codes as of connect_tls().
    Result<Done> open(const RedisOptions& options, BlockingResolver& resolver, Deadline deadline);
    // Says the end, where there is TLS. Alone.
    void close();
    bool is_forked() const { return socket_.is_forked(); }

    // As BlockingSocket has them. Under TLS what send_now() took may still wait here; see
    // has_unsent().
    Result<std::size_t> send_now(std::string_view bytes);
    Result<std::size_t> receive(std::span<std::byte> into, Duration most);
    // Some of what was taken has not left: send_now(), even of nothing, goes on with it.
    bool has_unsent() const { return has_unsent_.load(std::memory_order_relaxed); }
    // Beside a sender.
    bool has_ended();
    // Beside both, while nobody opens or closes it.
    void wake_reader();
    void wait_for_room(Duration most) const { socket_.wait_for_room(most); }

private:
    Result<Done> shake(Deadline deadline);
    Result<Done> push();
    Result<std::size_t> send_encrypted(std::span<const std::byte> bytes);
    Result<std::size_t> receive_encrypted(std::span<std::byte> into, Duration most);
    void say_end();

    BlockingSocket socket_;
    std::unique_ptr<TlsSession> tls_;  // null: plain
    // One record of encryption for both directions. Never held while the system lets us wait.
    std::mutex tls_mutex_;
    std::atomic<bool> has_unsent_ = false;
};

}  // namespace holdfast::redis
