#pragma once
// What listens on one loop, and its connections. Runs as a task of that loop; whoever else holds it
// uses only what says "any thread".

#include "counts.h"
#include "session.h"

#include <holdfast/io/tcp.h>

#include <atomic>
#include <memory>

namespace holdfast {

// Shared by the loops of a server.
struct ServerShare {
    explicit ServerShare(const HttpServerOptions& server_options) : options(server_options) {}
    const HttpServerOptions options;
    std::atomic<std::size_t> connections_open = 0;
};

class HttpListener {
public:
    HttpListener(
        Loop& loop,
        std::unique_ptr<TcpListener> listener,
        std::unique_ptr<HttpHandler> handler,
        std::shared_ptr<ServerShare> share
    );

    // Accepts until it is drained or asked to stop, then until its connections have ended; a
    // request to stop drops them. Holds `self` meanwhile.
    static Task<> listen(std::shared_ptr<HttpListener> self);

    // Any thread, while the task runs.
    void drain();
    // Any thread.
    const LoopCounts& counts() const { return counts_; }

private:
    class Connection;
    class Handshake;
    struct Drain final : Work {
        explicit Drain(HttpListener& listener) : owner(&listener) {}
        void run() override { owner->drain_now(); }
        HttpListener* owner;
    };
    void take(TcpAccepted accepted);
    void serve(TcpAccepted accepted);
    void turn_away(Stream& stream);
    void drain_now();

    Loop* loop_;
    std::unique_ptr<HttpHandler> handler_;
    std::shared_ptr<ServerShare> share_;
    LoopCounts counts_;
    std::unique_ptr<TcpListener> listener_;
    List<Connection> connections_;
    List<Handshake> handshakes_;
    Drain drain_{*this};
    std::atomic<bool> drain_sent_ = false;
    bool draining_ = false;
};

}  // namespace holdfast
