#pragma once
// Addresses of nodes as nodes say them.

#include <holdfast/redis/uri.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace holdfast::redis {

// The host of a node that does not know its own, or does not tell it, is empty or "?": then the
// one that was asked is meant, with the port that was said. Nothing: the host is longer than
// node_host_bytes_max or holds what no name and no address holds, the port is none, or no host is
// meant.
std::optional<Endpoint>
said_endpoint(std::string_view host, std::int64_t port, const Endpoint& asked);

// By address, each once: an order that does not depend on who tells them.
void put_in_order(std::vector<Endpoint>& nodes);

}  // namespace holdfast::redis
