#include "poll_thread.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace holdfast::testing {

PollThread::PollThread() : wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

PollThread::~PollThread() {
    close(wake_);
}

void PollThread::begin() {
    thread_ = std::thread([this] { run(); });
}

void PollThread::end() {
    {
        const std::unique_lock lock(mutex_);
        ends_ = true;
        wake();
    }
    thread_.join();
}

void PollThread::with(const std::function<void()>& change) {
    std::unique_lock lock(mutex_);
    changes_.push_back(&change);
    const std::uint64_t mine = ++changes_asked_;
    wake();
    made_.wait(lock, [&] { return changes_made_ >= mine; });
}

void PollThread::wake() const {
    eventfd_write(wake_, 1);
}

void PollThread::run() {
    std::vector<pollfd> sockets;
    for (;;) {
        int timeout = -1;
        {
            const std::unique_lock lock(mutex_);
            sockets.clear();
            std::optional<SteadyTime> until;
            wanted(sockets, until);
            if (until.has_value()) {
                const Duration left = *until - system_clock().steady_now();
                timeout = static_cast<int>(std::max(left, Duration::zero()).count());
            }
        }
        sockets.push_back({wake_, POLLIN, 0});
        poll(sockets.data(), sockets.size(), timeout);
        eventfd_t ignored = 0;
        eventfd_read(wake_, &ignored);
        sockets.pop_back();
        const std::unique_lock lock(mutex_);
        if (ends_) {
            return;
        }
        for (const std::function<void()>* const change : changes_) {
            (*change)();
        }
        ready(sockets);
        changes_made_ += changes_.size();
        changes_.clear();
        made_.notify_all();
    }
}

int listen_on(std::uint16_t port, const std::string& host) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1 ||
        bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(fd, SOMAXCONN) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

void close_with_reset(int fd) {
    const linger now{1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close(fd);
}

bool set_up(int fd) {
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0;
}

}  // namespace holdfast::testing
