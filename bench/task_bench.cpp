// What a step of a task costs beside asio::awaitable, in time and in allocations.

#include "counted.h"
#include "program.h"
#include "task_sides.h"

namespace holdfast::bench {
namespace {

struct Work {
    const char* name;
    std::uint64_t ours;  // operations of a turn
    std::uint64_t peer;
    double allocations_max;  // each, of our side
};

// A task in steady state takes its frames from the thread's pool. Measured per operation: the few
// that a first turn may still make stay far below one in a hundred.
constexpr double none = 0.01;
constexpr Work works[] = {
    {"ready", 10'000'000, 5'000'000, none},
    {"yield", 5'000'000, 2'000'000, none},
    {"deadline", 2'000'000, 1'000'000, none},
    {"timer", 10'000'000, 2'000'000, none},
    {"hop", 20'000, 20'000, 2
    },  // the call, which its loop and the pool share, and its place in the queue
    {"wait", 20'000, 20'000, 2
    },  // two frames; they end on the loop's thread, so its pool gets them
};

int run(int argc, char** argv) {
    Program program("task", read_options(argc, argv));
    auto ours = open_ours();
    auto peer = open_awaitable();
    for (const Work& work : works) {
        program.run(
            Case(work.name)
                .ours(
                    "Task",
                    work.ours,
                    [&](std::uint64_t operations) { return ours->run(work.name, operations); }
                )
                .peer(
                    "asio::awaitable",
                    work.peer,
                    [&](std::uint64_t operations) { return peer->run(work.name, operations); }
                )
                .counter_at_most(allocations_each, work.allocations_max)
        );
    }
    return program.finish();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    return holdfast::bench::run(argc, argv);
}
