#pragma once
// The client's side of one TLS connection without a stream or a loop: encrypted bytes in, encrypted
// bytes out. For code that drives a socket itself.

#include <holdfast/base/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace holdfast {

class TlsContext;

// One thread at a time; space() may be written to while another thread is in other members. All
// errors: effect none, codes as of connect_tls(). After an error only unsent() and sent() may
// follow, so that the peer hears why.
class TlsSession {
public:
    // The name or address that the server's certificate must carry (TlsVerify::full).
    // `invalid_argument`: no name that can be checked, no context; `internal`: no memory.
    static Result<std::unique_ptr<TlsSession>>
    open(std::shared_ptr<const TlsContext> context, const std::string& host);
    ~TlsSession();
    TlsSession(const TlsSession&) = delete;
    TlsSession& operator=(const TlsSession&) = delete;

    // Room for encrypted bytes that come; to be filled only after one of the members below has said
    // that it needs more.
    std::span<std::byte> space();
    void received(std::size_t count);
    // What must be sent; stays where it is until sent(). Any member may add to it.
    std::span<const std::byte> unsent();
    void sent(std::size_t count);
    void drop_unsent();

    // True: the handshake is done. False: needs more.
    Result<bool> shake();
    // How much of it was encrypted: a record at most. 0: not now, read first.
    Result<std::size_t> encrypt(std::span<const std::byte> bytes);
    // 0: needs more, or the peer has said its end; see ended().
    Result<std::size_t> decrypt(std::span<std::byte> into);
    // Looks at what came and takes none of it. False: needs more, or the end.
    Result<bool> readable();
    bool ended() const;
    // Says our end (close_notify).
    void say_end();

private:
    struct Inside;
    explicit TlsSession(std::unique_ptr<Inside> inside);

    std::unique_ptr<Inside> inside_;
};

}  // namespace holdfast
