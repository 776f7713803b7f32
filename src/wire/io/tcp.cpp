#include <holdfast/io/compose.h>
#include <holdfast/io/tcp.h>

namespace holdfast {

Result<std::unique_ptr<TcpListener>>
open_tcp_listener(Loop& loop, const TcpListenOptions& options) {
    return loop.network().listen(loop, options);
}

Task<std::unique_ptr<Stream>> connect_tcp(std::string host, std::uint16_t port, Deadline deadline) {
    Network& network = (co_await this_scope()).loop().network();
    co_return co_await with_deadline(network.connect(std::move(host), port), deadline);
}

Task<std::unique_ptr<Stream>> connect_unix(std::string path, Deadline deadline) {
    Network& network = (co_await this_scope()).loop().network();
    co_return co_await with_deadline(network.connect_unix(std::move(path)), deadline);
}

}  // namespace holdfast
