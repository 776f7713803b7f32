#pragma once
// An HTTP/1.1 listener: framing, limits and time limits are kept here; what a request means is the
// handler's.

#include <holdfast/http/message.h>
#include <holdfast/io/runtime.h>
#include <holdfast/io/tls.h>

#include <cstdint>
#include <memory>
#include <string>

namespace holdfast {

class HttpHandler {
public:
    virtual ~HttpHandler() = default;

    // Loop thread, after the header and before any byte of the body is asked for (100-continue is
    // sent only after `true`). False: `response` is the answer and the body is not read. Must not
    // wait.
    virtual bool admit(const HttpRequest& request, HttpResponse& response) = 0;

    // Loop thread. Fills the response to a whole request. The request's views live until the task
    // has ended. The client's going away, or its ending of its side, asks a task that waits to
    // stop; what it answers then is dropped. An error is answered through refuse() with 500.
    virtual Task<Done> serve(const HttpRequest& request, HttpResponse& response) = 0;

    // Loop thread. A request that never became one (framing, limits, time): fills body and headers
    // for the status the listener chose; the connection closes after it.
    virtual void refuse(HttpRefusal refusal, HttpResponse& response) = 0;
};

// One handler per loop, so that handlers need no locks. Called once for each loop at the start.
class HttpHandlers {
public:
    virtual ~HttpHandlers() = default;
    virtual std::unique_ptr<HttpHandler> open(Loop& loop) = 0;
};

class HttpServerOptions {
public:
    HttpServerOptions address(std::string text) && {
        address_ = std::move(text);
        return std::move(*this);
    }
    HttpServerOptions port(std::uint16_t port) && {
        port_ = port;
        return std::move(*this);
    }
    HttpServerOptions connections_max(std::size_t count) && {
        connections_max_ = count;
        return std::move(*this);
    }
    HttpServerOptions limits(HttpLimits limits) && {
        limits_ = limits;
        return std::move(*this);
    }
    // https instead of http. A handshake has the header's time limit; while it lasts the connection
    // counts as open.
    HttpServerOptions tls(std::shared_ptr<const TlsServerContexts> contexts) && {
        tls_ = std::move(contexts);
        return std::move(*this);
    }

    const std::string& address() const { return address_; }
    std::uint16_t port() const { return port_; }  // 0: a free one, see HttpServer::port
    std::size_t connections_max() const { return connections_max_; }
    const HttpLimits& limits() const { return limits_; }
    const std::shared_ptr<const TlsServerContexts>& tls() const {
        return tls_;
    }  // null: plain text

private:
    std::string address_ = "127.0.0.1";
    std::uint16_t port_ = 8688;
    std::size_t connections_max_ = 4096;
    HttpLimits limits_;
    std::shared_ptr<const TlsServerContexts> tls_;
};

// What the listener counts, summed over its loops.
struct HttpServerCounts {
    std::uint64_t connections_open = 0;
    std::uint64_t connections_accepted = 0;
    std::uint64_t connections_refused = 0;  // over connections_max
    std::uint64_t handshakes_failed = 0;    // of TLS: not spoken, refused, too slow, left early
    std::uint64_t requests = 0;
    std::uint64_t refusals = 0;  // never became a request
};

class HttpServer {
public:
    // Not on a loop thread. Stops at once: handlers at work are destroyed where they wait; call
    // drain first for a graceful end.
    virtual ~HttpServer() = default;
    virtual std::uint16_t port() const = 0;
    virtual HttpServerCounts counts() const = 0;  // any thread

    // Stops accepting, lets what is in flight end, closes idle connections. Done, or timed_out when
    // the deadline came first: what was left has been cut off.
    virtual Task<Done> drain(Deadline deadline) = 0;
};

// Opens a listener on every loop of the runtime (SO_REUSEPORT; a port that someone else shares is
// refused all the same). invalid_argument: the address cannot be read; denied: not permitted;
// unreachable: not an address of this host; internal: in use. `handlers` and `runtime` outlive the
// server. Not on a loop thread.
Result<std::unique_ptr<HttpServer>>
open_http_server(Runtime& runtime, HttpServerOptions options, HttpHandlers& handlers);

}  // namespace holdfast
