#include "blocking_socket.h"

#include <holdfast/base/fault_switch.h>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace holdfast::redis {
namespace {

Error broken() {
    return Error(Code::unreachable, Effect::none, "the connection broke");
}

Error cannot_reach() {
    return Error(Code::unreachable, Effect::none, "no address of the host took the connection");
}

}  // namespace

void BlockingSocket::close() {
    if (const int open = fd_.exchange(-1); open >= 0) {
        ::close(open);
    }
}

void BlockingSocket::forked() noexcept {
    forked_ = true;
    if (!fault("redis.fork")) {
        close();
    }
}

Result<Done> BlockingSocket::open_unix(const std::string& path, Deadline deadline) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        return Error(Code::invalid_argument, Effect::none, "the path of the socket is too long");
    }
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return connect_to(AF_UNIX, &address, sizeof address, deadline);
}

Result<Done> BlockingSocket::open_tcp(
    std::span<const SocketAddress> addresses, Duration unacknowledged_max, Deadline deadline
) {
    Result<Done> outcome = cannot_reach();
    for (const SocketAddress& address : addresses) {
        outcome = connect_to(address.storage.ss_family, &address.storage, address.size, deadline);
        if (outcome.ok()) {
            break;
        }
    }
    if (outcome.ok()) {
        const int on = 1;
        const auto unacknowledged = static_cast<unsigned>(unacknowledged_max.count());
        (void)::setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        (void
        )::setsockopt(fd_, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged, sizeof unacknowledged);
    }
    return outcome;
}

Result<Done>
BlockingSocket::connect_to(int family, const void* address, unsigned size, Deadline deadline) {
    close();
    fd_ = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd_ < 0) {
        return Error(Code::overloaded, Effect::none, "no descriptors or memory for sockets");
    }
    receive_time_ = Duration(0);
    int failure = 0;
    if (::connect(fd_, static_cast<const sockaddr*>(address), size) != 0) {
        failure = errno;
        if (failure == EINPROGRESS) {
            pollfd waiting{fd_, POLLOUT, 0};
            const Duration left = deadline.left(system_clock().steady_now());
            socklen_t length = sizeof failure;
            if (::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) {
                failure = ETIMEDOUT;
            } else if (::getsockopt(fd_, SOL_SOCKET, SO_ERROR, &failure, &length) != 0) {
                failure = errno;
            }
        }
    }
    if (failure != 0) {
        close();
        return cannot_reach();
    }
    // Blocking from here on: one call waits and reads. Writes say MSG_DONTWAIT.
    int flags = ::fcntl(fd_, F_GETFL);
    (void)::fcntl(fd_, F_SETFL, flags & ~O_NONBLOCK);
    return Done();
}

Result<std::size_t> BlockingSocket::send_now(std::string_view bytes) {
    for (;;) {
        const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) {
            return static_cast<std::size_t>(sent);
        }
        if (errno == EAGAIN || errno == ENOBUFS) {
            return std::size_t{0};
        }
        if (errno != EINTR) {
            return broken();
        }
    }
}

Result<std::size_t> BlockingSocket::receive(std::span<std::byte> into, Duration most) {
    if (receive_time_ == Duration(0) || most < receive_time_) {
        set_receive_time(most);
    }
    const ssize_t got = ::recv(fd_, into.data(), into.size(), 0);
    if (got > 0) {
        return static_cast<std::size_t>(got);
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        if (most > receive_time_) {
            set_receive_time(most);
        }
        return std::size_t{0};
    }
    return broken();
}

Result<std::size_t> BlockingSocket::receive_now(std::span<std::byte> into) {
    const ssize_t got = ::recv(fd_, into.data(), into.size(), MSG_DONTWAIT);
    if (got > 0) {
        return static_cast<std::size_t>(got);
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return std::size_t{0};
    }
    return broken();
}

// A power of two of milliseconds: it is set anew a few times in the course of a deadline, not for
// each call.
void BlockingSocket::set_receive_time(Duration most) {
    const auto ms = static_cast<std::uint64_t>(std::clamp<std::int64_t>(most.count(), 1, 1 << 16));
    receive_time_ = Duration(static_cast<std::int64_t>(std::bit_floor(ms)));
    timeval time{};
    time.tv_sec = receive_time_.count() / 1'000;
    time.tv_usec = receive_time_.count() % 1'000 * 1'000;
    (void)::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
}

bool BlockingSocket::has_ended() const {
    char one = 0;
    const ssize_t got = ::recv(fd_, &one, sizeof one, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
}

void BlockingSocket::wake_reader() const {
    if (fd_ >= 0) {
        (void)::shutdown(fd_, SHUT_RDWR);
    }
}

void BlockingSocket::wait_for_room(Duration most) const {
    pollfd waiting{fd_, POLLIN | POLLOUT, 0};
    (void)::poll(&waiting, 1, static_cast<int>(std::clamp<std::int64_t>(most.count(), 1, 1'000)));
}

}  // namespace holdfast::redis
