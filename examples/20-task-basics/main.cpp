// Tasks: nothing happens until they are run; two at once; a deadline that stops one.

#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>

#include <chrono>
#include <cstdio>

namespace hf = holdfast;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""h;

// begin task
hf::Task<int> answer_after(hf::Duration pause, int answer) {
    const hf::SteadyTime begin = (co_await hf::this_scope()).loop().now();
    auto slept = co_await hf::sleep(begin + pause);
    if (!slept.ok()) {
        co_return std::move(slept).error();  // asked to stop: effect none, nothing was done
    }
    co_return answer;
}

hf::Task<int> sum_of_two() {
    auto both = co_await hf::when_all(answer_after(20ms, 40), answer_after(10ms, 2));
    auto& [left, right] = both.value();  // each task's own outcome
    if (!left.ok()) {
        co_return std::move(left).error();
    }
    co_return std::move(right).and_then([&](int r) { return hf::Result<int>(left.value() + r); });
}
// end task

int main() {
    auto opened = hf::open_runtime(hf::RuntimeOptions().loops(1));
    if (!opened.ok()) {
        return 1;
    }
    hf::Runtime& runtime = *opened.value();

    auto sum = hf::wait(runtime, sum_of_two());
    if (!sum.ok()) {
        return 1;
    }
    std::printf("two tasks at once: %d\n", sum.value());

    const hf::Deadline until = hf::Deadline::in(30ms, runtime.clock());
    auto late = hf::wait(runtime, hf::with_deadline(answer_after(1h, 1), until));
    const bool stopped = !late.ok() && late.error().code() == hf::Code::timed_out &&
                         late.error().effect() == hf::Effect::none;
    std::printf("an hour within 30 ms: %s\n", stopped ? "timed_out, effect none" : "unexpected");
    return stopped ? 0 : 1;
}
