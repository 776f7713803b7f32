#include "asio_network.h"

#include "asio_runtime.h"
#include "asio_stream.h"
#include "fork_close.h"
#include "hand_over.h"
#include "resolve.h"
#include "use_task.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <sys/socket.h>

namespace holdfast {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Executor = asio::io_context::executor_type;
using Acceptor = asio::basic_socket_acceptor<Tcp, Executor>;
using TcpSocket = asio::basic_stream_socket<Tcp, Executor>;
using ErrorCode = boost::system::error_code;

bool out_of_means(const ErrorCode& error) {
    return error == std::errc::too_many_files_open ||
           error == std::errc::too_many_files_open_in_system ||
           error == std::errc::no_buffer_space || error == std::errc::not_enough_memory;
}

Error no_means() {
    return Error(Code::overloaded, Effect::none, "no descriptors or memory for sockets");
}

std::unique_ptr<Stream> stream_of(Loop& loop, TcpSocket socket) {
    ErrorCode ignored;  // the peer may be gone already: the first read says so
    socket.set_option(Tcp::no_delay(true), ignored);
    return std::make_unique<AsioStream>(loop, AsioSocket(std::move(socket)));
}

class AsioListener final : public TcpListener, private ForkAware {
public:
    AsioListener(Loop& loop, Acceptor acceptor, std::uint16_t port)
        : loop_(&loop), acceptor_(std::move(acceptor)), descriptor_(acceptor_.native_handle()),
          port_(port) {}
    ~AsioListener() override {
        descriptor_ = -1;
        if (loop_->forked() || !loop_->on_this_thread()) {
            hand_over(*loop_, std::move(acceptor_));
        }
    }

    std::uint16_t port() const override { return port_; }

    Task<TcpAccepted> accept() override {
        for (;;) {
            if (closed_) {
                co_return Error(Code::closed, Effect::none, "the listener was closed");
            }
            Tcp::endpoint peer;
            auto accepted = co_await acceptor_.async_accept(peer, use_task);
            if (!accepted.error) {
                co_return TcpAccepted(
                    stream_of(*loop_, std::move(accepted.value)),
                    peer.address().to_string(),
                    peer.port()
                );
            }
            if (accepted.error == asio::error::operation_aborted && !closed_) {
                co_return cancelled_error();
            }
            if (out_of_means(accepted.error)) {
                auto paused = co_await sleep(loop_->now() + accept_pause);
                if (!paused.ok()) {
                    co_return std::move(paused).error();
                }
                co_return no_means();
            }
            // Else the error is of one connection that broke before it was accepted, or the
            // listener was closed.
            co_await yield();
        }
    }

    void close() noexcept override {
        if (loop_->forked()) {
            return;  // the number may be another descriptor's by now
        }
        closed_ = true;
        descriptor_ = -1;
        ErrorCode ignored;
        acceptor_.close(ignored);
    }

private:
    void forked() noexcept override { close_descriptor(descriptor_); }

    Loop* loop_;
    Acceptor acceptor_;
    std::atomic<int> descriptor_;  // what a forked child closes
    std::uint16_t port_;
    bool closed_ = false;
};

Error cannot_listen(const ErrorCode& error) {
    if (error == std::errc::permission_denied) {
        return Error(Code::denied, Effect::none, "this port needs a privilege");
    }
    if (error == std::errc::address_not_available) {
        return Error(Code::unreachable, Effect::none, "the listen address is not one of this host");
    }
    if (out_of_means(error)) {
        return no_means();
    }
    return Error(Code::internal, Effect::none, "cannot listen here; is the port in use?");
}

ErrorCode
bind_and_listen(Acceptor& acceptor, const Tcp::endpoint& at, const TcpListenOptions& options) {
    ErrorCode error;
    acceptor.open(at.protocol(), error);
    if (!error) {
        acceptor.set_option(asio::socket_base::reuse_address(true), error);
    }
    const int on = 1;
    if (!error && options.shared_port() &&
        ::setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0) {
        error.assign(errno, boost::system::system_category());
    }
    if (!error) {
        acceptor.bind(at, error);
    }
    if (!error) {
        acceptor.listen(options.backlog(), error);
    }
    return error;
}

}  // namespace

Result<std::unique_ptr<TcpListener>>
AsioNetwork::listen(Loop& loop, const TcpListenOptions& options) {
    ErrorCode error;
    const auto address = asio::ip::make_address(options.address(), error);
    if (error) {
        return Error(
            Code::invalid_argument, Effect::none, "the listen address is no IPv4 or IPv6 literal"
        );
    }
    Acceptor acceptor(io_of(loop));
    error = bind_and_listen(acceptor, Tcp::endpoint(address, options.port()), options);
    if (error) {
        return cannot_listen(error);
    }
    const std::uint16_t port = acceptor.local_endpoint(error).port();
    if (error) {
        return cannot_listen(error);
    }
    return std::unique_ptr<TcpListener>(
        std::make_unique<AsioListener>(loop, std::move(acceptor), port)
    );
}

Task<std::unique_ptr<Stream>> AsioNetwork::connect(std::string host, std::uint16_t port) {
    Loop& loop = (co_await this_scope()).loop();
    ErrorCode error;
    TcpEndpoints endpoints;
    const auto literal = asio::ip::make_address(host, error);
    if (!error) {
        endpoints.push_back(Tcp::endpoint(literal, port));
    } else {
        auto found = co_await Resolve(*names_, std::move(host), port);
        if (!found.ok()) {
            co_return std::move(found).error();
        }
        endpoints = std::move(found).value();
    }
    for (const Tcp::endpoint& endpoint : endpoints) {
        TcpSocket socket(io_of(loop));
        auto connected = co_await socket.async_connect(endpoint, use_task);
        if (!connected.error) {
            co_return stream_of(loop, std::move(socket));
        }
        if (connected.error == asio::error::operation_aborted) {
            co_return cancelled_error();
        }
        if (out_of_means(connected.error)) {
            co_return no_means();
        }
    }
    co_return Error(Code::unreachable, Effect::none, "no address of the host took the connection");
}

}  // namespace holdfast
