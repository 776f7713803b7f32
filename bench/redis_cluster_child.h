#pragma once
// A Redis Cluster of the benchmark's own, in memory, on free ports of 127.0.0.1: three primaries
// with a replica each.

#include "machine.h"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::bench {

class RedisClusterChild {
public:
    RedisClusterChild();  // fails the program if it does not come up
    ~RedisClusterChild();
    RedisClusterChild(const RedisClusterChild&) = delete;
    RedisClusterChild& operator=(const RedisClusterChild&) = delete;

    std::size_t size() const { return nodes_.size(); }
    std::uint16_t port(std::size_t node) const { return nodes_.at(node).port; }
    bool is_primary(std::size_t node) const;
    // Of a primary that has one.
    std::size_t replica_of(std::size_t primary) const;
    // Which node serves the key, as itself says.
    std::size_t owner_of(const std::string& key) const;

    void kill(std::size_t node);  // kill -9
    void start(std::size_t node);
    // All nodes say so, and all replicas are linked.
    void wait_until_ok() const;

private:
    struct Node {
        std::uint16_t port = 0;
        std::uint16_t bus_port = 0;
        pid_t pid = -1;
    };
    bool ok() const;

    TemporaryFolder folder_{"/tmp"};
    std::vector<Node> nodes_;
};

}  // namespace holdfast::bench
