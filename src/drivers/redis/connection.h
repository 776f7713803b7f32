#pragma once
// An open connection on a loop, with the first words said.

#include "read_buffer.h"
#include "write_buffer.h"

#include <holdfast/io/stream.h>
#include <holdfast/redis/options.h>
#include <holdfast/resp/parser.h>

#include <memory>
#include <string>

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
};

// Name, TCP or unix socket, TLS, handshake: all of it within the options' dial_time. Errors have
// effect none: `unreachable`, `timed_out`, `denied`, `corrupt`, `unsupported`, `cancelled`, ..
Task<std::shared_ptr<Connection>> dial(std::shared_ptr<const RedisOptions> options);

}  // namespace holdfast::redis
