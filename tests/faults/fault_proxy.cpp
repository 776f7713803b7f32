#include "poll_thread.h"
#include "proxy_link.h"

#include <live/ports.h>
#include <live/raw_redis.h>
#include <sys/socket.h>
#include <unistd.h>

#include <list>

namespace holdfast::testing {

class FaultProxy::Thread final : public PollThread {
public:
    Thread(std::string host, std::uint16_t port, std::uint16_t server_port)
        : server_port_(server_port), port_(port), host_(std::move(host)),
          listener_(listen_on(port_, host_)) {
        if (listener_ < 0) {
            throw RawFailure("a proxy cannot listen at " + host_);
        }
        begin();
    }
    Thread(std::uint16_t server_port, bool protocol) : server_port_(server_port) {
        faults_.protocol = protocol;
        do {
            port_ = free_port();
            listener_ = listen_on(port_, host_);
        } while (listener_ < 0);
        begin();
    }
    ~Thread() {
        end();
        close(listener_);
    }

    std::uint16_t port() const { return port_; }
    template <class Change>
    void tell(Change change) {
        with([&] { change(faults_, links_); });
    }
    template <class Look>
    auto see(Look at) const {
        return look([&] { return at(faults_, links_); });
    }
    void refuse() {
        with([&] {
            close(listener_);
            listener_ = -1;
        });
    }
    void heal() {
        with([&] {
            faults_.heal();
            while (listener_ < 0) {  // nobody else takes the port for long
                listener_ = listen_on(port_, host_);
            }
            for (ProxyLink& link : links_) {
                link.release_pushes(system_clock().steady_now());
            }
        });
    }

private:
    void wanted(std::vector<pollfd>& sockets, std::optional<SteadyTime>& until) override {
        if (listener_ >= 0) {
            sockets.push_back({listener_, POLLIN, 0});
        }
        for (ProxyLink& link : links_) {
            link.wanted(faults_, sockets, until);
        }
    }
    // A change may have closed sockets since: whoever can move moves, whatever was seen.
    void ready(const std::vector<pollfd>&) override {
        accept_all();
        const SteadyTime now = system_clock().steady_now();
        links_.remove_if([&](ProxyLink& link) { return !link.step(faults_, now); });
    }
    void accept_all() {
        while (listener_ >= 0) {
            const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) {
                return;
            }
            ++faults_.connections;
            try {
                links_.emplace_back(client, dial(server_port_));
            } catch (const RawFailure&) {
                close_with_reset(client);
            }
        }
    }

    std::uint16_t server_port_;
    std::uint16_t port_ = 0;
    std::string host_ = "127.0.0.1";
    int listener_ = -1;
    FaultState faults_;
    std::list<ProxyLink> links_;
};

FaultProxy::FaultProxy(std::uint16_t server_port, Reads reads)
    : thread_(std::make_unique<Thread>(server_port, reads == Reads::protocol)) {}
FaultProxy::FaultProxy(const std::string& host, std::uint16_t port, std::uint16_t server_port)
    : thread_(std::make_unique<Thread>(host, port, server_port)) {}
FaultProxy::~FaultProxy() = default;

std::uint16_t FaultProxy::port() const {
    return thread_->port();
}

void FaultProxy::latency(Duration each_way) {
    thread_->tell([&](FaultState& faults, auto&) { faults.latency = each_way; });
}
void FaultProxy::slice(Toward direction, std::size_t bytes, Duration pace) {
    thread_->tell([&](FaultState& faults, auto&) {
        faults.slices[static_cast<std::size_t>(direction)] = {bytes, pace};
    });
}
void FaultProxy::black_hole(Toward direction) {
    thread_->tell([&](FaultState& faults, auto&) {
        faults.hole[static_cast<std::size_t>(direction)] = true;
    });
}
void FaultProxy::stall(Toward direction) {
    thread_->tell([&](FaultState& faults, auto&) {
        faults.stalled[static_cast<std::size_t>(direction)] = true;
    });
}
void FaultProxy::hold_pushes() {
    thread_->tell([&](FaultState& faults, auto&) { faults.holds_pushes = true; });
}
void FaultProxy::refuse() {
    thread_->refuse();
}
void FaultProxy::heal() {
    thread_->heal();
}

void FaultProxy::replace(const std::string& text, const std::string& by) {
    if (text.size() != by.size()) {
        throw RawFailure("a reply that is longer or shorter would be no reply");
    }
    thread_->tell([&](FaultState& faults, auto&) { faults.replaced = {text, by}; });
}

void FaultProxy::reset_all() {
    thread_->tell([&](FaultState&, auto& links) {
        for (ProxyLink& link : links) {
            link.reset_now();
        }
    });
}
void FaultProxy::half_close(Toward direction) {
    thread_->tell([&](FaultState&, auto& links) {
        for (ProxyLink& link : links) {
            link.half_close(direction);
        }
    });
}

void FaultProxy::cut_after_request(std::size_t number, Cut how) {
    once(OneFault{Toward::server, Fate::pass_and_cut, number, 0, how});
}
void FaultProxy::cut_inside_request(std::size_t number, std::size_t bytes, Cut how) {
    once(OneFault{Toward::server, Fate::part_and_cut, number, bytes, how});
}
void FaultProxy::cut_after_reply(std::size_t number, Cut how) {
    once(OneFault{Toward::client, Fate::pass_and_cut, number, 0, how});
}
void FaultProxy::cut_inside_reply(std::size_t number, std::size_t bytes, Cut how) {
    once(OneFault{Toward::client, Fate::part_and_cut, number, bytes, how});
}
void FaultProxy::lose_reply(std::size_t number, Cut how) {
    once(OneFault{Toward::client, Fate::drop_and_cut, number, 0, how});
}
void FaultProxy::swallow_reply(std::size_t number) {
    once(OneFault{Toward::client, Fate::drop, number, 0, Cut::reset});
}
void FaultProxy::once(const OneFault& fault) {
    thread_->tell([&](FaultState& faults, auto&) { faults.once.push_back(fault); });
}
bool FaultProxy::done() const {
    return thread_->see([](const FaultState& faults, auto&) { return faults.once.empty(); });
}

std::size_t FaultProxy::connections() const {
    return thread_->see([](const FaultState& faults, auto&) { return faults.connections; });
}
std::size_t FaultProxy::open_connections() const {
    return thread_->see([](const FaultState&, auto& links) { return links.size(); });
}
std::size_t FaultProxy::requests() const {
    return thread_->see([](const FaultState& faults, auto&) { return faults.requests; });
}
std::size_t FaultProxy::replies() const {
    return thread_->see([](const FaultState& faults, auto&) { return faults.replies; });
}
std::size_t FaultProxy::pushes() const {
    return thread_->see([](const FaultState& faults, auto&) { return faults.pushes; });
}

}  // namespace holdfast::testing
