// What an operation costs in allocations. Counted only without sanitizers; with them the scenes
// still run.
#include "tests/counting_malloc.h"

#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>
#include <holdfast/io/tcp.h>

#include <gtest/gtest.h>

#include <array>

namespace holdfast {
namespace {

constexpr int rounds = 2000;
constexpr int warm = 1000;  // the first rounds fill the free lists of frames and of Asio

std::unique_ptr<Runtime> one_loop() {
    return open_runtime(RuntimeOptions().loops(1)).value();
}

// The scene has run in any build; its cost is known only where allocations are counted.
void expect_cost(long cost, long expected) {
    if (allocations_counted) {
        EXPECT_EQ(cost, expected);
    }
}

Task<int> yielding(int value) {
    co_await yield();
    co_return value;
}

TEST(Allocations, the_counter_counts) {
    const long before = allocations;
    auto one = std::make_unique<std::array<char, 1000>>();
    EXPECT_NE(one, nullptr);
    expect_cost(allocations - before, 1);
    void* aligned = std::aligned_alloc(64, 64);
    expect_cost(allocations - before, 2);
    std::free(aligned);
}

TEST(Allocations, a_task_that_suspends_costs_none_on_its_loop) {
    auto runtime = one_loop();
    auto scene = []() -> Task<long> {
        long before = 0;
        for (int i = 0; i < rounds; ++i) {
            if (i == warm) {
                before = allocations;
            }
            auto one = co_await yielding(i);
            (void)one;
        }
        co_return allocations - before;
    };
    expect_cost(wait(*runtime, scene()).value(), 0);
}

TEST(Allocations, a_round_trip_from_another_thread_costs_its_two_frames_and_nothing_else) {
    auto runtime = one_loop();
    long before = 0;
    for (int i = 0; i < rounds; ++i) {
        if (i == warm) {
            before = allocations;
        }
        (void)wait(*runtime, yielding(i)).value();
    }
    // The task's and the root's: made here, and given back to the free list of the loop's thread.
    expect_cost(allocations - before, 2 * (rounds - warm));
}

TEST(Allocations, a_task_spawned_on_its_own_loop_costs_none) {
    auto runtime = one_loop();
    auto scene = []() -> Task<long> {
        Loop& loop = (co_await this_scope()).loop();
        long before = 0;
        for (int i = 0; i < rounds; ++i) {
            if (i == warm) {
                before = allocations;
            }
            bool ended = false;
            spawn(loop, yielding(i), [&ended](Result<int>) { ended = true; });
            while (!ended) {
                co_await yield();
            }
        }
        co_return allocations - before;
    };
    expect_cost(wait(*runtime, scene()).value(), 0);
}

TEST(Allocations, joins_deadlines_and_timers_cost_none) {
    auto runtime = one_loop();
    auto scene = []() -> Task<long> {
        Loop& loop = (co_await this_scope()).loop();
        long before = 0;
        for (int i = 0; i < rounds; ++i) {
            if (i == warm) {
                before = allocations;
            }
            const Deadline deadline = Deadline::in(Duration(60'000), loop.now());
            auto both = co_await when_all(with_deadline(yielding(i), deadline), yielding(i));
            (void)both;
        }
        co_return allocations - before;
    };
    expect_cost(wait(*runtime, scene()).value(), 0);
}

Task<std::size_t> reading(Stream& stream, std::span<std::byte> into) {
    co_return co_await stream.read_some(into);
}

TEST(Allocations, bytes_over_tcp_cost_none) {
    auto runtime = one_loop();
    auto scene = [](Deadline deadline) -> Task<long> {
        Loop& loop = (co_await this_scope()).loop();
        auto listener = open_tcp_listener(loop, TcpListenOptions()).value();
        auto both = co_await when_all(
            connect_tcp("127.0.0.1", listener->port(), deadline), listener->accept()
        );
        auto near = std::move(std::get<0>(both.value())).value();
        auto far = std::move(std::get<1>(both.value()).value().stream);
        std::array<std::byte, 64> space;
        long before = 0;
        for (int i = 0; i < rounds; ++i) {
            if (i == warm) {
                before = allocations;
            }
            auto turn =
                co_await when_all(reading(*near, space), write_all(*far, "hello", deadline));
            EXPECT_EQ(std::get<0>(turn.value()).value(), 5U);
        }
        co_return allocations - before;
    };
    const Deadline deadline = Deadline::in(Duration(60'000), runtime->clock());
    expect_cost(wait(*runtime, scene(deadline)).value(), 0);
}

}  // namespace
}  // namespace holdfast
