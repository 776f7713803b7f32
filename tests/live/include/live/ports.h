#pragma once
// Ports of 127.0.0.1 for servers of tests.

#include <cstdint>

namespace holdfast::testing {

// One that nobody listens on now; another process may take it before its server does. It is below
// the ports that the kernel gives to outgoing connections, and so is the port 10 000 above it (the
// bus of a Redis Cluster): a client that dials a dead server can never reach itself.
std::uint16_t free_port();

}  // namespace holdfast::testing
