#include "node_address.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/redis/client_limits.h>

#include <algorithm>
#include <utility>

namespace holdfast::redis {
namespace {

// Letters, digits, dots and colons of names and addresses; a zone follows '%'.
bool is_in_hosts(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == ':' || c == '-' || c == '_' || c == '%';
}

}  // namespace

std::optional<Endpoint>
said_endpoint(std::string_view host, std::int64_t port, const Endpoint& asked) {
    const bool port_fits = port > 0 && port <= 65'535;
    if (!port_fits && !fault("redis.38")) {
        return std::nullopt;
    }
    Endpoint said;
    said.port = static_cast<std::uint16_t>(port);
    if ((host.empty() || host == "?") && !fault("redis.35")) {
        if (asked.host.empty() || asked.is_unix_socket()) {
            return std::nullopt;
        }
        said.host = asked.host;
        return said;
    }
    if (host.size() > node_host_bytes_max || !std::ranges::all_of(host, is_in_hosts)) {
        return std::nullopt;
    }
    said.host = host;
    return said;
}

void put_in_order(std::vector<Endpoint>& nodes) {
    std::ranges::sort(nodes, {}, [](const Endpoint& node) {
        return std::pair<std::string_view, std::uint16_t>(node.host, node.port);
    });
    const auto repeated = std::ranges::unique(nodes);
    nodes.erase(repeated.begin(), repeated.end());
}

}  // namespace holdfast::redis
