// Promises of TLS streams over TCP.
#include "tests/tls_scene.h"

#include <holdfast/io/runtime.h>
#include <holdfast/io/tcp.h>

#include <gtest/gtest.h>

#include <thread>

namespace holdfast {
namespace {

struct Ends {
    std::unique_ptr<Stream> server;
    std::unique_ptr<Stream> client;
};

Task<std::unique_ptr<Stream>>
accept_one(TcpListener* listener, TlsContextPointer context, Deadline end) {
    auto accepted = co_await listener->accept();
    if (!accepted.ok()) {
        co_return std::move(accepted).error();
    }
    std::unique_ptr<Stream> stream = std::move(accepted.value().stream);
    co_return co_await accept_tls(std::move(stream), std::move(context), end);
}
Task<std::unique_ptr<Stream>>
connect_one(std::uint16_t port, TlsContextPointer context, Deadline end) {
    auto connected = co_await connect_tcp("127.0.0.1", port, end);
    if (!connected.ok()) {
        co_return std::move(connected).error();
    }
    co_return co_await connect_tls(
        std::move(connected).value(), std::move(context), "127.0.0.1", end
    );
}

class TlsOverTcp : public ::testing::Test {
protected:
    std::unique_ptr<Runtime> runtime = open_runtime(RuntimeOptions().loops(2)).value();
    Loop& loop = runtime->loop(0);
    TlsContextPointer server_context = open_tls_server(TlsFiles::get().server_options()).value();
    TlsContextPointer client_context = open_tls_client(TlsFiles::get().client_options()).value();
    std::unique_ptr<TcpListener> listener = open_tcp_listener(loop, TcpListenOptions()).value();

    Deadline in(int ms) { return Deadline::in(Duration(ms), loop.now()); }
    template <class T>
    Result<T> run(Task<T> task) {
        return wait(*runtime, loop, std::move(task));
    }
    Ends connected() {
        auto both = run(when_all(
            accept_one(listener.get(), server_context, in(60'000)),
            connect_one(listener->port(), client_context, in(60'000))
        ));
        Ends ends;
        ends.server = std::move(std::get<0>(both.value())).value();
        ends.client = std::move(std::get<1>(both.value())).value();
        return ends;
    }
};

Task<> say(Stream* stream, std::string text, Deadline deadline) {
    auto sent = co_await write_all(*stream, text, deadline);
    stream->shutdown_write();
    co_return sent;
}

TEST_F(TlsOverTcp, megabytes_travel_both_ways_at_once) {
    Ends ends = connected();
    const std::string there(3'000'000, 'a');
    const std::string back(2'000'000, 'b');
    auto all = run(when_all(
        say(ends.client.get(), there, in(60'000)),
        say(ends.server.get(), back, in(60'000)),
        reading_all(ends.server.get()),
        reading_all(ends.client.get())
    ));
    EXPECT_EQ(std::get<2>(all.value()).value(), there);
    EXPECT_EQ(std::get<3>(all.value()).value(), back);
}

TEST_F(TlsOverTcp, one_that_is_destroyed_on_another_thread_says_its_end) {
    Ends ends = connected();
    std::thread([stream = std::move(ends.server)]() mutable { stream.reset(); }).join();
    const auto read = run(reading_all(ends.client.get()));
    ASSERT_TRUE(read.ok()) << read.error().what();
    EXPECT_EQ(read.value(), "");
}

TEST_F(TlsOverTcp, what_the_system_did_not_take_yet_is_sent_after_its_destruction) {
    Ends ends = connected();
    auto fill = [](std::unique_ptr<Stream> stream) -> Task<std::size_t> {
        const std::string text(100'000, 'x');
        std::size_t sum = 0;
        for (;;) {
            auto taken = stream->write_now(bytes_of(text));
            if (!taken.ok() || taken.value() == 0) {
                co_return sum;
            }
            sum += taken.value();
        }
    };
    const auto taken = run(fill(std::move(ends.server)));
    const auto read = run(reading_all(ends.client.get()));
    ASSERT_TRUE(read.ok()) << read.error().what();
    EXPECT_EQ(read.value().size(), taken.value());
}

TEST_F(TlsOverTcp, a_runtime_may_close_while_a_goodbye_waits) {
    Ends ends = connected();
    auto fill = [](std::unique_ptr<Stream> stream) -> Task<> {
        const std::string text(100'000, 'x');
        for (;;) {
            auto taken = stream->write_now(bytes_of(text));
            if (!taken.ok() || taken.value() == 0) {
                co_return Done();
            }
        }
    };
    ASSERT_TRUE(run(fill(std::move(ends.server))).ok());
    ends.client.reset();
    listener.reset();
    runtime->close(in(0));
}

TEST_F(TlsOverTcp, a_reset_reads_as_broken) {
    Ends ends = connected();
    auto abort = [](std::unique_ptr<Stream> stream) -> Task<> {
        stream->abort();
        co_return Done();
    };
    (void)run(abort(std::move(ends.server)));
    EXPECT_EQ(run(reading_all(ends.client.get())).error().code(), Code::unreachable);
}

TEST_F(TlsOverTcp, contexts_are_swapped_while_all_loops_shake_hands) {
    TlsServerContexts contexts(server_context);
    constexpr int connections = 20;
    auto many = [](TlsServerContexts* own, TlsContextPointer client, Loop* on) -> Task<int> {
        int whole = 0;
        auto heard = open_tcp_listener(*on, TcpListenOptions());
        for (int i = 0; i < connections; ++i) {
            const Deadline end = Deadline::in(Duration(60'000), on->now());
            auto both = co_await when_all(
                accept_one(heard.value().get(), own->current(), end),
                connect_one(heard.value()->port(), client, end)
            );
            whole += std::get<0>(both.value()).ok() && std::get<1>(both.value()).ok() ? 1 : 0;
        }
        co_return whole;
    };
    std::vector<std::future<Result<int>>> all;
    for (std::size_t i = 0; i < 2; ++i) {
        auto promise = std::make_shared<std::promise<Result<int>>>();
        all.push_back(promise->get_future());
        Loop& own = runtime->loop(i);
        spawn(own, many(&contexts, client_context, &own), [promise](Result<int> outcome) {
            promise->set_value(std::move(outcome));
        });
    }
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(contexts.reload(TlsFiles::get().server_options()).ok());
    }
    for (auto& one : all) {
        EXPECT_EQ(one.get().value(), connections);
    }
}

}  // namespace
}  // namespace holdfast
