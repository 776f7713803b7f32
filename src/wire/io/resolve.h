#pragma once
// Host names to addresses, on the blocking pool.

#include <holdfast/io/runtime.h>

#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <vector>

namespace holdfast {

using TcpEndpoints = std::vector<boost::asio::ip::tcp::endpoint>;

// co_await Resolve(pool, host, port). Cancelled: it answers at once; a look-up that has begun ends
// unheard on its thread, for the system's resolver cannot be stopped. `unreachable`: the name has
// no address now.
class [[nodiscard]] Resolve final : public Suspension, private Work {
public:
    Resolve(BlockingPool& pool, std::string host, std::uint16_t port);
    ~Resolve();
    Result<TcpEndpoints> await_resume() { return std::move(*answer_); }

private:
    struct Call;
    bool start() override;
    void on_cancel() noexcept override;
    void run() override { resume(); }
    void forget() noexcept;

    BlockingPool* pool_;
    std::string host_;
    std::uint16_t port_;
    std::shared_ptr<Call> call_;
    std::optional<Result<TcpEndpoints>> answer_;
};

}  // namespace holdfast
