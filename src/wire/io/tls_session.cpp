#include "tls_context.h"
#include "tls_error.h"

#include <holdfast/io/tls_session.h>

#include <openssl/err.h>

#include <algorithm>

namespace holdfast {

struct TlsSession::Inside {
    explicit Inside(std::shared_ptr<const TlsContext> of) : context(std::move(of)) {}

    // After a call of OpenSSL that did not do what was asked. False: it needs more bytes, or the
    // peer has said its end.
    Result<bool> look_after(int outcome) {
        switch (SSL_get_error(ssl.get(), outcome)) {
        case SSL_ERROR_WANT_READ:
        case SSL_ERROR_ZERO_RETURN:
            return false;
        default:
            broken = true;
            return tls_failure(ssl.get());
        }
    }

    std::shared_ptr<const TlsContext> context;
    TlsWire wire;
    Ssl ssl;
    bool shaken = false;
    bool broken = false;  // OpenSSL has given up: it must not be asked again
};

TlsSession::TlsSession(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

TlsSession::~TlsSession() = default;

Result<std::unique_ptr<TlsSession>>
TlsSession::open(std::shared_ptr<const TlsContext> context, const std::string& host) {
    if (context == nullptr) {
        return Error(Code::invalid_argument, Effect::none, "no certificates for TLS");
    }
    auto inside = std::make_unique<Inside>(std::move(context));
    inside->ssl = inside->context->open(inside->wire);
    if (inside->ssl == nullptr) {
        return Error(Code::internal, Effect::none, "no memory for TLS");
    }
    auto prepared = inside->context->prepare_connect(*inside->ssl, host);
    if (!prepared.ok()) {
        return std::move(prepared).error();
    }
    return std::unique_ptr<TlsSession>(new TlsSession(std::move(inside)));
}

std::span<std::byte> TlsSession::space() {
    return inside_->wire.space();
}

void TlsSession::received(std::size_t count) {
    inside_->wire.received(count);
}

std::span<const std::byte> TlsSession::unsent() {
    return inside_->wire.unsent();
}

void TlsSession::sent(std::size_t count) {
    inside_->wire.sent(count);
}

void TlsSession::drop_unsent() {
    inside_->wire.drop_unsent();
}

Result<bool> TlsSession::shake() {
    ERR_clear_error();
    const int outcome = SSL_do_handshake(inside_->ssl.get());
    inside_->shaken = outcome == 1;
    return outcome == 1 ? Result<bool>(true) : inside_->look_after(outcome);
}

Result<std::size_t> TlsSession::encrypt(std::span<const std::byte> bytes) {
    std::size_t moved = 0;
    ERR_clear_error();
    const std::size_t most = std::min(bytes.size(), tls_record_bytes);
    const int outcome = SSL_write_ex(inside_->ssl.get(), bytes.data(), most, &moved);
    if (outcome != 1) {
        auto looked = inside_->look_after(outcome);
        if (!looked.ok()) {
            return std::move(looked).error();
        }
    }
    return moved;
}

Result<std::size_t> TlsSession::decrypt(std::span<std::byte> into) {
    std::size_t moved = 0;
    ERR_clear_error();
    const int outcome = SSL_read_ex(inside_->ssl.get(), into.data(), into.size(), &moved);
    if (outcome != 1) {
        auto looked = inside_->look_after(outcome);
        if (!looked.ok()) {
            return std::move(looked).error();
        }
    }
    return moved;
}

Result<bool> TlsSession::readable() {
    std::byte one{};
    std::size_t moved = 0;
    ERR_clear_error();
    const int outcome = SSL_peek_ex(inside_->ssl.get(), &one, 1, &moved);
    return outcome == 1 ? Result<bool>(true) : inside_->look_after(outcome);
}

bool TlsSession::ended() const {
    return (SSL_get_shutdown(inside_->ssl.get()) & SSL_RECEIVED_SHUTDOWN) != 0;
}

void TlsSession::say_end() {
    if (inside_->shaken && !inside_->broken) {
        ERR_clear_error();
        (void)SSL_shutdown(inside_->ssl.get());
    }
}

}  // namespace holdfast
