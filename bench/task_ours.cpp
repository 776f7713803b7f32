#include "counted.h"
#include "machine.h"
#include "task_sides.h"

#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>

namespace holdfast::bench {
namespace {

constexpr Duration far_away{120'000};
constexpr Duration not_so_far{60'000};

[[gnu::noinline]] Task<int> ready_child(int value) {
    co_return value;
}

[[gnu::noinline]] Task<int> yielding_child(int value) {
    co_await yield();
    co_return value;
}

// Measured inside, on the loop: the way there and back is no part of it.
Task<Run> ready(std::uint64_t operations) {
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        auto one = co_await ready_child(1);
        sum += static_cast<std::uint64_t>(one.value());
    }
    co_return counted.run(sum);
}

Task<Run> yields(std::uint64_t operations) {
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        auto one = co_await yielding_child(1);
        sum += static_cast<std::uint64_t>(one.value());
    }
    co_return counted.run(sum);
}

struct Alarm final : Work {
    void run() override {}
};

Task<Run> deadlines(std::uint64_t operations) {
    Loop& loop = (co_await this_scope()).loop();
    Alarm earlier;  // as beside the peer
    loop.arm(earlier, loop.now() + not_so_far);
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        const Deadline deadline = Deadline::in(far_away, loop.now());
        auto one = co_await with_deadline(yielding_child(1), deadline);
        sum += static_cast<std::uint64_t>(one.value());
    }
    co_return counted.run(sum);
}

Task<Run> timers(std::uint64_t operations) {
    Loop& loop = (co_await this_scope()).loop();
    Alarm earlier;
    loop.arm(earlier, loop.now() + not_so_far);
    Alarm alarm;
    const Counted counted;
    for (std::uint64_t i = 0; i < operations; ++i) {
        loop.arm(alarm, loop.now() + far_away);
        alarm.unlink();
    }
    co_return counted.run(operations);
}

Task<Run> hops(BlockingPool& pool, std::uint64_t operations) {
    const Counted counted;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < operations; ++i) {
        auto call = blocking(pool, [] { return 1; });
        auto one = co_await call;
        sum += static_cast<std::uint64_t>(one.value());
    }
    co_return counted.run(sum);
}

class Ours final : public TaskSide {
public:
    explicit Ours(std::unique_ptr<Runtime> runtime) : runtime_(std::move(runtime)) {}

    Run run(std::string_view work, std::uint64_t operations) override {
        if (work == "wait") {
            return waits(operations);
        }
        auto done = wait(*runtime_, task_of(work, operations));
        if (!done.ok()) {
            fail("the task did not end");
        }
        return done.value();
    }

private:
    Task<Run> task_of(std::string_view work, std::uint64_t operations) {
        if (work == "ready") {
            return ready(operations);
        }
        if (work == "yield") {
            return yields(operations);
        }
        if (work == "deadline") {
            return deadlines(operations);
        }
        return work == "timer" ? timers(operations) : hops(runtime_->pool(), operations);
    }

    Run waits(std::uint64_t operations) {
        const Counted counted;
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < operations; ++i) {
            sum += static_cast<std::uint64_t>(wait(*runtime_, ready_child(1)).value());
        }
        return counted.run(sum);
    }

    std::unique_ptr<Runtime> runtime_;
};

}  // namespace

std::unique_ptr<TaskSide> open_ours() {
    auto runtime = open_runtime(RuntimeOptions().loops(1));
    if (!runtime.ok()) {
        fail("no runtime");
    }
    return std::make_unique<Ours>(std::move(runtime).value());
}

}  // namespace holdfast::bench
