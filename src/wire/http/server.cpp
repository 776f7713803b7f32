#include "listener.h"

#include <holdfast/http/limits.h>
#include <holdfast/http/server.h>

#include <vector>

namespace holdfast {
namespace {

// One loop's listener and the way to stop it.
struct Place {
    std::shared_ptr<HttpListener> listener;
    std::shared_ptr<Signal> ended;
    Stop stop;
};

class LoopsServer final : public HttpServer {
public:
    LoopsServer(Runtime& runtime, std::shared_ptr<ServerShare> share, std::uint16_t port)
        : runtime_(&runtime), share_(std::move(share)), port_(port) {}
    ~LoopsServer() override {
        stop();
        for (const Place& place : places_) {
            runtime_->block(*place.ended);
        }
    }

    void begin(Loop& loop, std::shared_ptr<HttpListener> listener) {
        const Place& place = places_.emplace_back(std::move(listener), std::make_shared<Signal>());
        spawn(
            loop,
            HttpListener::listen(place.listener),
            [ended = place.ended](Result<Done>) { ended->set(); },
            &place.stop
        );
    }

    std::uint16_t port() const override { return port_; }

    HttpServerCounts counts() const override {
        HttpServerCounts sum;
        sum.connections_open = share_->connections_open.load(std::memory_order_relaxed);
        for (const Place& place : places_) {
            const LoopCounts& counts = place.listener->counts();
            sum.connections_accepted += counts.accepted.read();
            sum.connections_refused += counts.refused_connections.read();
            sum.handshakes_failed += counts.failed_handshakes.read();
            sum.requests += counts.requests.read();
            sum.refusals += counts.refusals.read();
        }
        return sum;
    }

    Task<Done> drain(Deadline deadline) override {
        Loop& loop = (co_await this_scope()).loop();
        for (const Place& place : places_) {
            place.listener->drain();
        }
        bool cut = false;
        while (!all_ended()) {
            if (!cut && deadline.passed(loop.now())) {
                cut = true;
                stop();
            }
            auto slept = co_await sleep(loop.now() + drain_look);
            if (!slept.ok()) {
                co_return std::move(slept).error();
            }
        }
        if (cut) {
            co_return Error(Code::timed_out, Effect::unknown, "connections were cut off");
        }
        co_return Done();
    }

private:
    void stop() const {
        for (const Place& place : places_) {
            place.stop.request();
        }
    }
    bool all_ended() const {
        for (const Place& place : places_) {
            if (!place.ended->is_set()) {
                return false;
            }
        }
        return true;
    }

    Runtime* runtime_;
    std::shared_ptr<ServerShare> share_;
    std::uint16_t port_;
    std::vector<Place> places_;
};

TcpListenOptions listen_options(const HttpServerOptions& options, std::uint16_t port) {
    TcpListenOptions listen;
    listen.address(options.address()).port(port);
    return listen;
}

Task<> destroy(std::unique_ptr<TcpListener> listener) {
    listener.reset();
    co_return Done();
}
// On its own loop, as it must be.
void destroy_on(Runtime& runtime, Loop& loop, std::unique_ptr<TcpListener> listener) {
    (void)wait(runtime, loop, destroy(std::move(listener)));
}

}  // namespace

Result<std::unique_ptr<HttpServer>>
open_http_server(Runtime& runtime, HttpServerOptions options, HttpHandlers& handlers) {
    const std::size_t loops = runtime.loop_count();
    std::uint16_t port = options.port();
    if (loops > 1 && port != 0) {
        // A shared port opens also where another process of ours listens; one of its own does not.
        auto alone = open_tcp_listener(runtime.loop(0), listen_options(options, port));
        if (!alone.ok()) {
            return std::move(alone).error();
        }
        destroy_on(runtime, runtime.loop(0), std::move(alone).value());
    }
    std::vector<std::unique_ptr<TcpListener>> listeners;
    for (std::size_t i = 0; i < loops; ++i) {
        auto listener = open_tcp_listener(
            runtime.loop(i), listen_options(options, port).shared_port(loops > 1)
        );
        if (!listener.ok()) {
            while (!listeners.empty()) {
                Loop& loop = runtime.loop(listeners.size() - 1);
                destroy_on(runtime, loop, std::move(listeners.back()));
                listeners.pop_back();
            }
            return std::move(listener).error();
        }
        port = listener.value()->port();
        listeners.push_back(std::move(listener).value());
    }
    auto share = std::make_shared<ServerShare>(options);
    auto server = std::make_unique<LoopsServer>(runtime, share, port);
    for (std::size_t i = 0; i < loops; ++i) {
        Loop& loop = runtime.loop(i);
        server->begin(
            loop,
            std::make_shared<HttpListener>(
                loop, std::move(listeners[i]), handlers.open(loop), share
            )
        );
    }
    return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace holdfast
