// Asks a service at a fixed rate, whatever it answers: an open loop. A request that is due waits
// for a free connection; its time counts from when it was due, so that a stall is not left out.
// While this program itself does not run, because others have the processor, its clock stands
// still: such a pause says nothing about the service. How much that was is told.
//
// usage: open_loop PORT CONNECTIONS RATE SECONDS < REQUEST. Prints one line:
// requests, not 2xx, p50, p99 and the longest in us, and the share of the time that was paused.

#include "stopwatch.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace holdfast::bench {
namespace {

// A turn of the loop takes microseconds; after more than this somebody else had the processor.
constexpr double turn_seconds_max = 500e-6;

struct Connection {
    int socket = -1;
    bool busy = false;
    double due = 0;
};

int connect_to(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int made = socket(AF_INET, SOCK_STREAM, 0);
    const int yes = 1;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (connect(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        std::perror("connect");
        std::exit(1);
    }
    return made;
}

double at(std::vector<double>& values, double part) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const auto place = static_cast<std::size_t>(part * static_cast<double>(values.size()));
    return values[std::min(place, values.size() - 1)] * 1e6;
}

class OpenLoop {
public:
    OpenLoop(std::uint16_t port, std::size_t connections, std::string request)
        : request_(std::move(request)), connections_(connections), polled_(connections) {
        for (std::size_t i = 0; i < connections; ++i) {
            connections_[i].socket = connect_to(port);
            polled_[i] = {connections_[i].socket, POLLIN, 0};
        }
    }

    void run(double rate, double seconds) {
        const auto total = static_cast<std::uint64_t>(rate * seconds);
        std::uint64_t sent = 0;
        while (times_.size() < total) {
            look();
            for (Connection& connection : connections_) {
                const double due = static_cast<double>(sent) / rate;
                if (sent == total || due > now_) {
                    break;
                }
                if (!connection.busy) {
                    ask(connection, due);
                    ++sent;
                }
            }
            if (poll(polled_.data(), polled_.size(), 0) > 0) {
                look();
                take();
            }
        }
    }

    void print() {
        std::printf(
            "%zu %zu %.1f %.1f %.1f %.4f\n",
            times_.size(),
            not_2xx_,
            at(times_, 0.5),
            at(times_, 0.99),
            at(times_, 1),
            paused_ / clock_.seconds()
        );
    }

private:
    void look() {
        const double gap = clock_.seconds() - paused_ - now_;
        if (gap > turn_seconds_max) {
            paused_ += gap;
        }
        now_ = clock_.seconds() - paused_;
    }

    void ask(Connection& connection, double due) {
        connection.busy = true;
        connection.due = due;
        if (send(connection.socket, request_.data(), request_.size(), MSG_NOSIGNAL) !=
            static_cast<ssize_t>(request_.size())) {
            std::perror("send");
            std::exit(1);
        }
    }

    // An answer of ours is a few hundred bytes and arrives as one.
    void take() {
        char answer[4096];
        for (std::size_t i = 0; i < polled_.size(); ++i) {
            if (polled_[i].revents == 0) {
                continue;
            }
            const ssize_t count = recv(polled_[i].fd, answer, sizeof answer, 0);
            if (count < 12) {
                std::fprintf(stderr, "the service closed a connection\n");
                std::exit(1);
            }
            connections_[i].busy = false;
            times_.push_back(now_ - connections_[i].due);
            not_2xx_ += answer[9] == '2' ? 0 : 1;
        }
    }

    Stopwatch clock_;
    std::string request_;
    std::vector<Connection> connections_;
    std::vector<pollfd> polled_;
    std::vector<double> times_;
    double now_ = 0;     // without the pauses
    double paused_ = 0;  // seconds
    std::size_t not_2xx_ = 0;
};

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: open_loop PORT CONNECTIONS RATE SECONDS < REQUEST\n");
        return 2;
    }
    std::string request(std::istreambuf_iterator<char>(std::cin), {});
    holdfast::bench::OpenLoop loop(
        static_cast<std::uint16_t>(std::atoi(argv[1])),
        static_cast<std::size_t>(std::atoi(argv[2])),
        std::move(request)
    );
    loop.run(std::atof(argv[3]), std::atof(argv[4]));
    loop.print();
    return 0;
}
