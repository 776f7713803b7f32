#pragma once
// Host names to addresses, for a thread that must not wait beyond its deadline.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>

#include <sys/socket.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace holdfast::redis {

struct SocketAddress {
    sockaddr_storage storage{};
    socklen_t size = 0;
};

// Blocks; runs on a thread of its own. Empty: the name has no address now.
using LookUp = std::function<std::vector<SocketAddress>(const std::string&, std::uint16_t)>;
std::vector<SocketAddress> system_look_up(const std::string& host, std::uint16_t port);

// One thread at a time. The system's resolver cannot be stopped: a look-up that is given up ends
// unheard on its thread, which owns all it touches. The next find() waits for that one, so there is
// never more than one thread.
class BlockingResolver {
public:
    explicit BlockingResolver(LookUp look_up) : look_up_(std::move(look_up)) {}

    // Always for the same host. `unreachable`: no address; `timed_out`; `overloaded`: no thread.
    // All none. Addresses in digits are not looked up.
    Result<std::vector<SocketAddress>>
    find(const std::string& host, std::uint16_t port, Deadline deadline);

private:
    struct Search;
    Result<Done> begin(const std::string& host, std::uint16_t port);

    LookUp look_up_;
    std::shared_ptr<Search> search_;  // under way, as far as we know
};

}  // namespace holdfast::redis
