#include "asio_stream.h"

#include "hand_over.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace holdfast {
namespace {

namespace asio = boost::asio;

// A task that writes to a fast reader never waits; after so many writes the other tasks of the loop
// have a turn.
constexpr int writes_in_a_row_max = 64;
// Probes of a silent connection within the time after which it breaks.
constexpr int keepalive_parts = 3;

Error broken() {
    return Error(Code::unreachable, Effect::none, "the connection broke");
}

}  // namespace

class AsioStream::Handler {
public:
    explicit Handler(Side& side) : side_(&side) { side.handler = this; }
    Handler(Handler&& other) noexcept : side_(std::exchange(other.side_, nullptr)) {
        if (side_ != nullptr) {
            side_->handler = this;
        }
    }
    Handler& operator=(Handler&&) = delete;
    ~Handler() {
        if (side_ != nullptr) {
            side_->handler = nullptr;  // the io_context went away
        }
    }
    void detach() { side_ = nullptr; }

    void operator()(boost::system::error_code error, std::size_t moved) {
        if (side_ != nullptr) {
            Side& side = *std::exchange(side_, nullptr);
            side.handler = nullptr;
            side.stream->ended(side, error, moved);
        }
    }

    using cancellation_slot_type = asio::cancellation_slot;
    cancellation_slot_type get_cancellation_slot() const noexcept {
        return side_ != nullptr ? side_->signal.slot() : cancellation_slot_type();
    }

private:
    Side* side_;
};

AsioStream::~AsioStream() {
    descriptor_ = -1;
    if (loop_->forked() || !loop_->on_this_thread()) {
        hand_over(*loop_, std::move(socket_));
    }
}

void AsioStream::shutdown_write() noexcept {
    if (loop_->forked()) {
        return;  // the number may be another descriptor's by now
    }
    boost::system::error_code ignored;
    socket_.shutdown(asio::socket_base::shutdown_send, ignored);
}

void AsioStream::abort() noexcept {
    if (loop_->forked()) {
        return;
    }
    aborted_ = true;
    descriptor_ = -1;
    boost::system::error_code ignored;
    socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    socket_.close(ignored);
}

// Bytes on their way are covered by TCP_USER_TIMEOUT; probes stand in for them while nothing is
// sent (tcp(7)). Whatever the system does not take stays as it was.
void AsioStream::set_unacknowledged_max(Duration most) noexcept {
    const int on = 1;
    const auto user_timeout = static_cast<unsigned>(most.count());
    const int probe_seconds =
        static_cast<int>(std::max<std::int64_t>(1, most.count() / 1000 / keepalive_parts));
    const int fd = socket_.native_handle();
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout, sizeof user_timeout);
    (void)::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &probe_seconds, sizeof probe_seconds);
    (void)::setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &probe_seconds, sizeof probe_seconds);
}

Result<std::size_t>
AsioStream::send_now(std::span<const std::byte> first, std::span<const std::byte> second) {
    if (aborted_ || loop_->forked()) {
        return closed_error();
    }
    std::array<iovec, 2> pieces{{
        {const_cast<std::byte*>(first.data()), first.size()},
        {const_cast<std::byte*>(second.data()), second.size()},
    }};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = second.empty() ? 1 : 2;
    for (;;) {
        const ssize_t sent =
            ::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent >= 0) {
            return static_cast<std::size_t>(sent);
        }
        if (errno == EAGAIN || errno == ENOBUFS) {
            return std::size_t{0};
        }
        if (errno != EINTR) {
            return broken();
        }
    }
}

bool AsioStream::start_io(StreamAwait& io) {
    return io.kind() == StreamAwait::Kind::read ? start_read(io) : start_write(io);
}

bool AsioStream::start_read(StreamAwait& io) {
    writes_in_a_row_ = 0;
    if (aborted_ || loop_->forked()) {
        io.set(closed_error());
        return false;
    }
    if (io.into().empty()) {
        io.set(0);
        return false;
    }
    reading_.await = &io;
    socket_.async_read_some(asio::buffer(io.into().data(), io.into().size()), Handler(reading_));
    return true;
}

bool AsioStream::start_write(StreamAwait& io) {
    auto sent = send_now(io.first(), io.second());
    if (!sent.ok()) {
        io.set(std::move(sent).error());
        return false;
    }
    if (sent.value() != 0 || (io.first().empty() && io.second().empty())) {
        io.set(sent.value());
        if (++writes_in_a_row_ < writes_in_a_row_max) {
            return false;
        }
        writes_in_a_row_ = 0;
        io.finish_later();
        return true;
    }
    writes_in_a_row_ = 0;
    writing_.await = &io;
    const std::array<asio::const_buffer, 2> pieces{
        asio::buffer(io.first().data(), io.first().size()),
        asio::buffer(io.second().data(), io.second().size()),
    };
    socket_.async_write_some(pieces, Handler(writing_));
    return true;
}

void AsioStream::ended(Side& side, boost::system::error_code error, std::size_t moved) {
    StreamAwait& io = *std::exchange(side.await, nullptr);
    if (moved != 0 || !error || error == asio::error::eof) {
        io.set(moved);
    } else if (error != asio::error::operation_aborted) {
        io.set(broken());
    } else {
        io.set(aborted_ ? closed_error() : cancelled_error());
    }
    io.finish();
}

void AsioStream::cancel_io(StreamAwait& io) noexcept {
    side_of(io).signal.emit(asio::cancellation_type::terminal);
}

void AsioStream::forget_io(StreamAwait& io) noexcept {
    Side& side = side_of(io);
    side.await = nullptr;
    if (side.handler != nullptr) {
        std::exchange(side.handler, nullptr)->detach();
        side.signal.emit(asio::cancellation_type::terminal);
    }
}

}  // namespace holdfast
