// Promises of tasks inside an Asio program.
#include <holdfast/io/asio.h>
#include <holdfast/io/compose.h>
#include <holdfast/io/tcp.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <gtest/gtest.h>

#include <optional>
#include <thread>

namespace holdfast {
namespace {

namespace asio = boost::asio;

Task<int> answer_after(Duration pause, int answer) {
    const SteadyTime begin = (co_await this_scope()).loop().now();
    auto slept = co_await sleep(begin + pause);
    if (!slept.ok()) {
        co_return std::move(slept).error();
    }
    co_return answer;
}

Task<int> within(Duration pause, Duration limit) {
    const SteadyTime begin = (co_await this_scope()).loop().now();
    co_return co_await with_deadline(answer_after(pause, 7), Deadline::in(limit, begin));
}

asio::awaitable<void> ask(AsioHost& host, std::optional<Result<int>>& answer) {
    answer.emplace(co_await async_run(host, answer_after(Duration{5}, 42), asio::use_awaitable));
}

TEST(AsioHost, a_task_is_awaited_by_a_coroutine_of_asio) {
    asio::io_context io;
    AsioHost host(io);
    std::optional<Result<int>> answer;
    asio::co_spawn(io, ask(host, answer), asio::detached);
    io.run();
    ASSERT_TRUE(answer.has_value() && answer->ok());
    EXPECT_EQ(answer->value(), 42);
}

TEST(AsioHost, run_returns_when_no_task_is_left_whatever_its_timers_would_have_waited_for) {
    asio::io_context io;
    AsioHost host(io);
    std::optional<Result<int>> answer;
    async_run(host, within(Duration{1}, std::chrono::hours(10)), [&](Result<int> outcome) {
        answer.emplace(std::move(outcome));
    });
    io.run();
    ASSERT_TRUE(answer.has_value() && answer->ok());
    EXPECT_EQ(answer->value(), 7);
}

TEST(AsioHost, run_returns_too_when_the_last_task_was_one_that_ran_by_itself) {
    asio::io_context io;
    AsioHost host(io);
    std::optional<Result<int>> answer;
    spawn(host.loop(), within(Duration{1}, std::chrono::hours(10)), [&](Result<int> outcome) {
        answer.emplace(std::move(outcome));
    });
    io.run();
    EXPECT_TRUE(answer.has_value() && answer->ok());
}

TEST(AsioHost, a_cancellation_slot_asks_the_task_to_stop) {
    asio::io_context io;
    AsioHost host(io);
    asio::cancellation_signal signal;
    std::optional<Result<int>> answer;
    async_run(
        host,
        answer_after(std::chrono::hours(1), 1),
        asio::bind_cancellation_slot(
            signal.slot(), [&](Result<int> outcome) { answer.emplace(std::move(outcome)); }
        )
    );
    asio::post(io, [&] { signal.emit(asio::cancellation_type::terminal); });
    io.run();
    ASSERT_TRUE(answer.has_value() && !answer->ok());
    EXPECT_EQ(answer->error().code(), Code::cancelled);
}

TEST(AsioHost, another_thread_may_start_a_task_and_wait_for_its_future) {
    asio::io_context io;
    auto guard = asio::make_work_guard(io);
    AsioHost host(io);
    std::thread thread([&] { io.run(); });
    auto future = async_run(host, answer_after(Duration{1}, 3), asio::use_future);
    auto answer = future.get();
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer.value(), 3);
    guard.reset();
    thread.join();
}

TEST(AsioHost, a_host_that_goes_answers_its_tasks_closed_and_unknown) {
    asio::io_context io;
    std::optional<Result<int>> answer;
    {
        AsioHost host(io);
        async_run(host, answer_after(std::chrono::hours(1), 1), [&](Result<int> outcome) {
            answer.emplace(std::move(outcome));
        });
        io.poll();
    }
    ASSERT_TRUE(answer.has_value() && !answer->ok());
    EXPECT_EQ(answer->error().code(), Code::closed);
    EXPECT_EQ(answer->error().effect(), Effect::unknown);
    io.run();  // what the host left behind is harmless
}

Task<std::unique_ptr<Stream>> connect_by_name(std::uint16_t port) {
    const SteadyTime begin = (co_await this_scope()).loop().now();
    co_return co_await connect_tcp(
        "localhost", port, Deadline::in(std::chrono::seconds(10), begin)
    );
}

TEST(AsioHost, connections_and_look_ups_live_on_the_programs_io_context) {
    asio::io_context io;
    AsioHost host(io);
    auto listener = open_tcp_listener(host.loop(), TcpListenOptions());
    ASSERT_TRUE(listener.ok());
    const std::uint16_t port = listener.value()->port();
    std::optional<Result<std::unique_ptr<Stream>>> connected;
    async_run(host, connect_by_name(port), [&](Result<std::unique_ptr<Stream>> outcome) {
        connected.emplace(std::move(outcome));
    });
    std::optional<Result<TcpAccepted>> accepted;
    async_run(host, listener.value()->accept(), [&](Result<TcpAccepted> outcome) {
        accepted.emplace(std::move(outcome));
    });
    io.run();
    EXPECT_TRUE(connected.has_value() && connected->ok());
    EXPECT_TRUE(accepted.has_value() && accepted->ok());
    // All of these are destroyed while nobody runs the io_context.
}

}  // namespace
}  // namespace holdfast
