#include <arpa/inet.h>
#include <live/ports.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>

namespace holdfast::testing {
namespace {

constexpr std::uint16_t first = 15'000;
constexpr std::uint16_t count = 7'000;
constexpr int tries = 200;

bool can_listen(std::uint16_t port) {
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool bound = bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(fd);
    return bound;
}

}  // namespace

std::uint16_t free_port() {
    thread_local std::mt19937 random{std::random_device{}()};
    for (int i = 0; i < tries; ++i) {
        const auto port = static_cast<std::uint16_t>(first + random() % count);
        if (can_listen(port)) {
            return port;
        }
    }
    std::fputs("no free port for a server of this test\n", stderr);
    std::abort();
}

}  // namespace holdfast::testing
