#pragma once
// A Redis server of the benchmark's own, in memory, on a free port of 127.0.0.1.

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace holdfast::bench {

class RedisChild {
public:
    RedisChild();  // fails the program if there is no redis-server
    ~RedisChild();
    RedisChild(const RedisChild&) = delete;
    RedisChild& operator=(const RedisChild&) = delete;
    std::uint16_t port() const { return port_; }

private:
    std::uint16_t port_;
    pid_t pid_ = -1;
};

// A connected socket.
int dial(std::uint16_t port);
// Of 127.0.0.1, at the moment.
std::uint16_t free_port();

}  // namespace holdfast::bench
