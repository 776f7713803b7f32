#include "blocking_resolver.h"

#include <holdfast/base/fault_switch.h>

#include <netdb.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>

namespace holdfast::redis {
namespace {

std::vector<SocketAddress> addresses_of(const std::string& host, std::uint16_t port, int flags) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = flags;
    addrinfo* all = nullptr;
    std::vector<SocketAddress> found;
    if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &all) != 0) {
        return found;
    }
    for (const addrinfo* one = all; one != nullptr; one = one->ai_next) {
        SocketAddress address;
        address.size = one->ai_addrlen;
        std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
        found.push_back(address);
    }
    ::freeaddrinfo(all);
    return found;
}

}  // namespace

std::vector<SocketAddress> system_look_up(const std::string& host, std::uint16_t port) {
    return addresses_of(host, port, AI_ADDRCONFIG);
}

struct BlockingResolver::Search {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    std::vector<SocketAddress> found;
};

Result<Done> BlockingResolver::begin(const std::string& host, std::uint16_t port) {
    auto search = std::make_shared<Search>();
    try {
        std::thread([search, look_up = look_up_, host, port] {
            auto found = look_up(host, port);
            const std::lock_guard lock(search->mutex);
            search->found = std::move(found);
            search->done = true;
            search->changed.notify_one();
        }).detach();
    } catch (const std::system_error&) {
        return Error(Code::overloaded, Effect::none, "no thread to look up the host's name");
    }
    search_ = std::move(search);
    return Done();
}

Result<std::vector<SocketAddress>>
BlockingResolver::find(const std::string& host, std::uint16_t port, Deadline deadline) {
    if (auto digits = addresses_of(host, port, AI_NUMERICHOST); !digits.empty()) {
        return digits;
    }
    if (search_ == nullptr) {
        auto begun = begin(host, port);
        if (!begun.ok()) {
            return std::move(begun).error();
        }
    }
    std::unique_lock lock(search_->mutex);
    while (!search_->done) {
        const SteadyTime now = system_clock().steady_now();
        if (deadline.passed(now) && !fault("redis.name")) {
            return Error(Code::timed_out, Effect::none, "the host's name was not found in time");
        }
        search_->changed.wait_for(lock, std::max(deadline.left(now), Duration(1)));
    }
    auto found = std::move(search_->found);
    lock.unlock();
    search_ = nullptr;
    if (found.empty()) {
        return Error(Code::unreachable, Effect::none, "the name of the host is not known");
    }
    return found;
}

}  // namespace holdfast::redis
