#pragma once
// A Stream on a socket of any kind that Asio knows as a stream: TCP, unix.

#include "fork_close.h"

#include <holdfast/io/fork.h>
#include <holdfast/io/stream.h>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>

namespace holdfast {

using AsioSocket = boost::asio::basic_stream_socket<
    boost::asio::generic::stream_protocol,
    boost::asio::io_context::executor_type>;

// Reads go through Asio, which remembers that a short read emptied the socket and then waits
// without asking the system. Writes ask the system at once, for sockets are ready nearly always,
// and wait through Asio only if it takes nothing.
class AsioStream final : public Stream, private ForkAware {
public:
    AsioStream(Loop& loop, AsioSocket socket)
        : loop_(&loop), socket_(std::move(socket)), descriptor_(socket_.native_handle()) {}
    ~AsioStream() override;

    void shutdown_write() noexcept override;
    void abort() noexcept override;
    void set_unacknowledged_max(Duration most) noexcept override;

private:
    // One direction: the await in flight and Asio's handler for it, which keep each other's address
    // as Asio moves it about.
    class Handler;
    struct Side {
        explicit Side(AsioStream& own) : stream(&own) {}
        AsioStream* stream;
        StreamAwait* await = nullptr;
        Handler* handler = nullptr;
        boost::asio::cancellation_signal signal;
    };

    void forked() noexcept override { close_descriptor(descriptor_); }

    Result<std::size_t>
    send_now(std::span<const std::byte> first, std::span<const std::byte> second) override;
    bool start_io(StreamAwait& io) override;
    void cancel_io(StreamAwait& io) noexcept override;
    void forget_io(StreamAwait& io) noexcept override;

    bool start_read(StreamAwait& io);
    bool start_write(StreamAwait& io);
    void ended(Side& side, boost::system::error_code error, std::size_t moved);
    Side& side_of(const StreamAwait& io) {
        return io.kind() == StreamAwait::Kind::read ? reading_ : writing_;
    }

    Loop* loop_;
    AsioSocket socket_;
    std::atomic<int> descriptor_;  // what a forked child closes
    bool aborted_ = false;
    int writes_in_a_row_ = 0;
    Side reading_{*this};
    Side writing_{*this};
};

}  // namespace holdfast
