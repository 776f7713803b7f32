#pragma once
// TLS 1.2 and 1.3 over any Stream. The result is a Stream again: who uses it need not know.

#include <holdfast/io/stream.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace holdfast {

// Paths of PEM files. They are read when a context is opened, and not again.
class TlsServerOptions {
public:
    // The chain, the server's own certificate first.
    TlsServerOptions& certificate(std::string file) {
        certificate_ = std::move(file);
        return *this;
    }
    TlsServerOptions& key(std::string file) {
        key_ = std::move(file);
        return *this;
    }
    // Clients must show a certificate of one of these. Default: none is asked for.
    TlsServerOptions& client_ca(std::string file) {
        client_ca_ = std::move(file);
        return *this;
    }
    // The one protocol spoken inside, such as http/1.1. A client that offers only others is
    // refused, one that offers none is taken.
    TlsServerOptions& protocol(std::string name) {
        protocol_ = std::move(name);
        return *this;
    }

    const std::string& certificate() const { return certificate_; }
    const std::string& key() const { return key_; }
    const std::string& client_ca() const { return client_ca_; }
    const std::string& protocol() const { return protocol_; }

private:
    std::string certificate_;
    std::string key_;
    std::string client_ca_;
    std::string protocol_;
};

// What a client wants to know of a server.
enum class TlsVerify : std::uint8_t {
    full,   // a certificate that is trusted, with the host's name
    chain,  // a certificate that is trusted, whatever name is in it
    none,   // nothing: anybody may be there. For tests
};

class TlsClientOptions {
public:
    // Who may vouch for servers. Default: whom the system trusts.
    TlsClientOptions& ca(std::string file) {
        ca_ = std::move(file);
        return *this;
    }
    // What we show to a server that asks; both or none.
    TlsClientOptions& certificate(std::string file) {
        certificate_ = std::move(file);
        return *this;
    }
    TlsClientOptions& key(std::string file) {
        key_ = std::move(file);
        return *this;
    }
    TlsClientOptions& protocol(std::string name) {
        protocol_ = std::move(name);
        return *this;
    }
    // Default: full.
    TlsClientOptions& verify(TlsVerify what) {
        verify_ = what;
        return *this;
    }

    const std::string& ca() const { return ca_; }
    const std::string& certificate() const { return certificate_; }
    const std::string& key() const { return key_; }
    const std::string& protocol() const { return protocol_; }
    TlsVerify verify() const { return verify_; }

private:
    std::string ca_;
    std::string certificate_;
    std::string key_;
    std::string protocol_;
    TlsVerify verify_ = TlsVerify::full;
};

// Loaded certificates and rules. Never changes; any thread; connections keep theirs alive.
class TlsContext;

// Blocks on the disk. `invalid_argument`, none: a file cannot be read or is not what it should be;
// the error's context has the option (certificate, key, client-ca, ca) as `command`, and file and
// reason as `server_text`. `internal`: no memory.
Result<std::shared_ptr<const TlsContext>> open_tls_server(const TlsServerOptions& options);
Result<std::shared_ptr<const TlsContext>> open_tls_client(const TlsClientOptions& options);

// The server's context of the moment: new handshakes take the new one, open connections go on with
// theirs. Any thread.
class TlsServerContexts {
public:
    explicit TlsServerContexts(std::shared_ptr<const TlsContext> first)
        : current_(std::move(first)) {}

    std::shared_ptr<const TlsContext> current() const {
        std::lock_guard lock(mutex_);
        return current_;
    }
    // Blocks on the disk. An error as of open_tls_server: the old one stays.
    Result<Done> reload(const TlsServerOptions& options) {
        auto opened = open_tls_server(options);
        if (!opened.ok()) {
            return std::move(opened).error();
        }
        replace(std::move(opened).value());
        return Done();
    }
    void replace(std::shared_ptr<const TlsContext> next) {
        std::lock_guard lock(mutex_);
        current_.swap(next);
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const TlsContext> current_;
};

// The handshake, on the stream's loop; effect none whatever happens, for no byte of a message has
// left. `denied`: a certificate is missing, not trusted, out of date or for another host, ours or
// theirs; `unsupported`: no common version, cipher or protocol; `corrupt`: no TLS is spoken there;
// `unreachable`: the connection broke; `timed_out`; `cancelled`. The stream is closed then.
//
// What comes out keeps the promises of Stream, and: a peer that ends without saying so
// (close_notify) reads as `unreachable`, not as an end, for someone may have cut the rest off;
// `denied`: a client of TLS 1.3 learns only by reading that its certificate was refused; `corrupt`:
// the bytes were changed on their way. Its destructor says the end, and stays for it a few seconds
// where the peer does not read.
Task<std::unique_ptr<Stream>> accept_tls(
    std::unique_ptr<Stream> stream, std::shared_ptr<const TlsContext> context, Deadline deadline
);
// `host`: the name or address that the server's certificate must carry (TlsVerify::full).
Task<std::unique_ptr<Stream>> connect_tls(
    std::unique_ptr<Stream> stream,
    std::shared_ptr<const TlsContext> context,
    std::string host,
    Deadline deadline
);

}  // namespace holdfast
