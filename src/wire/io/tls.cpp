// The face of a TLS connection as a Stream, and the two handshakes.

#include "hand_over.h"
#include "tls_connection.h"

#include <holdfast/io/compose.h>

namespace holdfast {
namespace {

// A connection that says its end wherever it is destroyed.
class Leaving {
public:
    explicit Leaving(std::unique_ptr<TlsConnection> connection)
        : connection_(std::move(connection)) {}
    Leaving(Leaving&&) noexcept = default;
    Leaving& operator=(Leaving&&) = delete;
    ~Leaving() {
        if (connection_ != nullptr) {
            TlsConnection::leave(std::move(connection_));
        }
    }

private:
    std::unique_ptr<TlsConnection> connection_;
};

class TlsStream final : public Stream {
public:
    explicit TlsStream(std::unique_ptr<TlsConnection> connection)
        : connection_(std::move(connection)) {}
    ~TlsStream() override {
        Loop& loop = connection_->loop();
        Leaving leaving(std::move(connection_));
        if (!loop.on_this_thread()) {
            hand_over(loop, std::move(leaving));
        }
    }

    void shutdown_write() noexcept override { connection_->shutdown_write(); }
    void abort() noexcept override { connection_->abort(); }

private:
    Result<std::size_t>
    send_now(std::span<const std::byte> first, std::span<const std::byte> second) override {
        return connection_->send(first, second);
    }
    bool start_io(StreamAwait& io) override { return connection_->start_io(io); }
    void cancel_io(StreamAwait& io) noexcept override { connection_->cancel_io(io); }
    void forget_io(StreamAwait& io) noexcept override { connection_->forget_io(io); }

    std::unique_ptr<TlsConnection> connection_;
};

Task<std::unique_ptr<Stream>>
shake_hands(std::unique_ptr<TlsConnection> connection, Deadline deadline) {
    auto done = co_await with_deadline(connection->handshake(), deadline);
    if (done.ok()) {
        co_return std::make_unique<TlsStream>(std::move(connection));
    }
    const Code code = done.error().code();
    if (code == Code::denied || code == Code::unsupported || code == Code::corrupt) {
        const Deadline end = Deadline::in(tls_linger_time, connection->loop().now());
        (void)co_await with_deadline(connection->linger(), end.sooner(deadline));
    }
    co_return std::move(done).error();
}

}  // namespace

Task<std::unique_ptr<Stream>> accept_tls(
    std::unique_ptr<Stream> stream, std::shared_ptr<const TlsContext> context, Deadline deadline
) {
    Loop& loop = (co_await this_scope()).loop();
    auto connection = std::make_unique<TlsConnection>(loop, std::move(stream), std::move(context));
    auto prepared = connection->prepare_accept();
    if (!prepared.ok()) {
        co_return std::move(prepared).error();
    }
    co_return co_await shake_hands(std::move(connection), deadline);
}

Task<std::unique_ptr<Stream>> connect_tls(
    std::unique_ptr<Stream> stream,
    std::shared_ptr<const TlsContext> context,
    std::string host,
    Deadline deadline
) {
    Loop& loop = (co_await this_scope()).loop();
    auto connection = std::make_unique<TlsConnection>(loop, std::move(stream), std::move(context));
    auto prepared = connection->prepare_connect(host);
    if (!prepared.ok()) {
        co_return std::move(prepared).error();
    }
    co_return co_await shake_hands(std::move(connection), deadline);
}

}  // namespace holdfast
