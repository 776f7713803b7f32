// Promises of signals as awaits, and of the system's randomness.
#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>
#include <holdfast/io/signals.h>
#include <holdfast/io/virtual_runtime.h>

#include <gtest/gtest.h>

#include <array>
#include <csignal>

namespace holdfast {
namespace {

TEST(Signals, are_kept_until_somebody_asks) {
    auto runtime = open_runtime(RuntimeOptions().loops(2)).value();
    Loop& loop = runtime->loop(0);
    auto signals = open_signals(loop, {SIGUSR1, SIGHUP}).value();
    std::raise(SIGUSR1);
    EXPECT_EQ(wait(*runtime, loop, signals->next()).value(), SIGUSR1);
    auto waiting = std::make_shared<std::promise<int>>();
    spawn(loop, signals->next(), [waiting](Result<int> number) {
        waiting->set_value(number.value());
    });
    std::raise(SIGHUP);
    EXPECT_EQ(waiting->get_future().get(), SIGHUP);
}

TEST(Signals, an_await_can_be_stopped_and_loses_nothing) {
    auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    Loop& loop = runtime->loop(0);
    auto signals = open_signals(loop, {SIGUSR2}).value();
    const Deadline soon = Deadline::in(Duration(10), runtime->clock());
    auto late = wait(*runtime, loop, with_deadline(signals->next(), soon));
    EXPECT_EQ(late.error().code(), Code::timed_out);
    std::raise(SIGUSR2);
    EXPECT_EQ(wait(*runtime, loop, signals->next()).value(), SIGUSR2);
}

TEST(Signals, what_cannot_be_caught_is_refused) {
    auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    EXPECT_EQ(open_signals(runtime->loop(0), {SIGKILL}).error().code(), Code::invalid_argument);
    auto virtual_time = open_virtual_runtime(VirtualOptions());
    EXPECT_EQ(open_signals(virtual_time->loop(0), {SIGTERM}).error().code(), Code::unsupported);
}

TEST(SystemRandom, fills_all_bytes_and_does_not_repeat) {
    std::array<std::byte, 4096> bytes{};
    system_random().fill(bytes);
    EXPECT_LT(std::count(bytes.begin(), bytes.end(), std::byte{0}), 64);  // 16 are expected
    EXPECT_NE(system_random().next(), system_random().next());
}

}  // namespace
}  // namespace holdfast
