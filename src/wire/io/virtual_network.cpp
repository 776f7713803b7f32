// Listeners and connections of virtual time. An address is a text like any other: only ports tell
// listeners apart.

#include "virtual_world.h"

namespace holdfast {
namespace {

constexpr std::uint16_t first_free_port = 49152;  // as the dynamic ports of a real host

}  // namespace

class VirtualListener final : public TcpListener {
public:
    VirtualListener(std::shared_ptr<VirtualWorld> world, std::uint16_t port, int backlog)
        : world_(std::move(world)), port_(port),
          backlog_(static_cast<std::size_t>(std::max(backlog, 1))) {
        world_->ports[port_].push_back(this);
    }
    ~VirtualListener() override { leave(); }

    std::uint16_t port() const override { return port_; }
    Task<TcpAccepted> accept() override {
        auto outcome = co_await Accept(*this);
        if (!outcome.ok()) {
            co_return std::move(outcome).error();
        }
        const auto peer_port =
            static_cast<std::uint16_t>(first_free_port + world_->engine() % 16384);
        co_return TcpAccepted(std::move(outcome).value(), "127.0.0.1", peer_port);
    }
    void close() noexcept override {
        leave();
        closed_ = true;
        waiting_.clear();
        if (accepting_ != nullptr) {
            accepting_->end(Error(Code::closed, Effect::none, "the listener was closed"));
        }
    }

    // False: the backlog is full.
    bool offer(std::unique_ptr<Stream> stream) {
        if (accepting_ != nullptr) {
            accepting_->end(std::move(stream));
            return true;
        }
        if (waiting_.size() >= backlog_) {
            return false;
        }
        waiting_.push_back(std::move(stream));
        return true;
    }

private:
    using Outcome = Result<std::unique_ptr<Stream>>;
    class Accept final : public Suspension, private Work {
    public:
        explicit Accept(VirtualListener& listener) : listener_(&listener) {}
        ~Accept() {
            if (listener_->accepting_ == this) {
                listener_->accepting_ = nullptr;
            }
        }
        Outcome await_resume() { return std::move(*outcome_); }
        void end(Outcome outcome) {
            listener_->accepting_ = nullptr;
            outcome_.emplace(std::move(outcome));
            scope().loop().post(*this);
        }

    private:
        bool start() override {
            if (scope().cancelled()) {
                outcome_.emplace(cancelled_error());
                return false;
            }
            if (listener_->closed_) {
                outcome_.emplace(Error(Code::closed, Effect::none, "the listener was closed"));
                return false;
            }
            if (!listener_->waiting_.empty()) {
                outcome_.emplace(std::move(listener_->waiting_.front()));
                listener_->waiting_.pop_front();
                return false;
            }
            listener_->accepting_ = this;
            return true;
        }
        void on_cancel() noexcept override {
            if (listener_->accepting_ == this) {
                end(cancelled_error());
            }
        }
        void run() override { resume(); }

        VirtualListener* listener_;
        std::optional<Outcome> outcome_;
    };

    void leave() noexcept {
        auto& listeners = world_->ports[port_];
        std::erase(listeners, this);
        if (listeners.empty()) {
            world_->ports.erase(port_);
        }
    }

    std::shared_ptr<VirtualWorld> world_;
    std::uint16_t port_;
    std::size_t backlog_;
    bool closed_ = false;
    std::deque<std::unique_ptr<Stream>> waiting_;
    Accept* accepting_ = nullptr;
};

namespace {

class VirtualNetwork final : public Network {
public:
    explicit VirtualNetwork(std::shared_ptr<VirtualWorld> world) : world_(std::move(world)) {}

    Result<std::unique_ptr<TcpListener>> listen(Loop&, const TcpListenOptions& options) override {
        std::uint16_t port = options.port();
        if (port == 0) {
            port = first_free_port;
            while (world_->ports.contains(port)) {
                ++port;
            }
        } else if (world_->ports.contains(port) && !options.shared_port()) {
            return Error(Code::internal, Effect::none, "cannot listen here; is the port in use?");
        }
        return std::unique_ptr<TcpListener>(
            std::make_unique<VirtualListener>(world_, port, options.backlog())
        );
    }

    Task<std::unique_ptr<Stream>> connect(std::string, std::uint16_t port) override {
        auto travelled = co_await sleep(world_->now + world_->delay() + Duration(1));
        if (!travelled.ok()) {
            co_return std::move(travelled).error();
        }
        const auto listeners = world_->ports.find(port);
        if (listeners != world_->ports.end()) {
            auto& all = listeners->second;
            StreamPair ends = open_virtual_pair(world_);
            if (all[world_->engine() % all.size()]->offer(std::move(ends.far))) {
                co_return std::move(ends.near);
            }
        }
        co_return Error(Code::unreachable, Effect::none, "nobody took the connection");
    }

    Task<std::unique_ptr<Stream>> connect_unix(std::string) override {
        co_return Error(Code::unsupported, Effect::none, "a virtual runtime has no unix sockets");
    }

private:
    std::shared_ptr<VirtualWorld> world_;
};

}  // namespace

std::unique_ptr<Network> open_virtual_network(std::shared_ptr<VirtualWorld> world) {
    return std::make_unique<VirtualNetwork>(std::move(world));
}

}  // namespace holdfast
