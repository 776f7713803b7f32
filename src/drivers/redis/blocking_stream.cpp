#include "blocking_stream.h"

#include <holdfast/base/fault_switch.h>

namespace holdfast::redis {
namespace {

Error ended() {
    return Error(Code::unreachable, Effect::none, "the server closed the connection");
}

}  // namespace

Result<Done>
BlockingStream::open(const RedisOptions& options, BlockingResolver& resolver, Deadline deadline) {
    close();
    if (!options.unix_path().empty()) {
        return socket_.open_unix(options.unix_path(), deadline);
    }
    auto found = resolver.find(options.host(), options.port(), deadline);
    if (!found.ok()) {
        return std::move(found).error();
    }
    auto opened = socket_.open_tcp(found.value(), options.unacknowledged_max(), deadline);
    if (!opened.ok() || !options.tls()) {
        return opened;
    }
    auto session = TlsSession::open(options.tls()(), options.tls_name());
    if (!session.ok()) {
        return std::move(session).error();
    }
    tls_ = std::move(session).value();
    return shake(deadline);
}

Result<Done> BlockingStream::shake(Deadline deadline) {
    for (;;) {
        auto done = tls_->shake();
        auto pushed = push();  // also after an error: the server hears why
        if (!done.ok()) {
            return std::move(done).error();
        }
        if (!pushed.ok()) {
            return pushed;
        }
        if (done.value() && !has_unsent()) {
            return Done();
        }
        const SteadyTime now = system_clock().steady_now();
        if (deadline.passed(now)) {
            return Error(Code::timed_out, Effect::none, "no TLS with the server in time");
        }
        if (has_unsent()) {
            socket_.wait_for_room(deadline.left(now));
            continue;
        }
        auto came = socket_.receive(tls_->space(), deadline.left(now));
        if (!came.ok()) {
            return std::move(came).error();
        }
        tls_->received(came.value());
    }
}

void BlockingStream::close() {
    if (tls_ != nullptr && !is_forked()) {
        const std::lock_guard lock(tls_mutex_);
        say_end();
    }
    socket_.close();
    tls_ = nullptr;
    has_unsent_ = false;
}

void BlockingStream::say_end() {
    tls_->say_end();
    (void)push();
}

// Sends what is encrypted, as far as it goes now. The next three: with the lock.
Result<Done> BlockingStream::push() {
    Result<Done> outcome = Done();
    std::span<const std::byte> rest = tls_->unsent();
    while (!rest.empty()) {
        auto sent = socket_.send_now({reinterpret_cast<const char*>(rest.data()), rest.size()});
        if (!sent.ok()) {
            tls_->drop_unsent();
            outcome = std::move(sent).error();
            break;
        }
        if (sent.value() == 0) {
            break;
        }
        tls_->sent(sent.value());
        rest = tls_->unsent();
    }
    has_unsent_ = !tls_->unsent().empty();
    return outcome;
}

// An error only if nothing of `bytes` can have reached the server.
Result<std::size_t> BlockingStream::send_encrypted(std::span<const std::byte> bytes) {
    std::size_t total = 0;
    auto pushed = push();
    while (pushed.ok() && !has_unsent() && !bytes.empty()) {
        auto moved = tls_->encrypt(bytes);
        if (!moved.ok() && total == 0) {
            return std::move(moved).error();
        }
        if (!moved.ok() || moved.value() == 0) {
            break;
        }
        pushed = push();
        if (!pushed.ok() && total == 0) {
            break;  // half a record at most: nobody can read it
        }
        total += moved.value();
        bytes = bytes.subspan(moved.value());
    }
    if (!pushed.ok() && total == 0) {
        return std::move(pushed).error();
    }
    return total;
}

Result<std::size_t> BlockingStream::receive_encrypted(std::span<std::byte> into, Duration most) {
    for (int attempt = 0;; ++attempt) {
        {
            const std::unique_lock lock(tls_mutex_);
            auto got = tls_->decrypt(into);
            auto pushed = push();  // an answer to the peer's own needs, such as new keys
            if (!got.ok() || got.value() != 0 || attempt == 1) {
                return got;
            }
            if (!pushed.ok() || tls_->ended()) {
                return ended();
            }
        }
        // Only who receives touches the room, and OpenSSL has nothing left to read there.
        auto came = socket_.receive(tls_->space(), most);
        if (!came.ok() || came.value() == 0) {
            return came;
        }
        const std::lock_guard lock(tls_mutex_);
        tls_->received(came.value());
    }
}

Result<std::size_t> BlockingStream::send_now(std::string_view bytes) {
    if (tls_ == nullptr) {
        return socket_.send_now(bytes);
    }
    const std::lock_guard lock(tls_mutex_);
    return send_encrypted(std::as_bytes(std::span(bytes)));
}

Result<std::size_t> BlockingStream::receive(std::span<std::byte> into, Duration most) {
    return tls_ == nullptr ? socket_.receive(into, most) : receive_encrypted(into, most);
}

bool BlockingStream::has_ended() {
    if (tls_ == nullptr || fault("redis.alert")) {
        return socket_.has_ended();
    }
    const std::lock_guard lock(tls_mutex_);
    for (;;) {
        auto readable = tls_->readable();
        (void)push();
        if (!readable.ok() || (!readable.value() && tls_->ended())) {
            return true;
        }
        if (readable.value()) {
            return false;
        }
        auto came = socket_.receive_now(tls_->space());
        if (!came.ok() || came.value() == 0) {
            return !came.ok();
        }
        tls_->received(came.value());
    }
}

void BlockingStream::wake_reader() {
    if (tls_ != nullptr) {
        const std::lock_guard lock(tls_mutex_);
        say_end();
    }
    socket_.wake_reader();
}

}  // namespace holdfast::redis
