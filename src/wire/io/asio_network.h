#pragma once
// Listeners and connections on Asio sockets.

#include <holdfast/io/runtime.h>
#include <holdfast/io/tcp.h>

namespace holdfast {

class AsioNetwork final : public Network {
public:
    explicit AsioNetwork(BlockingPool& names) : names_(&names) {}
    Result<std::unique_ptr<TcpListener>>
    listen(Loop& loop, const TcpListenOptions& options) override;
    Task<std::unique_ptr<Stream>> connect(std::string host, std::uint16_t port) override;
    Task<std::unique_ptr<Stream>> connect_unix(std::string path) override;

private:
    BlockingPool* names_;  // where names are looked up
};

}  // namespace holdfast
