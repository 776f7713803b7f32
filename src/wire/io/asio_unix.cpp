#include "asio_network.h"
#include "asio_runtime.h"
#include "asio_stream.h"
#include "use_task.h"

#include <boost/asio/local/stream_protocol.hpp>
#include <sys/un.h>

namespace holdfast {
namespace {

namespace asio = boost::asio;
using Local = asio::local::stream_protocol;
using LocalSocket = asio::basic_stream_socket<Local, asio::io_context::executor_type>;

constexpr std::size_t path_bytes_max = sizeof(sockaddr_un::sun_path) - 1;

Error cannot_connect(const boost::system::error_code& error) {
    if (error == asio::error::operation_aborted) {
        return cancelled_error();
    }
    if (error == std::errc::permission_denied) {
        return Error(Code::denied, Effect::none, "the unix socket is not ours to use");
    }
    if (error == std::errc::too_many_files_open || error == std::errc::not_enough_memory ||
        error == std::errc::too_many_files_open_in_system ||
        error == std::errc::resource_unavailable_try_again) {  // the listener's backlog is full
        return Error(Code::overloaded, Effect::none, "no descriptors, or too many are waiting");
    }
    return Error(Code::unreachable, Effect::none, "nobody listens on the unix socket");
}

}  // namespace

Task<std::unique_ptr<Stream>> AsioNetwork::connect_unix(std::string path) {
    if (path.empty() || path.size() > path_bytes_max || path.find('\0') != std::string::npos) {
        co_return Error(
            Code::invalid_argument, Effect::none, "the path of a unix socket has 1 to 107 bytes"
        );
    }
    Loop& loop = (co_await this_scope()).loop();
    LocalSocket socket(io_of(loop));
    const Local::endpoint endpoint(path);
    auto connected = co_await socket.async_connect(endpoint, use_task);
    if (connected.error) {
        co_return cannot_connect(connected.error);
    }
    co_return std::make_unique<AsioStream>(loop, AsioSocket(std::move(socket)));
}

}  // namespace holdfast
