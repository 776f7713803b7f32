// Promises of TCP connections over the loopback interface.
#include "tests/descriptors.h"

#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>
#include <holdfast/io/tcp.h>

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>
#include <thread>

namespace holdfast {
namespace {

struct Ends {
    std::unique_ptr<Stream> near;
    std::unique_ptr<Stream> far;
};

class Tcp : public testing::Test {
protected:
    std::unique_ptr<Runtime> runtime = open_runtime(RuntimeOptions().loops(2)).value();
    Loop& loop = runtime->loop(0);

    std::unique_ptr<TcpListener> listen(const TcpListenOptions& options = {}) {
        return open_tcp_listener(loop, options).value();
    }
    Deadline in(int ms) { return Deadline::in(Duration(ms), loop.now()); }
    template <class T>
    Result<T> run(Task<T> task) {
        return wait(*runtime, loop, std::move(task));
    }
};

Task<std::size_t> reading(Stream& stream) {
    std::array<std::byte, 64> space;
    co_return co_await stream.read_some(space);
}
Task<std::string> reading_all(Stream& stream) {
    std::string all;
    std::array<std::byte, 4096> space;
    for (;;) {
        auto got = co_await stream.read_some(space);
        if (!got.ok()) {
            co_return std::move(got).error();
        }
        if (got.value() == 0) {
            co_return all;
        }
        all.append(reinterpret_cast<const char*>(space.data()), got.value());
    }
}
Task<Ends> connected(TcpListener& listener, Deadline deadline) {
    auto near = connect_tcp("127.0.0.1", listener.port(), deadline);
    auto both = co_await when_all(std::move(near), listener.accept());
    auto& [client, server] = both.value();
    Ends ends;
    ends.near = std::move(client).value();
    ends.far = std::move(server.value().stream);
    co_return std::move(ends);
}
// Writes until the system takes nothing for now.
std::size_t fill(Stream& stream) {
    const std::string text(65536, 'x');
    std::size_t sent = 0;
    for (;;) {
        auto wrote = stream.write_now(bytes_of(text));
        if (!wrote.ok() || wrote.value() == 0) {
            return sent;
        }
        sent += wrote.value();
    }
}

TEST_F(Tcp, bytes_and_the_end_travel_both_ways) {
    auto listener = listen();
    auto scene = [](TcpListener& own, Deadline deadline) -> Task<std::string> {
        auto ends = co_await connected(own, deadline);
        Stream& near = *ends.value().near;
        Stream& far = *ends.value().far;
        const std::string head = "head ";
        const std::string body = "body";
        auto sent = co_await write_all(near, bytes_of(head), bytes_of(body), deadline);
        EXPECT_TRUE(sent.ok());
        near.shutdown_write();
        auto asked = co_await reading_all(far);
        EXPECT_EQ(asked.value(), "head body");
        auto answered = co_await write_all(far, "answer", deadline);
        EXPECT_TRUE(answered.ok());
        ends.value().far.reset();
        co_return co_await reading_all(near);
    };
    EXPECT_EQ(run(scene(*listener, in(5000))).value(), "answer");
}

TEST_F(Tcp, sixteen_megabytes_travel_through_a_full_send_buffer) {
    auto listener = listen();
    auto sending = [](std::unique_ptr<Stream> stream, Deadline deadline) -> Task<> {
        const std::string text(1 << 24, 'm');
        co_return co_await write_all(*stream, text, deadline);
    };
    auto scene = [&sending](TcpListener& own, Deadline deadline) -> Task<std::size_t> {
        auto ends = co_await connected(own, deadline);
        auto both = co_await when_all(
            reading_all(*ends.value().near), sending(std::move(ends.value().far), deadline)
        );
        co_return std::get<0>(both.value()).value().size();
    };
    EXPECT_EQ(run(scene(*listener, in(20'000))).value(), std::size_t{1 << 24});
}

TEST_F(Tcp, an_abort_breaks_the_connection_of_the_peer) {
    auto listener = listen();
    auto scene = [](TcpListener& own, Deadline deadline) -> Task<int> {
        auto ends = co_await connected(own, deadline);
        ends.value().far->abort();
        auto own_read = co_await reading(*ends.value().far);
        EXPECT_EQ(own_read.error().code(), Code::closed);
        auto read = co_await reading(*ends.value().near);
        EXPECT_EQ(read.error().code(), Code::unreachable);
        auto write = ends.value().near->write_now(bytes_of("x"));
        EXPECT_EQ(write.error().code(), Code::unreachable);
        co_return 1;
    };
    EXPECT_TRUE(run(scene(*listener, in(5000))).ok());
}

TEST_F(Tcp, an_abort_ends_a_read_in_flight_as_closed) {
    auto listener = listen();
    auto aborting = [](Stream& stream) -> Task<> {
        co_await yield();
        stream.abort();
        co_return Done();
    };
    auto scene = [&aborting](TcpListener& own, Deadline deadline) -> Task<Code> {
        auto ends = co_await connected(own, deadline);
        Stream& near = *ends.value().near;
        auto both = co_await when_all(reading(near), aborting(near));
        co_return std::get<0>(both.value()).error().code();
    };
    EXPECT_EQ(run(scene(*listener, in(5000))).value(), Code::closed);
}

TEST_F(Tcp, a_stopped_read_takes_nothing) {
    auto listener = listen();
    auto scene = [](TcpListener& own, Deadline deadline, Deadline soon) -> Task<std::size_t> {
        auto ends = co_await connected(own, deadline);
        auto late = co_await with_deadline(reading(*ends.value().near), soon);
        EXPECT_EQ(late.error().code(), Code::timed_out);
        auto sent = co_await write_all(*ends.value().far, "again", deadline);
        EXPECT_TRUE(sent.ok());
        co_return co_await reading(*ends.value().near);
    };
    EXPECT_EQ(run(scene(*listener, in(5000), in(20))).value(), 5U);
}

TEST_F(Tcp, a_stopped_write_has_sent_none_of_its_bytes) {
    auto listener = listen();
    auto writing = [](Stream& stream) -> Task<std::size_t> {
        co_return co_await stream.write_some(bytes_of("not sent"));
    };
    auto scene = [&writing](TcpListener& own, Deadline deadline, Deadline soon) -> Task<int> {
        auto ends = co_await connected(own, deadline);
        const std::size_t sent = fill(*ends.value().near);
        auto late = co_await with_deadline(writing(*ends.value().near), soon);
        EXPECT_EQ(late.error().code(), Code::timed_out);
        EXPECT_EQ(late.error().effect(), Effect::none);
        ends.value().near->shutdown_write();
        auto all = co_await reading_all(*ends.value().far);
        EXPECT_EQ(all.value().size(), sent);
        co_return 1;
    };
    EXPECT_TRUE(run(scene(*listener, in(20'000), in(50))).ok());
}

TEST_F(Tcp, a_message_cut_by_its_deadline_has_an_unknown_effect) {
    auto listener = listen();
    auto scene = [](TcpListener& own, Deadline deadline, Deadline soon) -> Task<int> {
        auto ends = co_await connected(own, deadline);
        const std::string text(1 << 26, 'x');
        auto cut = co_await write_all(*ends.value().near, text, soon);
        EXPECT_EQ(cut.error().code(), Code::timed_out);
        EXPECT_EQ(cut.error().effect(), Effect::unknown);
        (void)fill(*ends.value().near);
        auto none = co_await write_all(*ends.value().near, "x", soon);
        EXPECT_EQ(none.error().code(), Code::timed_out);
        EXPECT_EQ(none.error().effect(), Effect::none);
        co_return 1;
    };
    EXPECT_TRUE(run(scene(*listener, in(20'000), in(100))).ok());
}

TEST_F(Tcp, a_writer_that_never_waits_leaves_turns_to_others) {
    auto listener = listen();
    auto endless = [](Stream& stream, const bool& stop) -> Task<> {
        while (!stop) {
            auto wrote = co_await stream.write_some(bytes_of("x"));
            if (!wrote.ok()) {
                co_return std::move(wrote).error();
            }
        }
        co_return Done();
    };
    auto other = [](bool& stop) -> Task<> {
        co_await yield();
        stop = true;
        co_return Done();
    };
    auto scene = [&](TcpListener& own, Deadline deadline) -> Task<int> {
        auto ends = co_await connected(own, deadline);
        bool stop = false;
        auto both = co_await when_all(endless(*ends.value().near, stop), other(stop));
        EXPECT_TRUE(std::get<0>(both.value()).ok());
        co_return 1;
    };
    EXPECT_TRUE(run(scene(*listener, in(5000))).ok());
}

TEST_F(Tcp, a_refused_connection_is_unreachable_without_effect) {
    auto listener = listen();
    const std::uint16_t port = listener->port();
    listener.reset();
    auto refused = run(connect_tcp("127.0.0.1", port, in(5000)));
    EXPECT_EQ(refused.error().code(), Code::unreachable);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    auto late = run(connect_tcp("127.0.0.1", port, in(0)));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::none);
}

TEST_F(Tcp, a_host_name_is_looked_up) {
    auto listener = listen();
    auto scene = [](TcpListener& own, Deadline deadline) -> Task<std::string> {
        auto both = co_await when_all(connect_tcp("localhost", own.port(), deadline), own.accept());
        EXPECT_TRUE(std::get<0>(both.value()).ok());
        co_return std::get<1>(both.value()).value().peer_address;
    };
    EXPECT_EQ(run(scene(*listener, in(5000))).value(), "127.0.0.1");
    EXPECT_EQ(run(connect_tcp("no-such-host.invalid", 1, in(5000))).error().effect(), Effect::none);
}

TEST_F(Tcp, an_accept_can_be_stopped_or_closed) {
    auto listener = listen();
    auto stopped = run(with_deadline(listener->accept(), in(20)));
    EXPECT_EQ(stopped.error().code(), Code::timed_out);
    auto closing = [](TcpListener& own) -> Task<> {
        co_await yield();
        own.close();
        co_return Done();
    };
    auto both = run(when_all(listener->accept(), closing(*listener)));
    EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::closed);
    EXPECT_EQ(run(listener->accept()).error().code(), Code::closed);
}

TEST_F(Tcp, a_port_is_shared_by_loops_only_if_they_ask_for_it) {
    auto shared = TcpListenOptions().shared_port(true);
    auto first = listen(shared);
    shared.port(first->port());
    auto second = open_tcp_listener(runtime->loop(1), shared).value();
    EXPECT_EQ(second->port(), first->port());
    auto alone = open_tcp_listener(loop, TcpListenOptions().port(first->port()));
    EXPECT_EQ(alone.error().code(), Code::internal);

    // The system spreads connections over both.
    auto serve = [](TcpListener& own) -> Task<int> {
        int count = 0;
        for (;;) {
            auto accepted = co_await own.accept();
            if (!accepted.ok()) {
                co_return count;
            }
            ++count;
        }
    };
    Stop stop;
    auto at_first = std::make_shared<std::promise<int>>();
    auto at_second = std::make_shared<std::promise<int>>();
    spawn(
        loop, serve(*first), [at_first](Result<int> n) { at_first->set_value(n.value()); }, &stop
    );
    Stop stop_second;
    spawn(
        runtime->loop(1),
        serve(*second),
        [at_second](Result<int> n) { at_second->set_value(n.value()); },
        &stop_second
    );
    auto call = [](std::uint16_t port, Deadline deadline) -> Task<int> {
        int calls = 0;
        while (calls < 64) {
            auto stream = co_await connect_tcp("127.0.0.1", port, deadline);
            if (!stream.ok()) {
                co_return std::move(stream).error();
            }
            auto end = co_await reading(*stream.value());  // it was accepted and dropped
            (void)end;
            ++calls;
        }
        co_return calls;
    };
    EXPECT_EQ(run(call(first->port(), in(10'000))).value(), 64);
    stop.request();
    stop_second.request();
    const int one = at_first->get_future().get();
    const int two = at_second->get_future().get();
    EXPECT_EQ(one + two, 64);
    EXPECT_GT(one, 0);
    EXPECT_GT(two, 0);
}

TEST_F(Tcp, wrong_listen_addresses_are_told_apart) {
    const auto code = [&](const char* address) {
        return open_tcp_listener(loop, TcpListenOptions().address(address)).error().code();
    };
    EXPECT_EQ(code("localhost"), Code::invalid_argument);
    EXPECT_EQ(code("192.0.2.1"), Code::unreachable);
}

#ifndef HOLDFAST_UBSAN
TEST_F(Tcp, without_descriptors_accept_answers_overloaded_and_does_not_spin) {
    auto listener = listen();
    auto client = connect_tcp("127.0.0.1", listener->port(), in(5000));
    auto held = run(std::move(client)).value();  // waits in the backlog
    auto scene = [](TcpListener& own, Loop& here) -> Task<int> {
        int refused = 0;
        const SteadyTime begin = here.now();
        while (here.now() < begin + Duration(250)) {
            auto accepted = co_await own.accept();
            EXPECT_EQ(accepted.error().code(), Code::overloaded);
            ++refused;
        }
        co_return refused;
    };
    std::optional<Result<int>> refused;
    {
        const NoDescriptors none;
        refused.emplace(run(scene(*listener, loop)));
    }
    EXPECT_GE(refused->value(), 1);
    EXPECT_LE(refused->value(), 3);
    EXPECT_TRUE(run(listener->accept()).ok());  // the connection was not lost
}

#endif

TEST_F(Tcp, streams_and_listeners_may_be_destroyed_on_another_thread) {
    for (int i = 0; i < 50; ++i) {
        auto listener = listen();
        auto ends = run(connected(*listener, in(5000)));
        std::thread([&] {
            ends.value().near.reset();
            listener.reset();
        }).join();
        EXPECT_EQ(run(reading(*ends.value().far)).value(), 0U);
    }
}

TEST_F(Tcp, frames_destroyed_while_they_read_write_and_accept_leave_nothing_behind) {
    auto listener = listen();
    Result<Ends> ends = run(connected(*listener, in(5000)));
    auto deaf = [](Task<> task) -> Task<> {
        co_return co_await shielded(std::move(task));
    };
    auto read = [](Stream& stream) -> Task<> {
        auto got = co_await reading(stream);
        (void)got;
        co_return Done();
    };
    auto write = [](Stream& stream) -> Task<> {
        (void)fill(stream);
        auto got = co_await stream.write_some(bytes_of("x"));
        (void)got;
        co_return Done();
    };
    auto accept = [](TcpListener& own) -> Task<> {
        auto got = co_await own.accept();
        (void)got;
        co_return Done();
    };
    std::atomic<int> unknown = 0;
    const auto count = [&](Result<Done> result) {
        unknown +=
            result.error().code() == Code::closed && result.error().effect() == Effect::unknown;
    };
    spawn(loop, deaf(read(*ends.value().near)), count);
    spawn(loop, deaf(write(*ends.value().near)), count);
    spawn(loop, deaf(accept(*listener)), count);
    EXPECT_EQ(runtime->close(in(20)), 3U);
    EXPECT_EQ(unknown.load(), 3);
}

}  // namespace
}  // namespace holdfast
