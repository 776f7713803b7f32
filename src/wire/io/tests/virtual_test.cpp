// Promises of virtual time: clocks, chance, connections.
#include <holdfast/io/compose.h>
#include <holdfast/io/tcp.h>
#include <holdfast/io/virtual_runtime.h>

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace holdfast {
namespace {

std::unique_ptr<VirtualRuntime> runtime_of(std::uint64_t seed = 1, std::size_t loops = 1) {
    return open_virtual_runtime(VirtualOptions().seed(seed).loops(loops).window_bytes(100));
}

Task<std::string> reading_all(Stream& stream) {
    std::string all;
    std::array<std::byte, 32> space;
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
Task<std::size_t> reading(Stream& stream) {
    std::array<std::byte, 32> space;
    co_return co_await stream.read_some(space);
}
Task<std::size_t> writing(Stream& stream, std::string text) {
    co_return co_await stream.write_some(bytes_of(text));
}
Task<> writing_all(Stream& stream, std::string text, Deadline deadline) {
    co_return co_await write_all(stream, text, deadline);
}
Deadline in(VirtualRuntime& runtime, int ms) {
    return Deadline::in(Duration(ms), runtime.clock());
}

TEST(VirtualStream, an_end_arrives_after_all_that_was_written) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        auto runtime = runtime_of(seed);
        auto ends = open_virtual_streams(*runtime);
        auto send = [](std::unique_ptr<Stream> stream, std::string text, Deadline deadline
                    ) -> Task<> {
            co_return co_await write_all(*stream, text, deadline);  // and the stream goes
        };
        const std::string text(1000, 'x');
        auto both = wait(
            *runtime,
            when_all(
                reading_all(*ends.far), send(std::move(ends.near), text, in(*runtime, 100'000))
            )
        );
        EXPECT_EQ(std::get<0>(both.value()).value(), text);
        EXPECT_TRUE(std::get<1>(both.value()).ok());
    }
}

TEST(VirtualStream, a_half_closed_connection_still_carries_the_answer) {
    auto runtime = runtime_of();
    auto ends = open_virtual_streams(*runtime);
    auto client = [](Stream& stream, Deadline deadline) -> Task<std::string> {
        auto sent = co_await write_all(stream, "ask", deadline);
        EXPECT_TRUE(sent.ok());
        stream.shutdown_write();
        co_return co_await reading_all(stream);
    };
    auto server = [](std::unique_ptr<Stream> stream, Deadline deadline) -> Task<std::string> {
        auto asked = co_await reading_all(*stream);
        auto sent = co_await write_all(*stream, "answer", deadline);
        EXPECT_TRUE(sent.ok());
        co_return asked;
    };
    auto both = wait(
        *runtime,
        when_all(
            client(*ends.near, in(*runtime, 1000)), server(std::move(ends.far), in(*runtime, 1000))
        )
    );
    EXPECT_EQ(std::get<0>(both.value()).value(), "answer");
    EXPECT_EQ(std::get<1>(both.value()).value(), "ask");
}

TEST(VirtualStream, an_abort_breaks_the_reads_and_writes_of_the_peer) {
    auto runtime = runtime_of();
    auto ends = open_virtual_streams(*runtime);
    auto aborting = [](Stream& stream) -> Task<> {
        stream.abort();
        auto own = co_await reading(stream);
        EXPECT_EQ(own.error().code(), Code::closed);
        co_return Done();
    };
    auto both = wait(*runtime, when_all(reading(*ends.near), aborting(*ends.far)));
    const auto& read = std::get<0>(both.value());
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().code(), Code::unreachable);
    EXPECT_EQ(wait(*runtime, writing(*ends.near, "x")).error().code(), Code::unreachable);
}

TEST(VirtualStream, an_abort_ends_what_is_in_flight_on_its_own_side) {
    auto runtime = runtime_of();
    auto ends = open_virtual_streams(*runtime);
    auto aborting = [](Stream& stream) -> Task<> {
        stream.abort();
        co_return Done();
    };
    auto both = wait(*runtime, when_all(reading(*ends.near), aborting(*ends.near)));
    EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::closed);
}

TEST(VirtualStream, a_write_waits_for_room_and_cancelled_has_sent_nothing) {
    auto runtime = runtime_of();
    auto ends = open_virtual_streams(*runtime);
    auto fill = [](Stream& stream) -> Task<std::size_t> {
        std::size_t sent = 0;
        const std::string text(100, 'x');
        for (;;) {
            auto wrote = stream.write_now(bytes_of(text));
            if (wrote.value() == 0) {
                co_return sent;
            }
            sent += wrote.value();
        }
    };
    EXPECT_EQ(wait(*runtime, fill(*ends.near)).value(), 100U);
    auto late = wait(*runtime, with_deadline(writing(*ends.near, "more"), in(*runtime, 50)));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    EXPECT_EQ(late.error().effect(), Effect::none);
    auto both = wait(*runtime, when_all(reading(*ends.far), writing(*ends.near, "more")));
    EXPECT_GT(std::get<1>(both.value()).value(), 0U);
}

TEST(VirtualStream, a_message_cut_by_its_deadline_has_an_unknown_effect) {
    auto runtime = runtime_of();
    auto ends = open_virtual_streams(*runtime);
    auto cut = wait(*runtime, writing_all(*ends.near, std::string(1000, 'x'), in(*runtime, 50)));
    EXPECT_EQ(cut.error().code(), Code::timed_out);
    EXPECT_EQ(cut.error().effect(), Effect::unknown);
    // Its negative: not a byte of this one finds room.
    auto none = wait(*runtime, writing_all(*ends.near, "x", in(*runtime, 50)));
    EXPECT_EQ(none.error().code(), Code::timed_out);
    EXPECT_EQ(none.error().effect(), Effect::none);
}

TEST(VirtualStream, two_pieces_arrive_in_order) {
    auto runtime = runtime_of(3);
    auto ends = open_virtual_streams(*runtime);
    auto send = [](std::unique_ptr<Stream> stream, Deadline deadline) -> Task<> {
        const std::string head(150, 'h');
        const std::string body(200, 'b');
        co_return co_await write_all(*stream, bytes_of(head), bytes_of(body), deadline);
    };
    auto both = wait(
        *runtime,
        when_all(reading_all(*ends.far), send(std::move(ends.near), in(*runtime, 100'000)))
    );
    EXPECT_EQ(std::get<0>(both.value()).value(), std::string(150, 'h') + std::string(200, 'b'));
}

TEST(VirtualNetwork, a_connection_is_accepted_and_carries_bytes) {
    auto runtime = runtime_of(1, 2);
    auto listener = open_tcp_listener(runtime->loop(0), TcpListenOptions()).value();
    auto serve = [](TcpListener& own) -> Task<std::string> {
        auto accepted = co_await own.accept();
        EXPECT_EQ(accepted.value().peer_address, "127.0.0.1");
        co_return co_await reading_all(*accepted.value().stream);
    };
    auto call = [](std::uint16_t port, Deadline deadline) -> Task<> {
        auto stream = co_await connect_tcp("example.test", port, deadline);
        co_return co_await write_all(*stream.value(), "hello", deadline);
    };
    auto both =
        wait(*runtime, when_all(serve(*listener), call(listener->port(), in(*runtime, 1000))));
    EXPECT_EQ(std::get<0>(both.value()).value(), "hello");
}

TEST(VirtualNetwork, nobody_listens_is_unreachable_and_a_closed_listener_says_closed) {
    auto runtime = runtime_of();
    auto call = [](std::uint16_t port, Deadline deadline) -> Task<> {
        auto stream = co_await connect_tcp("127.0.0.1", port, deadline);
        co_return std::move(stream).error();
    };
    EXPECT_EQ(wait(*runtime, call(80, in(*runtime, 1000))).error().code(), Code::unreachable);
    auto listener = open_tcp_listener(runtime->loop(0), TcpListenOptions().port(80)).value();
    EXPECT_FALSE(open_tcp_listener(runtime->loop(0), TcpListenOptions().port(80)).ok());
    auto accepting = [](TcpListener& own) -> Task<> {
        auto accepted = co_await own.accept();
        co_return std::move(accepted).error();
    };
    auto closing = [](TcpListener& own) -> Task<> {
        co_await yield();
        own.close();
        co_return Done();
    };
    auto both = wait(*runtime, when_all(accepting(*listener), closing(*listener)));
    EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::closed);
    EXPECT_EQ(wait(*runtime, call(80, in(*runtime, 1000))).error().code(), Code::unreachable);
}

TEST(VirtualTime, the_wall_clock_can_jump_while_the_steady_one_goes_on) {
    auto runtime = runtime_of();
    const Clock& clock = runtime->clock();
    const SteadyTime steady = clock.steady_now();
    const WallTime wall = clock.wall_now();
    runtime->run(steady + Duration(10));
    EXPECT_EQ(clock.steady_now(), steady + Duration(10));
    EXPECT_EQ(clock.wall_now(), wall + Duration(10));
    runtime->shift_wall(Duration(-5000));
    EXPECT_EQ(clock.wall_now(), wall - Duration(4990));
    EXPECT_EQ(clock.steady_now(), steady + Duration(10));
}

TEST(VirtualTime, chance_follows_the_seed) {
    EXPECT_EQ(runtime_of(7)->random().next(), runtime_of(7)->random().next());
    EXPECT_NE(runtime_of(7)->random().next(), runtime_of(8)->random().next());
    std::array<std::byte, 13> one{};
    std::array<std::byte, 13> two{};
    runtime_of(7)->random().fill(one);
    runtime_of(7)->random().fill(two);
    EXPECT_EQ(one, two);
}

TEST(VirtualTime, a_closed_runtime_answers_closed) {
    auto runtime = runtime_of();
    auto value = []() -> Task<int> {
        co_return 1;
    };
    EXPECT_EQ(wait(*runtime, value()).value(), 1);
    EXPECT_EQ(runtime->close(in(*runtime, 10)), 0U);
    auto refused = wait(*runtime, value());
    EXPECT_EQ(refused.error().code(), Code::closed);
    EXPECT_EQ(refused.error().effect(), Effect::none);
}

Task<> ticking(std::vector<std::int64_t>& times, Duration each) {
    Loop& loop = (co_await this_scope()).loop();
    for (;;) {
        auto slept = co_await sleep(loop.now() + each);
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
        times.push_back(loop.now().time_since_epoch().count());
    }
}
struct Ticker {
    explicit Ticker(VirtualRuntime& runtime, std::size_t loop) {
        spawn(runtime.loop(loop), ticking(times, Duration(10)), [this](const Result<Done>& ended) {
            code = ended.error().code();
        });
    }
    std::vector<std::int64_t> times;
    std::optional<Code> code;
};

TEST(VirtualProcess, a_paused_loop_does_nothing_and_goes_on_later) {
    auto runtime = runtime_of(1, 2);
    const Ticker other(*runtime, 0);
    const Ticker paused(*runtime, 1);
    runtime->run(runtime->now() + Duration(95));
    runtime->pause(1, runtime->now() + Duration(1'000));
    runtime->run(runtime->now() + Duration(999));
    EXPECT_EQ(paused.times.size(), 9U);
    EXPECT_GT(other.times.size(), 100U);
    runtime->run(runtime->now() + Duration(2));
    EXPECT_EQ(paused.times.size(), 10U) << "one late ring";
    EXPECT_EQ(paused.times.back(), other.times.front() + 95 + 1'000 - 10);
    runtime.reset();
}

Task<> at_its_end(VirtualRuntime& own) {
    EXPECT_EQ(own.now().time_since_epoch().count(), 1'000'050);
    co_return Done();
}

TEST(VirtualProcess, what_is_sent_to_a_paused_loop_runs_when_it_goes_on) {
    auto runtime = runtime_of(1, 2);
    runtime->pause(1, runtime->now() + Duration(50));
    bool done = false;
    spawn(runtime->loop(1), at_its_end(*runtime), [&](const Result<Done>&) { done = true; });
    runtime->run();
    EXPECT_TRUE(done);
    runtime.reset();
}

TEST(VirtualProcess, a_drifting_loop_has_its_own_time) {
    auto runtime = runtime_of(1, 2);
    runtime->drift(1, 100);
    const Ticker right(*runtime, 0);
    const Ticker fast(*runtime, 1);
    runtime->run(runtime->now() + Duration(10'000));
    EXPECT_EQ(right.times.size(), 1'000U);
    EXPECT_NEAR(static_cast<double>(fast.times.size()), 1'000.0, 1.0)
        << "each ring comes up to one millisecond of the right clock late";
    EXPECT_EQ(runtime->loop(1).now() - runtime->loop(0).now(), Duration(1'000));
    for (std::size_t i = 1; i < fast.times.size(); ++i) {
        EXPECT_GE(fast.times[i] - fast.times[i - 1], 10) << "never early";
    }
    runtime.reset();
}

TEST(VirtualProcess, a_killed_loop_forgets_its_tasks_and_a_restarted_one_takes_new_ones) {
    auto runtime = runtime_of(1, 2);
    Ticker old(*runtime, 1);
    const Ticker other(*runtime, 0);
    runtime->run(runtime->now() + Duration(25));
    Ticker not_begun(*runtime, 1);
    runtime->kill(1);
    EXPECT_EQ(old.code, Code::closed);
    EXPECT_EQ(not_begun.code, Code::closed);
    const Ticker refused(*runtime, 1);
    runtime->run(runtime->now() + Duration(25));
    EXPECT_EQ(refused.code, Code::closed);
    EXPECT_EQ(old.times.size(), 2U);
    runtime->restart(1);
    const Ticker anew(*runtime, 1);
    runtime->run(runtime->now() + Duration(25));
    EXPECT_EQ(anew.times.size(), 2U);
    EXPECT_EQ(other.times.size(), 7U);
    runtime.reset();
}

}  // namespace
}  // namespace holdfast
