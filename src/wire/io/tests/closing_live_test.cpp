// Promises of a runtime's threads, and of its end.
#include "tests/descriptors.h"

#include <holdfast/io/compose.h>
#include <holdfast/io/runtime.h>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <latch>
#include <thread>

namespace holdfast {
namespace {

std::unique_ptr<Runtime> runtime_of(const RuntimeOptions& options) {
    return open_runtime(options).value();
}
Deadline in(Runtime& runtime, int ms) {
    return Deadline::in(Duration(ms), runtime.clock());
}

Task<int> value_of(int value) {
    co_return value;
}
Task<int> sleeping(SteadyTime until) {
    auto slept = co_await sleep(until);
    if (!slept.ok()) {
        co_return std::move(slept).error();
    }
    co_return 1;
}
Task<int> deaf() {
    co_return co_await shielded(sleeping(SteadyTime::max()));
}

std::vector<std::string> thread_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(entry.path() / "comm");
        std::string name;
        std::getline(file, name);
        names.push_back(name);
    }
    return names;
}
long named(const std::string& prefix) {
    const auto names = thread_names();
    return std::count_if(names.begin(), names.end(), [&](const std::string& name) {
        return name.starts_with(prefix);
    });
}

TEST(Threads, a_loop_per_core_unless_told_otherwise) {
    EXPECT_EQ(runtime_of(RuntimeOptions())->loop_count(), std::thread::hardware_concurrency());
    auto runtime = runtime_of(RuntimeOptions().loops(3));
    for (std::size_t i = 0; i < runtime->loop_count(); ++i) {
        EXPECT_TRUE(wait(*runtime, runtime->loop(i), value_of(1)).ok());  // so it has its name
    }
    EXPECT_EQ(named("hf-loop-"), 3);
}

TEST(Threads, the_pool_has_none_until_it_is_asked_and_then_no_more_than_told) {
    auto runtime = runtime_of(RuntimeOptions().loops(1).pool_threads(3).pool_queue_max(1));
    EXPECT_TRUE(wait(*runtime, value_of(1)).ok());
    EXPECT_EQ(named("hf-pool-"), 0);

    std::latch all_in(3);
    std::promise<void> gate;
    auto opened = gate.get_future().share();
    auto call = [&](BlockingPool& pool) -> Task<int> {
        auto work = [&] {
            all_in.count_down();
            opened.wait();
            return 1;
        };
        co_return co_await blocking(pool, work);
    };
    std::vector<std::future<Result<int>>> running;
    for (int i = 0; i < 3; ++i) {
        running.push_back(start(*runtime, call(runtime->pool())));
    }
    all_in.wait();
    EXPECT_EQ(named("hf-pool-"), 3);
    auto simple = [](BlockingPool& pool) -> Task<int> {
        auto work = [] {
            return 2;
        };
        co_return co_await blocking(pool, work);
    };
    auto queued = start(*runtime, simple(runtime->pool()));
    auto refused = wait(*runtime, simple(runtime->pool()));
    EXPECT_EQ(refused.error().code(), Code::overloaded);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    gate.set_value();
    EXPECT_EQ(queued.get().value(), 2);
    for (auto& one : running) {
        EXPECT_EQ(one.get().value(), 1);
    }
    EXPECT_EQ(named("hf-pool-"), 3);
}

TEST(Threads, wait_is_refused_on_every_loop_and_only_there) {
    auto runtime = runtime_of(RuntimeOptions().loops(2));
    auto waiting = [](Runtime& own) -> Task<int> {
        co_return wait(own, value_of(1));
    };
    for (std::size_t i = 0; i < 2; ++i) {
        auto refused = wait(*runtime, runtime->loop(i), waiting(*runtime));
        EXPECT_EQ(refused.error().code(), Code::invalid_argument);
        EXPECT_EQ(refused.error().effect(), Effect::none);
    }
    // The control: the same call from a pool thread is answered.
    auto on_pool = [](Runtime& own) -> Task<int> {
        auto work = [&own] {
            return wait(own, value_of(7)).value();
        };
        co_return co_await blocking(own.pool(), work);
    };
    EXPECT_EQ(wait(*runtime, on_pool(*runtime)).value(), 7);
}

TEST(Open, without_pool_threads_is_refused) {
    EXPECT_EQ(
        open_runtime(RuntimeOptions().pool_threads(0)).error().code(), Code::invalid_argument
    );
}

#ifndef HOLDFAST_UBSAN
TEST(Open, without_descriptors_is_an_error_and_no_exception) {
    for (unsigned spare = 0; spare < 5; ++spare) {
        std::optional<Result<std::unique_ptr<Runtime>>> opened;
        {
            const NoDescriptors none(spare);
            opened.emplace(open_runtime(RuntimeOptions().loops(2)));
        }
        ASSERT_FALSE(opened->ok()) << spare;
        EXPECT_EQ(opened->error().code(), Code::overloaded);
    }
    EXPECT_TRUE(open_runtime(RuntimeOptions().loops(2)).ok());
}

#endif

TEST(Close, every_verb_is_answered_closed_afterwards) {
    auto runtime = runtime_of(RuntimeOptions().loops(2));
    EXPECT_EQ(wait(*runtime, value_of(1)).value(), 1);
    EXPECT_EQ(runtime->close(in(*runtime, 1000)), 0U);
    auto waited = wait(*runtime, value_of(1));
    EXPECT_EQ(waited.error().code(), Code::closed);
    EXPECT_EQ(waited.error().effect(), Effect::none);
    EXPECT_EQ(start(*runtime, value_of(1)).get().error().code(), Code::closed);
    std::atomic<int> calls = 0;
    Signal done;
    spawn(*runtime, value_of(1), [&](Result<int> result) {
        EXPECT_EQ(result.error().code(), Code::closed);
        ++calls;
        done.set();
    });
    done.block();
    EXPECT_EQ(runtime->close(in(*runtime, 1000)), 0U);
    runtime.reset();
    EXPECT_EQ(calls.load(), 1);
}

