// Redis in a program that has an io_context of its own: one thread, no runtime of ours.
// Usage: example [redis://127.0.0.1:6379]

#include <holdfast/io/asio.h>
#include <holdfast/redis/client.h>
#include <holdfast/redis/commands.h>
#include <holdfast/redis/from_uri.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstdio>
#include <optional>
#include <string>

namespace asio = boost::asio;
namespace hf = holdfast;
namespace redis = holdfast::redis;
using std::chrono_literals::operator""s;

namespace {

// begin asio
// The program's own executor instead of any_io_executor: that one links only where the program and
// the library were made by the same compiler.
using Executor = asio::io_context::executor_type;
constexpr asio::use_awaitable_t<Executor> awaited;

// A coroutine of the program; the client's tasks are awaited like any other operation of Asio.
asio::awaitable<int, Executor> serve(hf::AsioHost& host, redis::Client& client) {
    const hf::Deadline deadline = hf::Deadline::in(2s, host.loop().now());
    auto counting = client.task(redis::incr("requests"), deadline);
    auto count = co_await hf::async_run(host, std::move(counting), awaited);
    if (count.ok()) {
        std::printf("request %d\n", static_cast<int>(count.value()));
    }
    // Else the connection that stands would keep the io_context running.
    auto closed = co_await hf::async_run(host, client.close(deadline), awaited);
    co_return count.ok() && closed.ok() ? 0 : 1;
}

int run(const char* where) {
    auto uri = redis::RedisUri::parse(where);
    if (!uri.ok()) {
        return 2;
    }
    auto options = redis::options_from(uri.value());
    if (!options.ok()) {
        return 2;
    }
    asio::io_context io;
    hf::AsioHost host(io);
    auto client = redis::open_redis(host.loop(), std::move(options).value());
    if (!client.ok()) {
        return 2;
    }
    int code = 1;
    asio::co_spawn(io, serve(host, *client.value()), [&code](std::exception_ptr, int answer) {
        code = answer;
    });
    io.run();
    return code;
}
// end asio

}  // namespace

int main(int argc, char** argv) {
    return run(argc > 1 ? argv[1] : "redis://127.0.0.1:6379");
}
