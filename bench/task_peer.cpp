#include "counted.h"
#include "task_sides.h"

#include <boost/asio.hpp>

#include <future>
#include <thread>

namespace holdfast::bench {
namespace {

namespace asio = boost::asio;
using Executor = asio::io_context::executor_type;
template <class T>
using Awaitable = asio::awaitable<T, Executor>;
constexpr auto use = asio::use_awaitable_t<Executor>();
using Timer = asio::basic_waitable_timer<
    std::chrono::steady_clock,
    asio::wait_traits<std::chrono::steady_clock>,
    Executor>;
constexpr std::chrono::seconds far_away{120};
constexpr std::chrono::seconds not_so_far{60};

[[gnu::noinline]] Awaitable<int> ready_child(int value) {
    co_return value;
}

[[gnu::noinline]] Awaitable<int> yielding_child(int value) {
    co_await asio::post(use);
    co_return value;
}

Awaitable<Run> ready(std::uint64_t operations) {
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        sum += static_cast<std::uint64_t>(co_await ready_child(1));
    }
    co_return counted.run(sum);
}

Awaitable<Run> yields(std::uint64_t operations) {
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        sum += static_cast<std::uint64_t>(co_await yielding_child(1));
    }
    co_return counted.run(sum);
}

// A timer before all others, as a busy program has one: without it Asio would tell the kernel of
// each new timer.
class Earlier {
public:
    explicit Earlier(asio::io_context& io) : timer_(io, not_so_far) {
        timer_.async_wait([](boost::system::error_code) {});
    }

private:
    Timer timer_;
};

// The cheapest form: a callback of the timer would cancel the work. asio's own operators for this
// (awaitable || timer) cost several times as much.
Awaitable<Run> deadlines(asio::io_context& io, std::uint64_t operations) {
    const Earlier earlier(io);
    Timer timer(io);
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        timer.expires_after(far_away);
        timer.async_wait([](boost::system::error_code) {});
        sum += static_cast<std::uint64_t>(co_await yielding_child(1));
        timer.cancel();
    }
    co_return counted.run(sum);
}

Awaitable<Run> timers(asio::io_context& io, std::uint64_t operations) {
    const Earlier earlier(io);
    Timer timer(io);
    const Counted counted;
    for (std::uint64_t i = 0; i < operations; ++i) {
        timer.expires_after(far_away);
        timer.async_wait([](boost::system::error_code) {});
        timer.cancel();
    }
    co_return counted.run(operations);
}

Awaitable<int> ask_pool(asio::thread_pool& pool) {
    auto begin = [&pool](auto handler) {
        asio::post(pool, [handler = std::move(handler)]() mutable {
            auto home = asio::get_associated_executor(handler);
            asio::post(home, [handler = std::move(handler)]() mutable { std::move(handler)(1); });
        });
    };
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<Executor>, void(int)>(
        begin, use
    );
}

Awaitable<Run> hops(asio::thread_pool& pool, std::uint64_t operations) {
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        sum += static_cast<std::uint64_t>(co_await ask_pool(pool));
    }
    co_return counted.run(sum);
}

class Peer final : public TaskSide {
public:
    Peer()
        : io_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO), guard_(io_.get_executor()), pool_(1),
          thread_([this] { io_.run(); }) {}
    ~Peer() override {
        guard_.reset();
        io_.stop();
        thread_.join();
    }

    Run run(std::string_view work, std::uint64_t operations) override {
        if (work == "wait") {
            return waits(operations);
        }
        return asio::co_spawn(io_, coroutine_of(work, operations), asio::use_future).get();
    }

private:
    Awaitable<Run> coroutine_of(std::string_view work, std::uint64_t operations) {
        if (work == "ready") {
            return ready(operations);
        }
        if (work == "yield") {
            return yields(operations);
        }
        if (work == "deadline") {
            return deadlines(io_, operations);
        }
        return work == "timer" ? timers(io_, operations) : hops(pool_, operations);
    }

    Run waits(std::uint64_t operations) {
        const Counted counted;
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < operations; ++i) {
            sum += static_cast<std::uint64_t>(
                asio::co_spawn(io_, ready_child(1), asio::use_future).get()
            );
        }
        return counted.run(sum);
    }

    asio::io_context io_;
    asio::executor_work_guard<Executor> guard_;
    asio::thread_pool pool_;
    std::thread thread_;
};

}  // namespace

std::unique_ptr<TaskSide> open_awaitable() {
    return std::make_unique<Peer>();
}

}  // namespace holdfast::bench
