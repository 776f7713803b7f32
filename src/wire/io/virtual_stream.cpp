// Connections of virtual time: bytes, ends and resets travel with seeded delays, in order.

#include "virtual_world.h"

#include <list>

namespace holdfast {
namespace {

class VirtualStream;

Error broken() {
    return Error(Code::unreachable, Effect::none, "the connection broke");
}

// One direction of a connection: between the sending stream and the receiving one, each of which
// may be gone.
class Pipe {
public:
    explicit Pipe(std::shared_ptr<VirtualWorld> world) : world_(std::move(world)) {}
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    enum class Cargo { bytes, end, reset };

    std::size_t room() const {
        return world_->window_bytes - std::min(world_->window_bytes, unread_);
    }
    std::size_t send(std::span<const std::byte> bytes) {
        const std::size_t moved = world_->some(std::min(bytes.size(), room()));
        put(Cargo::bytes, bytes.first(moved));
        unread_ += moved;
        return moved;
    }
    void send_last(Cargo cargo) {
        if (!std::exchange(ending, true) || cargo == Cargo::reset) {
            put(cargo, {});
        }
    }

    bool readable() const { return !arrived_.empty() || ended_; }
    bool holds_unread() const { return !arrived_.empty(); }
    std::size_t receive(std::span<std::byte> into) {
        const std::size_t most = std::min(into.size(), arrived_.size());
        const std::size_t moved = most == 0 ? 0 : world_->some(most);
        const auto last = arrived_.begin() + static_cast<std::ptrdiff_t>(moved);
        std::copy(arrived_.begin(), last, into.begin());
        arrived_.erase(arrived_.begin(), last);
        unread_ -= moved;
        return moved;
    }
    // Whatever has not been read is lost.
    void drop() {
        travelling_.clear();
        arrived_.clear();
        unread_ = 0;
    }

    VirtualStream* sender = nullptr;
    VirtualStream* receiver = nullptr;
    bool ending = false;  // the sender has said that no more will come

private:
    struct Arrival final : Work {
        void run() override { pipe->arrive(*this); }
        Pipe* pipe = nullptr;
        Cargo cargo = Cargo::bytes;
        std::vector<std::byte> bytes;
    };
    void put(Cargo cargo, std::span<const std::byte> bytes) {
        Arrival& arrival = travelling_.emplace_back();
        arrival.pipe = this;
        arrival.cargo = cargo;
        arrival.bytes.assign(bytes.begin(), bytes.end());
        last_arrival_ = std::max(last_arrival_, world_->now + world_->delay()) + Duration(1);
        world_->arm(arrival, last_arrival_);  // what is sent later never overtakes
    }
    void arrive(Arrival& arrival);

    std::shared_ptr<VirtualWorld> world_;
    std::list<Arrival> travelling_;
    SteadyTime last_arrival_{};
    std::deque<std::byte> arrived_;
    std::size_t unread_ = 0;
    bool ended_ = false;
};

class VirtualStream final : public Stream {
public:
    VirtualStream(std::shared_ptr<Pipe> in, std::shared_ptr<Pipe> out)
        : in_(std::move(in)), out_(std::move(out)) {
        in_->receiver = this;
        out_->sender = this;
    }
    ~VirtualStream() override {
        in_->receiver = nullptr;
        out_->sender = nullptr;
        if (state_ == State::open) {  // as TCP does: unread bytes turn a goodbye into a reset
            out_->send_last(in_->holds_unread() ? Pipe::Cargo::reset : Pipe::Cargo::end);
        }
    }

    void shutdown_write() noexcept override {
        if (state_ == State::open) {
            out_->send_last(Pipe::Cargo::end);
        }
    }
    void abort() noexcept override {
        if (state_ == State::open) {
            out_->drop();
            out_->send_last(Pipe::Cargo::reset);
        }
        lose(State::aborted);
    }

    // From the pipes.
    bool takes() const { return state_ == State::open; }
    void on_bytes_or_end() { answer(reading_, &VirtualStream::try_read); }
    void on_room() { answer(writing_, &VirtualStream::try_write); }
    void on_reset() {
        if (state_ == State::open) {
            lose(State::reset);
        }
    }

private:
    enum class State { open, reset, aborted };

    Error lost() const { return state_ == State::aborted ? closed_error() : broken(); }
    void lose(State state) {
        state_ = state;
        in_->drop();
        on_bytes_or_end();
        on_room();
    }

    Result<std::size_t>
    send_now(std::span<const std::byte> first, std::span<const std::byte> second) override {
        if (state_ != State::open) {
            return lost();
        }
        if (out_->ending) {
            return broken();
        }
        const auto bytes = first.empty() ? second : first;
        if (bytes.empty() || out_->room() == 0) {
            return std::size_t{0};
        }
        return out_->send(bytes);
    }

    bool start_io(StreamAwait& io) override {
        const bool reads = io.kind() == StreamAwait::Kind::read;
        if (reads ? try_read(io) : try_write(io)) {
            return false;
        }
        place_of(io) = &io;
        return true;
    }
    bool try_write(StreamAwait& io) {
        auto sent = send_now(io.first(), io.second());
        if (!sent.ok()) {
            io.set(std::move(sent).error());
            return true;
        }
        io.set(sent.value());
        return sent.value() != 0 || (io.first().empty() && io.second().empty());
    }
    bool try_read(StreamAwait& io) {
        if (state_ != State::open) {
            io.set(lost());
            return true;
        }
        if (!in_->readable() && !io.into().empty()) {
            return false;
        }
        io.set(in_->receive(io.into()));
        if (in_->sender != nullptr) {
            in_->sender->on_room();
        }
        return true;
    }
    void answer(StreamAwait*& place, bool (VirtualStream::*attempt)(StreamAwait&)) {
        if (place != nullptr && (this->*attempt)(*place)) {
            std::exchange(place, nullptr)->finish_later();
        }
    }

    StreamAwait*& place_of(const StreamAwait& io) {
        return io.kind() == StreamAwait::Kind::read ? reading_ : writing_;
    }
    void cancel_io(StreamAwait& io) noexcept override {
        place_of(io) = nullptr;
        io.set(cancelled_error());
        io.finish_later();
    }
    void forget_io(StreamAwait& io) noexcept override { place_of(io) = nullptr; }

    std::shared_ptr<Pipe> in_;
    std::shared_ptr<Pipe> out_;
    StreamAwait* reading_ = nullptr;
    StreamAwait* writing_ = nullptr;
    State state_ = State::open;
};

void Pipe::arrive(Arrival& arrival) {
    const Cargo cargo = arrival.cargo;
    const std::vector<std::byte> bytes = std::move(arrival.bytes);
    travelling_.remove_if([&](const Arrival& other) { return &other == &arrival; });
    if (receiver == nullptr || !receiver->takes()) {
        unread_ -= bytes.size();
        if (cargo == Cargo::bytes && sender != nullptr) {
            sender->on_reset();  // nobody is there to read
        }
        return;
    }
    if (cargo == Cargo::reset) {
        receiver->on_reset();
        return;
    }
    arrived_.insert(arrived_.end(), bytes.begin(), bytes.end());
    ended_ = ended_ || cargo == Cargo::end;
    receiver->on_bytes_or_end();
}

}  // namespace

StreamPair open_virtual_pair(const std::shared_ptr<VirtualWorld>& world) {
    auto there = std::make_shared<Pipe>(world);
    auto back = std::make_shared<Pipe>(world);
    return {
        std::make_unique<VirtualStream>(back, there),
        std::make_unique<VirtualStream>(there, back),
    };
}

}  // namespace holdfast
