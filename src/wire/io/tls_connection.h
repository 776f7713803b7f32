#pragma once
// One TLS connection over a stream: what is read and written in plain text, and two pumps that move
// the encrypted bytes below. Loop thread only.
//
// The pumps read and write buffers of this object, never the caller's: a caller may give up at any
// time, and no byte is lost or sent twice. A write counts what has been encrypted, and encrypts
// only while nothing encrypted waits to be sent; so a write that waits has sent nothing.

#include "tls_context.h"

#include <holdfast/io/loop.h>

#include <optional>

namespace holdfast {

class TlsConnection {
public:
    TlsConnection(
        Loop& loop, std::unique_ptr<Stream> below, std::shared_ptr<const TlsContext> context
    );
    TlsConnection(const TlsConnection&) = delete;
    TlsConnection& operator=(const TlsConnection&) = delete;

    Loop& loop() const { return *loop_; }
    // Before anything else. `internal`: no memory.
    Result<Done> prepare_accept();
    Result<Done> prepare_connect(const std::string& host);
    // Run once. After an error only linger() may follow.
    Task<> handshake();
    // Reads what a refused peer still sends, for a moment, so that it can read the alert.
    Task<> linger();

    // As Stream has them.
    Result<std::size_t> send(std::span<const std::byte> first, std::span<const std::byte> second);
    bool start_io(StreamAwait& io);
    void cancel_io(StreamAwait& io) noexcept;
    void forget_io(StreamAwait& io) noexcept;
    void shutdown_write() noexcept;
    void abort() noexcept;

    // Says the end and goes when it has been sent.
    static void leave(std::unique_ptr<TlsConnection> self);

private:
    // A task that runs beside the callers, in a scope of its own. Its last act is `busy = false`.
    struct Pump {
        void begin(Loop& loop, Task<> work) {
            busy = true;
            task.reset();
            scope.emplace(loop);
            task.emplace(std::move(work));
            task->run(*scope);
        }
        bool busy = false;
        std::optional<Scope> scope;  // outlives the task
        std::optional<Task<>> task;
    };
    class FlushEnd;
    struct Failure {
        Code code;
        std::string_view what;
        Error error() const { return Error(code, Effect::none, what); }
    };

    Task<> pull();
    Task<> flush();
    bool push();
    void serve_waiting();
    void write_lost(const Error& error);
    Result<std::size_t>
    encrypt(std::span<const std::byte> first, std::span<const std::byte> second);
    bool try_read(StreamAwait& io);
    bool try_write(StreamAwait& io);
    void answer_read();
    static Task<> farewell(std::unique_ptr<TlsConnection> self);
    static Task<> flushed(TlsConnection* self);

    Loop* loop_;
    std::shared_ptr<const TlsContext> context_;
    std::unique_ptr<Stream> below_;
    TlsWire wire_;
    Ssl ssl_;
    Pump pulling_;
    Pump flushing_;
    StreamAwait* reading_ = nullptr;
    StreamAwait* writing_ = nullptr;
    std::optional<Failure> read_failure_;   // all further reads answer it
    std::optional<Failure> write_failure_;  // all further writes answer it
    int writes_in_a_row_ = 0;
    bool below_ended_ = false;
    bool held_ = false;    // reading waits until unsent bytes are fewer
    bool broken_ = false;  // OpenSSL has given up: it must not be asked again
    bool ending_ = false;  // our side has said its end
    bool aborted_ = false;
};

}  // namespace holdfast
