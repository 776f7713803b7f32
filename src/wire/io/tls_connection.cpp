#include "tls_connection.h"

#include "tls_error.h"

#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>

#include <openssl/err.h>

#include <algorithm>

namespace holdfast {
namespace {

// As for a plain connection: after so many writes that did not wait the other tasks have a turn.
constexpr int writes_in_a_row_max = 64;

constexpr std::string_view connection_broke = "the connection broke";

}  // namespace

TlsConnection::TlsConnection(
    Loop& loop, std::unique_ptr<Stream> below, std::shared_ptr<const TlsContext> context
)
    : loop_(&loop), context_(std::move(context)), below_(std::move(below)),
      ssl_(context_->open(wire_)) {}

Result<Done> TlsConnection::prepare_accept() {
    if (ssl_ == nullptr) {
        return Error(Code::internal, Effect::none, "no memory for TLS");
    }
    SSL_set_accept_state(ssl_.get());
    return Done();
}

Result<Done> TlsConnection::prepare_connect(const std::string& host) {
    if (ssl_ == nullptr) {
        return Error(Code::internal, Effect::none, "no memory for TLS");
    }
    return context_->prepare_connect(*ssl_, host);
}

Task<> TlsConnection::handshake() {
    for (;;) {
        ERR_clear_error();
        const int outcome = SSL_do_handshake(ssl_.get());
        const bool failed =
            outcome != 1 && SSL_get_error(ssl_.get(), outcome) != SSL_ERROR_WANT_READ;
        std::optional<Error> failure;
        if (failed) {
            failure.emplace(tls_failure(ssl_.get()));
        }
        while (wire_.unsent_bytes() != 0) {
            auto moved = co_await below_->write_some(wire_.unsent());
            if (!moved.ok()) {
                co_return std::move(moved).error();
            }
            wire_.sent(moved.value());
        }
        if (failed) {
            co_return std::move(*failure);
        }
        if (outcome == 1) {
            co_return Done();
        }
        auto got = co_await below_->read_some(wire_.space());
        if (!got.ok()) {
            co_return std::move(got).error();
        }
        if (got.value() == 0) {
            co_return Error(Code::unreachable, Effect::none, "the peer left during the handshake");
        }
        wire_.received(got.value());
    }
}

Task<> TlsConnection::linger() {
    below_->shutdown_write();
    for (std::size_t dropped = 0; dropped < tls_linger_bytes_max;) {
        auto got = co_await below_->read_some(wire_.space());
        if (!got.ok() || got.value() == 0) {
            break;
        }
        dropped += got.value();
    }
    co_return Done();
}

// Encrypts as much as may wait to be sent, and sends while the connection below takes it. An error
// only if no byte of this call has left.
Result<std::size_t>
TlsConnection::encrypt(std::span<const std::byte> first, std::span<const std::byte> second) {
    std::size_t total = 0;
    bool left = false;
    while (!(first.empty() && second.empty()) && wire_.unsent_bytes() < tls_unsent_max) {
        auto& piece = first.empty() ? second : first;
        std::size_t moved = 0;
        ERR_clear_error();
        const std::size_t most = std::min(piece.size(), tls_record_bytes);
        if (SSL_write_ex(ssl_.get(), piece.data(), most, &moved) != 1) {
            broken_ = true;
            write_lost(tls_failure(ssl_.get()));
            break;
        }
        total += moved;
        piece = piece.subspan(moved);
        if (wire_.unsent_bytes() >= tls_unsent_max) {
            left = push() || left;
        }
        if (write_failure_.has_value()) {
            break;
        }
    }
    left = push() || left;
    if (write_failure_.has_value() && !left) {
        return write_failure_->error();
    }
    return total;
}

Result<std::size_t>
TlsConnection::send(std::span<const std::byte> first, std::span<const std::byte> second) {
    if (aborted_) {
        return closed_error();
    }
    if (write_failure_.has_value()) {
        return write_failure_->error();
    }
    if (ending_ || broken_) {
        return Error(Code::unreachable, Effect::none, connection_broke);
    }
    if (wire_.unsent_bytes() != 0) {
        return std::size_t{0};  // what was encrypted earlier goes first
    }
    return encrypt(first, second);
}

bool TlsConnection::start_io(StreamAwait& io) {
    if (io.kind() == StreamAwait::Kind::write) {
        if (!try_write(io)) {
            writes_in_a_row_ = 0;
            writing_ = &io;
            return true;
        }
        if (++writes_in_a_row_ < writes_in_a_row_max) {
            return false;
        }
        writes_in_a_row_ = 0;
        io.finish_later();
        return true;
    }
    writes_in_a_row_ = 0;
    if (try_read(io)) {
        return false;
    }
    reading_ = &io;
    if (!pulling_.busy && !held_) {
        pulling_.begin(*loop_, pull());
    }
    return true;
}

bool TlsConnection::try_write(StreamAwait& io) {
    auto sent = send(io.first(), io.second());
    if (!sent.ok()) {
        io.set(std::move(sent).error());
        return true;
    }
    io.set(sent.value());
    return sent.value() != 0 || (io.first().empty() && io.second().empty());
}

// False: nothing to read yet. With `held_`, the flush goes on with it; else the pull.
bool TlsConnection::try_read(StreamAwait& io) {
    if (aborted_) {
        io.set(closed_error());
        return true;
    }
    if (read_failure_.has_value()) {
        io.set(read_failure_->error());
        return true;
    }
    if (io.into().empty()) {
        io.set(0);
        return true;
    }
    held_ = wire_.unsent_bytes() >= tls_unsent_max;
    if (held_) {
        return false;
    }
    std::size_t moved = 0;
    ERR_clear_error();
    const int outcome = SSL_read_ex(ssl_.get(), io.into().data(), io.into().size(), &moved);
    const int why = SSL_get_error(ssl_.get(), outcome);
    if (outcome == 1 || why == SSL_ERROR_ZERO_RETURN) {
        io.set(moved);
    } else if (why != SSL_ERROR_WANT_READ) {
        broken_ = true;
        const Error error = tls_failure(ssl_.get());
        read_failure_ = Failure{error.code(), error.what()};
    } else if (below_ended_) {
        read_failure_ = Failure{Code::unreachable, "the peer left without saying the end"};
    } else {
        push();  // an answer to the peer's own needs, such as new keys
        return false;
    }
    push();
    if (read_failure_.has_value()) {
        io.set(read_failure_->error());
    }
    return true;
}

// Reads below until the waiting read has its answer; one read more than that is kept for the next.
Task<> TlsConnection::pull() {
    for (;;) {
        auto got = co_await below_->read_some(wire_.space());
        if (!got.ok()) {
            read_failure_ = Failure{got.error().code(), got.error().what()};
        } else if (got.value() == 0) {
            below_ended_ = true;
        } else {
            wire_.received(got.value());
        }
        answer_read();
        if (reading_ == nullptr || held_) {
            break;
        }
    }
    pulling_.busy = false;
    co_return Done();
}

void TlsConnection::answer_read() {
    if (reading_ != nullptr && try_read(*reading_)) {
        std::exchange(reading_, nullptr)->finish_later();
    }
}

// Sends what is encrypted, without waiting if it can be. True: some of it has left.
bool TlsConnection::push() {
    if (flushing_.busy || wire_.unsent_bytes() == 0) {
        return false;
    }
    bool left = false;
    // Twice: the first may have been the rest of what was made earlier.
    for (int i = 0; i < 2 && wire_.unsent_bytes() != 0; ++i) {
        auto sent = below_->write_now(wire_.unsent());
        if (!sent.ok()) {
            write_lost(sent.error());
            return left;
        }
        wire_.sent(sent.value());
        left = left || sent.value() != 0;
    }
    if (wire_.unsent_bytes() != 0) {
        flushing_.begin(*loop_, flush());
    }
    return left;
}

Task<> TlsConnection::flush() {
    while (wire_.unsent_bytes() != 0) {
        auto moved = co_await below_->write_some(wire_.unsent());
        if (!moved.ok()) {
            write_lost(moved.error());
        } else {
            wire_.sent(moved.value());
        }
        if (wire_.unsent_bytes() == 0) {
            serve_waiting();
        }
    }
    if (ending_) {
        below_->shutdown_write();
    }
    flushing_.busy = false;
    co_return Done();
}

// Those who waited for room go on. What they make is sent by the flush that calls this.
void TlsConnection::serve_waiting() {
    if (held_) {
        held_ = false;
        answer_read();
        if (reading_ != nullptr && !held_ && !pulling_.busy) {
            pulling_.begin(*loop_, pull());
        }
    }
    if (writing_ != nullptr && try_write(*writing_)) {
        std::exchange(writing_, nullptr)->finish_later();
    }
}

void TlsConnection::write_lost(const Error& error) {
    wire_.drop_unsent();
    if (!write_failure_.has_value()) {
        write_failure_ = Failure{error.code(), error.what()};
    }
}

void TlsConnection::cancel_io(StreamAwait& io) noexcept {
    forget_io(io);
    io.set(cancelled_error());
    io.finish_later();
}

void TlsConnection::forget_io(StreamAwait& io) noexcept {
    (io.kind() == StreamAwait::Kind::read ? reading_ : writing_) = nullptr;
}

void TlsConnection::shutdown_write() noexcept {
    if (ending_ || aborted_) {
        return;
    }
    ending_ = true;
    if (!broken_) {
        ERR_clear_error();
        (void)SSL_shutdown(ssl_.get());
    }
    push();
    if (!flushing_.busy) {
        below_->shutdown_write();
    }
}

void TlsConnection::abort() noexcept {
    aborted_ = true;
    for (StreamAwait** const place : {&reading_, &writing_}) {
        if (StreamAwait* const io = std::exchange(*place, nullptr)) {
            io->set(closed_error());
            io->finish_later();
        }
    }
    below_->abort();
}

// co_await: until the flush that is going on has ended. A request to stop ends it.
class TlsConnection::FlushEnd final : public Suspension {
public:
    explicit FlushEnd(Pump& pump) : pump_(&pump) {}
    template <OurPromise Promise>
    bool await_suspend(std::coroutine_handle<Promise> waiter) {
        if (!Suspension::await_suspend(waiter)) {
            return false;
        }
        suspended_ = true;
        pump_->task->set_continuation(waiter);
        return true;
    }
    void await_resume() {
        if (suspended_) {
            (void)release();
        }
    }

private:
    bool start() override { return pump_->busy; }
    void on_cancel() noexcept override { pump_->scope->cancel(); }
    Pump* pump_;
    bool suspended_ = false;
};

Task<> TlsConnection::flushed(TlsConnection* self) {
    FlushEnd end(self->flushing_);
    co_await end;
    co_return Done();
}

Task<> TlsConnection::farewell(std::unique_ptr<TlsConnection> self) {
    const SteadyTime now = self->loop_->now();
    (void)co_await with_deadline(flushed(self.get()), Deadline::in(tls_goodbye_time, now));
    co_return Done();
}

void TlsConnection::leave(std::unique_ptr<TlsConnection> self) {
    if (!self->aborted_) {
        self->shutdown_write();
    }
    if (self->flushing_.busy) {
        Loop& loop = *self->loop_;
        spawn(loop, farewell(std::move(self)), [](Result<Done>) {});
    }
}

}  // namespace holdfast
