#include "listener.h"

#include "response_head.h"

#include <holdfast/http/limits.h>

namespace holdfast {

// Deletes itself, on the loop's next turn after its session has ended.
class HttpListener::Connection final : public Link {
public:
    Connection(HttpListener& owner, TcpAccepted accepted)
        : owner_(&owner), peer_(std::move(accepted.peer_address)),
          session_(
              std::move(accepted.stream),
              peer_,
              *owner.handler_,
              owner.share_->options.limits(),
              owner.counts_
          ),
          scope_(*owner.loop_), task_(live()) {}
    ~Connection() { owner_->share_->connections_open.fetch_sub(1, std::memory_order_relaxed); }

    void begin() { task_.run(scope_); }
    void drain() { session_.drain(); }

private:
    Task<> live() {
        (void)co_await session_.live();
        owner_->loop_->post(end_);
        co_return Done();
    }
    struct End final : Work {
        explicit End(Connection& connection) : ended(&connection) {}
        void run() override { delete ended; }
        Connection* ended;
    };

    HttpListener* owner_;
    std::string peer_;
    HttpSession session_;
    Scope scope_;
    End end_{*this};
    Task<> task_;
};

// A connection until its TLS stands. Apart from Connection, so that plain ones do not pay for it.
class HttpListener::Handshake final : public Link {
public:
    Handshake(HttpListener& owner, TcpAccepted accepted)
        : owner_(&owner), accepted_(std::move(accepted)), scope_(*owner.loop_), task_(shake()) {}
    ~Handshake() {
        if (counted_) {
            owner_->share_->connections_open.fetch_sub(1, std::memory_order_relaxed);
        }
    }

    void begin() { task_.run(scope_); }

private:
    Task<> shake() {
        const ServerShare& share = *owner_->share_;
        const Deadline deadline =
            Deadline::in(share.options.limits().header_time, owner_->loop_->now());
        auto tls = co_await accept_tls(
            std::move(accepted_.stream), share.options.tls()->current(), deadline
        );
        if (tls.ok()) {
            counted_ = false;  // the connection is from here on
            accepted_.stream = std::move(tls).value();
            owner_->serve(std::move(accepted_));
        } else {
            owner_->counts_.failed_handshakes.add();
        }
        owner_->loop_->post(end_);
        co_return Done();
    }
    struct End final : Work {
        explicit End(Handshake& handshake) : ended(&handshake) {}
        void run() override { delete ended; }
        Handshake* ended;
    };

    HttpListener* owner_;
    TcpAccepted accepted_;
    bool counted_ = true;
    Scope scope_;
    End end_{*this};
    Task<> task_;
};

HttpListener::HttpListener(
    Loop& loop,
    std::unique_ptr<TcpListener> listener,
    std::unique_ptr<HttpHandler> handler,
    std::shared_ptr<ServerShare> share
)
    : loop_(&loop), handler_(std::move(handler)), share_(std::move(share)),
      listener_(std::move(listener)) {}

Task<> HttpListener::listen(std::shared_ptr<HttpListener> self) {
    Scope& scope = co_await this_scope();
    while (!self->draining_ && !scope.cancelled()) {
        auto accepted = co_await self->listener_->accept();
        if (accepted.ok()) {
            self->take(std::move(accepted).value());
        } else if (accepted.error().code() != Code::overloaded) {
            // Whatever it is, it must not spin.
            (void)co_await sleep(scope.loop().now() + accept_pause);
        }
    }
    self->listener_.reset();
    // Nothing has been asked on them yet.
    while (!self->handshakes_.empty()) {
        delete &self->handshakes_.pop_front();
    }
    while (!self->connections_.empty() && !scope.cancelled()) {
        (void)co_await sleep(scope.loop().now() + drain_look);
    }
    while (!self->connections_.empty()) {
        delete &self->connections_.pop_front();
    }
    self->handler_.reset();
    co_return Done();
}

void HttpListener::take(TcpAccepted accepted) {
    const std::size_t before = share_->connections_open.fetch_add(1, std::memory_order_relaxed);
    if (before >= share_->options.connections_max()) {
        share_->connections_open.fetch_sub(1, std::memory_order_relaxed);
        counts_.refused_connections.add();
        turn_away(*accepted.stream);
        return;
    }
    counts_.accepted.add();
    if (share_->options.tls() == nullptr) {
        serve(std::move(accepted));
        return;
    }
    auto* const handshake = new Handshake(*this, std::move(accepted));
    handshakes_.push_back(*handshake);
    handshake->begin();
}

void HttpListener::serve(TcpAccepted accepted) {
    auto* const connection = new Connection(*this, std::move(accepted));
    connections_.push_back(*connection);
    connection->begin();
    if (draining_) {
        connection->drain();
    }
}

// Without waiting: a flood of connections must not cost what it was refused for. Who expects TLS
// cannot be told in plain text.
void HttpListener::turn_away(Stream& stream) {
    if (share_->options.tls() != nullptr) {
        return;
    }
    HttpResponse response;
    handler_->refuse(HttpRefusal{503, "too many connections"}, response);
    response.status = 503;
    std::string head;
    format_head(head, response, true);
    (void)stream.write_now(bytes_of(head), bytes_of(response.content()));
    stream.shutdown_write();
}

void HttpListener::drain() {
    if (!drain_sent_.exchange(true)) {
        loop_->send(drain_);
    }
}

void HttpListener::drain_now() {
    draining_ = true;
    if (listener_ != nullptr) {
        listener_->close();
    }
    List<Connection> seen;
    seen.take(connections_);
    while (!seen.empty()) {
        Connection& connection = seen.front();
        connections_.push_back(connection);
        connection.drain();
    }
}

}  // namespace holdfast
