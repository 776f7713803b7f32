#include "resolve.h"

#include <netdb.h>

#include <cstring>

namespace holdfast {

// Owns all it touches on the pool thread: the await may be gone by then.
struct Resolve::Call final : Job {
    Call(Loop& home, Resolve& owner)
        : Job(home), waiter(&owner), host(owner.host_), port(owner.port_) {}

    void work() override {
        addrinfo wanted{};
        wanted.ai_socktype = SOCK_STREAM;
        wanted.ai_flags = AI_ADDRCONFIG;
        addrinfo* all = nullptr;
        if (getaddrinfo(host.c_str(), nullptr, &wanted, &all) != 0) {
            return;
        }
        for (const addrinfo* one = all; one != nullptr; one = one->ai_next) {
            boost::asio::ip::tcp::endpoint endpoint;
            if (one->ai_addrlen <= endpoint.capacity()) {
                std::memcpy(endpoint.data(), one->ai_addr, one->ai_addrlen);
                endpoint.resize(one->ai_addrlen);
                endpoint.port(port);
                found.push_back(endpoint);
            }
        }
        freeaddrinfo(all);
    }
    void finish() override {
        if (waiter == nullptr) {
            return;
        }
        if (found.empty()) {
            waiter->answer_.emplace(
                Error(Code::unreachable, Effect::none, "the host name has no address")
            );
        } else {
            waiter->answer_.emplace(std::move(found));
        }
        waiter->call_ = nullptr;
        std::exchange(waiter, nullptr)->resume();
    }

    Resolve* waiter;  // loop thread only
    std::string host;
    std::uint16_t port;
    TcpEndpoints found;
};

Resolve::Resolve(BlockingPool& pool, std::string host, std::uint16_t port)
    : pool_(&pool), host_(std::move(host)), port_(port) {}

Resolve::~Resolve() {
    forget();
}

void Resolve::forget() noexcept {
    if (call_ != nullptr) {
        (void)call_->withdraw();
        call_->waiter = nullptr;
        call_ = nullptr;
    }
}

bool Resolve::start() {
    if (scope().cancelled()) {
        answer_.emplace(cancelled_error());
        return false;
    }
    auto call = std::make_shared<Call>(scope().loop(), *this);
    if (auto taken = pool_->submit(call); !taken.ok()) {
        answer_.emplace(std::move(taken).error());
        return false;
    }
    call_ = std::move(call);
    return true;
}

void Resolve::on_cancel() noexcept {
    forget();
    answer_.emplace(cancelled_error());
    scope().loop().post(*this);
}

}  // namespace holdfast