TEST(Close, a_blocking_call_is_answered_closed_afterwards) {
    struct Never final : Job {
        explicit Never(Loop& home) : Job(home) {}
        void work() override { FAIL() << "begun on a closed pool"; }
        void finish() override {}
    };
    auto runtime = runtime_of(RuntimeOptions().loops(1));
    (void)runtime->close(in(*runtime, 1000));
    auto taken = runtime->pool().submit(std::make_shared<Never>(runtime->loop(0)));
    EXPECT_EQ(taken.error().code(), Code::closed);
    EXPECT_EQ(taken.error().effect(), Effect::none);
}

TEST(Close, a_goodbye_in_time_may_still_use_the_pool) {
    auto runtime = runtime_of(RuntimeOptions().loops(1));
    auto work = [](BlockingPool& pool) -> Task<int> {
        auto call = [] {
            return 5;
        };
        co_return co_await blocking(pool, call);
    };
    auto polite = [&work](BlockingPool& pool) -> Task<int> {
        auto slept = co_await sleep(SteadyTime::max());
        EXPECT_EQ(slept.error().code(), Code::cancelled);
        co_return co_await shielded(work(pool));
    };
    auto goodbye = start(*runtime, polite(runtime->pool()));
    EXPECT_TRUE(wait(*runtime, value_of(1)).ok());  // it has begun: loops keep the order
    EXPECT_EQ(runtime->close(in(*runtime, 5000)), 0U);
    EXPECT_EQ(goodbye.get().value(), 5);
}

TEST(Close, a_task_that_does_not_stop_is_destroyed_and_its_waiter_hears_of_it) {
    auto runtime = runtime_of(RuntimeOptions().loops(1));
    std::optional<Result<int>> answer;
    std::thread waiter([&] { answer.emplace(wait(*runtime, deaf())); });
    // Until the waiter's task runs, close() would refuse it; its place among the roots tells.
    auto count_of_roots = [](Loop& loop) -> Task<int> {
        int count = 0;
        List<RootPromise> seen;
        seen.take(loop.roots());
        while (!seen.empty()) {
            loop.roots().push_back(seen.front());
            ++count;
        }
        co_return count;
    };
    while (wait(*runtime, count_of_roots(runtime->loop(0))).value() < 2) {
        std::this_thread::yield();
    }
    EXPECT_EQ(runtime->close(in(*runtime, 10)), 1U);
    waiter.join();
    EXPECT_EQ(answer->error().code(), Code::closed);
    EXPECT_EQ(answer->error().effect(), Effect::unknown);
}

TEST(Close, every_task_spawned_around_it_is_answered_exactly_once) {
    constexpr int spawners = 3;
    constexpr int each = 2000;
    std::vector<std::atomic<int>> ends(spawners * (each + 1));
    std::atomic<int> refused = 0;
    std::atomic<int> made = 0;
    std::atomic<bool> closed = false;
    {
        auto runtime = runtime_of(RuntimeOptions().loops(2));
        std::vector<std::thread> threads;
        for (int t = 0; t < spawners; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i <= each; ++i) {
                    while (i == each && !closed.load()) {
                        std::this_thread::yield();  // the last one comes too late for certain
                    }
                    spawn(
                        *runtime,
                        value_of(i),
                        [&, index = t * (each + 1) + i](Result<int> result) {
                            ++ends[static_cast<std::size_t>(index)];
                            refused += !result.ok() && result.error().code() == Code::closed;
                        }
                    );
                    ++made;
                }
            });
        }
        while (made.load() < each) {
            std::this_thread::yield();
        }
        (void)runtime->close(in(*runtime, 1000));
        closed = true;
        for (auto& thread : threads) {
            thread.join();
        }
    }
    for (const auto& end : ends) {
        EXPECT_EQ(end.load(), 1);
    }
    EXPECT_GE(refused.load(), spawners);
}

TEST(Close, who_asks_again_on_every_refusal_is_answered_each_time) {
    std::atomic<int> answers = 0;
    {
        auto runtime = runtime_of(RuntimeOptions().loops(2));
        (void)runtime->close(in(*runtime, 1000));
        struct Again {
            Runtime* runtime;
            std::atomic<int>* answers;
            void operator()(Result<int>) const {
                if (++*answers < 50) {
                    spawn(*runtime, value_of(1), *this);
                }
            }
        };
        spawn(*runtime, value_of(1), Again{runtime.get(), &answers});
    }
    EXPECT_EQ(answers.load(), 50);
}

TEST(Close, a_call_that_has_begun_is_waited_for_even_when_its_task_is_gone) {
    std::atomic<bool> ended = false;
    std::promise<void> begun;
    std::promise<void> task_gone;
    {
        auto runtime = runtime_of(RuntimeOptions().loops(1).stop_grace(Duration(10)));
        auto work = [&] {
            begun.set_value();
            task_gone.get_future().wait();
            ended = true;
            return 1;
        };
        auto call = [&work](BlockingPool& pool) -> Task<int> {
            co_return co_await blocking(pool, work);
        };
        spawn(*runtime, call(runtime->pool()), [&](Result<int> result) {
            EXPECT_EQ(result.error().effect(), Effect::unknown);
            task_gone.set_value();
        });
        begun.get_future().wait();
    }
    EXPECT_TRUE(ended.load());
}

}  // namespace
}  // namespace holdfast
