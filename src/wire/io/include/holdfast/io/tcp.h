#pragma once
// TCP and unix sockets without Boost in sight: listeners and connections of a loop. On a virtual
// runtime the same calls give virtual ones.

#include <holdfast/io/stream.h>

#include <cstdint>
#include <memory>
#include <string>

namespace holdfast {

class TcpListenOptions {
public:
    // An IPv4 or IPv6 literal; default 127.0.0.1.
    TcpListenOptions& address(std::string text) {
        address_ = std::move(text);
        return *this;
    }
    // 0: any free one, see TcpListener::port().
    TcpListenOptions& port(std::uint16_t number) {
        port_ = number;
        return *this;
    }
    // SO_REUSEPORT: each loop opens a listener of its own on one port and the system spreads
    // connections over them.
    TcpListenOptions& shared_port(bool shared) {
        shared_port_ = shared;
        return *this;
    }
    // Connections that wait to be accepted; the system may cut it (net.core.somaxconn). Default:
    // backlog_default.
    TcpListenOptions& backlog(int most) {
        backlog_ = most;
        return *this;
    }

    const std::string& address() const { return address_; }
    std::uint16_t port() const { return port_; }
    bool shared_port() const { return shared_port_; }
    int backlog() const { return backlog_; }

    static constexpr int backlog_default =
        1024;  // a second of arrivals at the rate one loop can accept while it is busy

private:
    std::string address_ = "127.0.0.1";
    std::uint16_t port_ = 0;
    bool shared_port_ = false;
    int backlog_ = backlog_default;
};

struct TcpAccepted {
    TcpAccepted(std::unique_ptr<Stream> accepted, std::string address, std::uint16_t port)
        : stream(std::move(accepted)), peer_address(std::move(address)), peer_port(port) {}
    std::unique_ptr<Stream> stream;  // lives on the listener's loop
    std::string peer_address;  // a literal without brackets; empty if the peer went away meanwhile
    std::uint16_t peer_port;
};

// Loop thread only, except port(). Destroyed on any thread while nothing is in flight, before its
// runtime; streams too.
class TcpListener {
public:
    virtual ~TcpListener() = default;
    virtual std::uint16_t port() const = 0;
    // One at a time. `cancelled`; `closed` after close(); `overloaded` if the process or the host
    // is out of descriptors or memory: it is answered no more often than every 100 ms, so a loop
    // that accepts again at once does not spin.
    virtual Task<TcpAccepted> accept() = 0;
    // Ends an accept in flight and frees the port. Connections already accepted go on.
    virtual void close() noexcept = 0;
};

// Any thread. `invalid_argument`: no address literal; `denied`: the port needs a privilege;
// `unreachable`: not an address of this host; `overloaded`: no descriptors; `internal`: else, such
// as a port in use. The effect is none.
Result<std::unique_ptr<TcpListener>> open_tcp_listener(Loop& loop, const TcpListenOptions& options);

// A connection on the loop of the task that asks. Host: an address literal or a name, whose
// addresses are tried in order. Every error has effect none: `unreachable`, `timed_out`,
// `cancelled`, `overloaded` (descriptors, or too many look-ups).
Task<std::unique_ptr<Stream>> connect_tcp(std::string host, std::uint16_t port, Deadline deadline);

// A connection to a unix socket, on the loop of the task that asks. Every error has effect none:
// `invalid_argument` (the path is empty or longer than the system takes: 107 bytes), `denied` (the
// socket's permissions), `unreachable` (nobody listens there), `timed_out`, `cancelled`,
// `overloaded`; `unsupported` on a virtual runtime.
Task<std::unique_ptr<Stream>> connect_unix(std::string path, Deadline deadline);

// What the functions above ask; implemented by each kind of runtime.
class Network {
public:
    virtual ~Network() = default;
    virtual Result<std::unique_ptr<TcpListener>>
    listen(Loop& loop, const TcpListenOptions& options) = 0;
    virtual Task<std::unique_ptr<Stream>> connect(std::string host, std::uint16_t port) = 0;
    virtual Task<std::unique_ptr<Stream>> connect_unix(std::string path) = 0;
};

}  // namespace holdfast
