#pragma once
// Servers as clients see them, each behind a proxy of its own: one can be cut off from clients
// while the others still reach it.
//
//   RedisCluster cluster;
//   ClientSide side(cluster.ports());              // also of RedisSentinels: server_ports()
//   ... a client of 127.0.0.2:cluster.ports()[0] ...
//   side.cut(2);                                   // its peers see nothing of it
//   side.heal(2);
//
// Each proxy has its server's own port at 127.0.0.2, and whatever a server or a sentinel says of
// 127.0.0.1 reads 127.0.0.2 to clients: MOVED, CLUSTER SLOTS, ROLE, +switch-master, but a value of
// a test too. Servers among themselves stay at 127.0.0.1. Not for TLS.

#include <faults/fault_proxy.h>

#include <memory>
#include <string>
#include <vector>

namespace holdfast::testing {

class ClientSide {
public:
    static std::string host() { return "127.0.0.2"; }

    explicit ClientSide(const std::vector<std::uint16_t>& ports);

    FaultProxy& proxy(std::size_t number) const { return *proxies_.at(number); }
    // As a network that loses all packets, but for one thing: what dials it is accepted, and then
    // hears nothing.
    void cut(std::size_t number) const;
    // What was lost stays lost: connections from before the cut are reset, as they would have
    // been after a while.
    void heal(std::size_t number) const;

private:
    std::vector<std::unique_ptr<FaultProxy>> proxies_;
};

}  // namespace holdfast::testing
