#include "redis_child.h"

#include "machine.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace holdfast::bench {
namespace {

constexpr int dials_max = 500;
constexpr int dial_pause_ms = 10;

sockaddr_in local(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

int try_dial(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = local(port);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(fd);
        return -1;
    }
    const int on = 1;
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

}  // namespace

std::uint16_t free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = local(0);
    socklen_t size = sizeof address;
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        fail("no free port");
    }
    ::close(fd);
    return ntohs(address.sin_port);
}

RedisChild::RedisChild(Keeps what) : port_(free_port()) {
    const std::string port = std::to_string(port_);
    const bool keeps = what == Keeps::each_write;
    if (keeps) {
        std::string folder = "/var/tmp/holdfast-bench-XXXXXX";  // a real disk: /tmp may be memory
        if (::mkdtemp(folder.data()) == nullptr) {
            fail("no temporary folder");
        }
        folder_ = folder;
    }
    const char* folder = keeps ? folder_.c_str() : "/";
    pid_ = ::fork();
    if (pid_ == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        ::execlp(
            "redis-server",
            "redis-server",
            "--port",
            port.c_str(),
            "--save",
            "",
            "--dir",
            folder,
            "--appendonly",
            keeps ? "yes" : "no",
            "--appendfsync",
            "always",
            "--loglevel",
            "warning",
            static_cast<char*>(nullptr)
        );
        ::_exit(127);
    }
    for (int i = 0; i < dials_max; ++i) {
        if (const int fd = try_dial(port_); fd >= 0) {
            ::close(fd);
            return;
        }
        ::poll(nullptr, 0, dial_pause_ms);
    }
    fail("redis-server did not start: is it installed?");
}

RedisChild::~RedisChild() {
    ::kill(pid_, SIGTERM);
    ::waitpid(pid_, nullptr, 0);
    if (!folder_.empty()) {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
}

int dial(std::uint16_t port) {
    const int fd = try_dial(port);
    if (fd < 0) {
        fail("the server takes no connection");
    }
    return fd;
}

}  // namespace holdfast::bench
