#pragma once
// A Redis server of the benchmark's own on a free port of 127.0.0.1.

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace holdfast::bench {

class RedisChild {
public:
    enum class Keeps : std::uint8_t {
        nothing,     // it is in memory alone
        each_write,  // flushed to a disk, in a folder that goes with it, before it is answered
    };
    explicit RedisChild(Keeps what = Keeps::nothing);  // fails the program without redis-server
    ~RedisChild();
    RedisChild(const RedisChild&) = delete;
    RedisChild& operator=(const RedisChild&) = delete;
    std::uint16_t port() const { return port_; }

private:
    std::uint16_t port_;
    std::string folder_;  // empty: none
    pid_t pid_ = -1;
};

// A connected socket.
int dial(std::uint16_t port);
// Of 127.0.0.1, at the moment.
std::uint16_t free_port();

}  // namespace holdfast::bench
