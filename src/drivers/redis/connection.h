#pragma once
// An open connection on a loop, with the first words said.

#include "read_buffer.h"
#include "write_buffer.h"

#include <holdfast/io/stream.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/options.h>
#include <holdfast/redis/uri.h>
#include <holdfast/resp/parser.h>

#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

struct Connection {
    std::unique_ptr<Stream> stream;
    ReadBuffer in;
    RespParser parser;
    WriteBuffer out;
    std::size_t out_sent = 0;
    bool writing = false;  // a task writes the rest of `out`, which must stay where it is
    int protocol = 3;
    std::string server_version;
    std::string zone;  // its availability zone, as a server that has one says in its greeting
};

enum class NodeRole : std::uint8_t {
    any,      // whatever it is
    primary,  // it must say that it is one; else `unreachable`
    replica,  // of a cluster: it is told that reads may be old
};

// Which node, and as what.
class DialTarget {
public:
    DialTarget() {}  // NOLINT(modernize-use-equals-default): no aggregate
    explicit DialTarget(Endpoint endpoint, NodeRole as = NodeRole::any)
        : node(std::move(endpoint)), role(as) {}
    Endpoint node;
    NodeRole role = NodeRole::any;
    // Said after the greeting; the connection is opened only if the server takes them all.
    std::vector<AnyCommand> first_commands = {};
};

// Name, TCP or unix socket, TLS, handshake: all of it within the options' dial_time. Errors have
// effect none: `unreachable`, `timed_out`, `denied`, `corrupt`, `unsupported`, `cancelled`, ..
Task<std::shared_ptr<Connection>>
dial(std::shared_ptr<const RedisOptions> options, DialTarget target);

}  // namespace holdfast::redis
