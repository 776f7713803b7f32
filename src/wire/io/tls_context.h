#pragma once
// What a TlsContext is inside: OpenSSL's context and the way to our streams.

#include "tls_wire.h"

#include <holdfast/io/tls.h>

#include <openssl/ssl.h>

namespace holdfast {

struct SslContextDelete {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
struct SslDelete {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
};
using Ssl = std::unique_ptr<SSL, SslDelete>;

class TlsContext {
public:
    TlsContext(SSL_CTX* context, std::string protocol)
        : context_(context), method_(make_wire_method()), protocol_(std::move(protocol)) {}

    SSL_CTX* get() const { return context_.get(); }
    bool whole() const { return context_ != nullptr && method_ != nullptr; }
    // As ALPN writes it: one byte with the length, then the name. Empty: any.
    const std::string& protocol() const { return protocol_; }
    // The peer's certificate may carry any name.
    void skip_name() { checks_name_ = false; }
    // A connection over the wire, which outlives it. Null: no memory.
    Ssl open(TlsWire& wire) const;
    // Makes it a client's side that looks for this host. `invalid_argument`: no name to look for.
    Result<Done> prepare_connect(SSL& ssl, const std::string& host) const;

private:
    std::unique_ptr<SSL_CTX, SslContextDelete> context_;
    BioMethod method_;
    std::string protocol_;
    bool checks_name_ = true;
};

}  // namespace holdfast
