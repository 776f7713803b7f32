// Promises in a forked child: what the parent's runtime does there, and that the parent notices
// nothing. A child says by its exit code what went wrong.
#include <holdfast/io/asio.h>
#include <holdfast/io/compose.h>
#include <holdfast/io/fork.h>
#include <holdfast/io/runtime.h>
#include <holdfast/io/signals.h>
#include <holdfast/io/tcp.h>

#include <dirent.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <future>
#include <thread>

namespace holdfast {
namespace {

// ThreadSanitizer ends a forked child that starts a thread.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HOLDFAST_TSAN
#endif
#endif

constexpr unsigned child_seconds_max = 60;  // ends a child that hangs: the test fails then

// 0: all went well; else the line of the promise that was broken, modulo 200, or 255 for a signal.
template <class Body>
int exit_of_child(Body body) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(child_seconds_max);
        _exit(body());
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}
#define OR_EXIT(condition)                                                                         \
    if (!(condition)) {                                                                            \
        return __LINE__ % 200 + 1;                                                                 \
    }

Task<int> seven() {
    co_return 7;
}
template <class T>
bool closed_none(const Result<T>& outcome) {
    return !outcome.ok() && outcome.error().code() == Code::closed &&
           outcome.error().effect() == Effect::none;
}

class Told final : public ForkAware {
public:
    explicit Told(int number) : number_(number) {}
    static inline std::atomic<int> told = 0;

private:
    void forked() noexcept override { told = told * 10 + number_; }
    int number_;
};

TEST(Fork, the_child_is_told_newest_first_and_the_parent_is_not) {
    const Told first(1);
    auto gone = std::make_unique<Told>(9);
    const Told second(2);
    gone.reset();
    const Told third(3);
    EXPECT_EQ(exit_of_child([] { return Told::told == 321 ? 0 : 1; }), 0);
    EXPECT_EQ(Told::told, 0);
    EXPECT_EQ(exit_of_child([] { return Told::told == 321 ? 0 : 1; }), 0) << "a second fork";
}

TEST(Fork, a_child_of_a_child_is_told_again) {
    const Told one(1);
    EXPECT_EQ(
        exit_of_child([] { return exit_of_child([] { return Told::told == 11 ? 0 : 1; }); }), 0
    );
}

TEST(Fork, every_verb_of_the_parents_runtime_answers_closed_at_once) {
    auto runtime = open_runtime(RuntimeOptions().loops(2)).value();
    ASSERT_EQ(wait(*runtime, seven()).value(), 7);
    EXPECT_EQ(
        exit_of_child([&] {
            OR_EXIT(closed_none(wait(*runtime, seven())));
            OR_EXIT(closed_none(wait(*runtime, runtime->loop(1), seven())));
            OR_EXIT(closed_none(start(*runtime, seven()).get()));
            bool called = false;
            const Stop stop;
            stop.request();
            spawn(
                *runtime,
                seven(),
                [&](const Result<int>& outcome) { called = closed_none(outcome); },
                &stop
            );
            OR_EXIT(called);
            stop.request();
            OR_EXIT(runtime->close(Deadline::in(Duration(1'000), runtime->clock())) == 0);
            runtime.reset();
            return 0;
        }),
        0
    );
    EXPECT_EQ(wait(*runtime, seven()).value(), 7);
}

TEST(Fork, a_task_of_the_parent_may_be_asked_to_stop_in_the_child_and_nothing_happens) {
    auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    const Stop stop;
    auto sleeper = [](SteadyTime until) -> Task<> {
        co_return co_await sleep(until);
    };
    auto sleeping = start(*runtime, sleeper(SteadyTime::max()), &stop);
    ASSERT_EQ(wait(*runtime, seven()).value(), 7);
    EXPECT_EQ(
        exit_of_child([&] {
            stop.request();
            runtime.reset();
            return 0;
        }),
        0
    );
    EXPECT_EQ(sleeping.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    stop.request();
    EXPECT_EQ(sleeping.get().error().code(), Code::cancelled);
}

struct Ends {
    std::unique_ptr<Stream> near;
    std::unique_ptr<Stream> far;
};
Task<Ends> connected(TcpListener& listener, Deadline deadline) {
    auto near = connect_tcp("127.0.0.1", listener.port(), deadline);
    auto both = co_await when_all(std::move(near), listener.accept());
    Ends ends;
    ends.near = std::move(std::get<0>(both.value())).value();
    ends.far = std::move(std::get<1>(both.value())).value().stream;
    co_return ends;
}
Task<char> exchange(Stream& from, Stream& to, char letter) {
    std::array<std::byte, 1> space{static_cast<std::byte>(letter)};
    auto sent = co_await from.write_some(space);
    if (!sent.ok()) {
        co_return std::move(sent).error();
    }
    auto got = co_await to.read_some(space);
    if (!got.ok() || got.value() == 0) {
        co_return Error(Code::unreachable, Effect::none, "the connection ended");
    }
    co_return static_cast<char>(space[0]);
}
Task<std::size_t> reading(Stream& stream) {
    std::array<std::byte, 1> space;
    co_return co_await stream.read_some(space);
}
int open_sockets() {
    int count = 0;
    DIR* all = opendir("/proc/self/fd");
    while (const dirent* one = readdir(all)) {
        char target[64] = {};
        if (readlinkat(dirfd(all), one->d_name, target, sizeof target - 1) > 0 &&
            std::strncmp(target, "socket:", 7) == 0) {
            ++count;
        }
    }
    closedir(all);
    return count;
}

TEST(Fork, sockets_are_closed_in_the_child_and_the_parents_connections_go_on) {
    const int before = open_sockets();
    auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    Loop& loop = runtime->loop(0);
    auto listener = open_tcp_listener(loop, {}).value();
    const Deadline soon = Deadline::in(Duration(30'000), loop.now());
    Ends ends = wait(*runtime, loop, connected(*listener, soon)).value();
    ASSERT_EQ(open_sockets(), before + 3);
    EXPECT_EQ(
        exit_of_child([&] {
            OR_EXIT(open_sockets() == before);
            const int reused = dup(0);  // has the number that a socket had
            ends.near->shutdown_write();
            ends.near->abort();
            listener->close();
            ends.near.reset();
            ends.far.reset();
            listener.reset();
            runtime.reset();
            OR_EXIT(fcntl(reused, F_GETFD) >= 0);
            return 0;
        }),
        0
    );
    EXPECT_EQ(wait(*runtime, loop, exchange(*ends.near, *ends.far, 'a')).value(), 'a');
    EXPECT_EQ(wait(*runtime, loop, exchange(*ends.far, *ends.near, 'b')).value(), 'b');
    Ends others = wait(*runtime, loop, connected(*listener, soon)).value();
    EXPECT_EQ(wait(*runtime, loop, exchange(*others.near, *others.far, 'c')).value(), 'c');
}

TEST(Fork, a_peer_sees_the_parents_goodbye_while_the_child_lives) {
    auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    Loop& loop = runtime->loop(0);
    auto listener = open_tcp_listener(loop, {}).value();
    const Deadline soon = Deadline::in(Duration(30'000), loop.now());
    Ends ends = wait(*runtime, loop, connected(*listener, soon)).value();
    int until_parent_is_done[2];
    ASSERT_EQ(pipe(until_parent_is_done), 0);
    const pid_t child = fork();
    if (child == 0) {
        alarm(child_seconds_max);
        close(until_parent_is_done[1]);
        char none = 0;
        _exit(read(until_parent_is_done[0], &none, 1) == 0 ? 0 : 1);
    }
    ends.near.reset();
    EXPECT_EQ(wait(*runtime, loop, reading(*ends.far)).value(), 0U) << "an end, not a wait";
    close(until_parent_is_done[0]);
    close(until_parent_is_done[1]);
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Fork, a_blocking_call_of_the_child_is_refused_though_the_pool_is_busy) {
    auto runtime = open_runtime(RuntimeOptions().loops(1).pool_threads(1)).value();
    std::promise<void> go_on;
    std::promise<void> begun;
    auto busy = [](BlockingPool& pool, std::promise<void>& here, std::future<void> until
                ) -> Task<> {
        auto call = [&] {
            here.set_value();
            until.wait();
            return 0;
        };
        (void)co_await blocking(pool, call);
        co_return Done();
    };
    auto running = start(*runtime, busy(runtime->pool(), begun, go_on.get_future()));
    begun.get_future().wait();
    struct Nothing final : Job {
        explicit Nothing(Loop& home) : Job(home) {}
        void work() override {}
        void finish() override {}
    };
    EXPECT_EQ(
        exit_of_child([&] {
            OR_EXIT(closed_none(runtime->pool().submit(std::make_shared<Nothing>(runtime->loop(0))))
            );
            runtime.reset();  // nobody to join, no call to wait for
            return 0;
        }),
        0
    );
    go_on.set_value();
    EXPECT_TRUE(running.get().ok());
}

#ifndef HOLDFAST_TSAN
TEST(Fork, a_child_opens_a_runtime_of_its_own) {
    auto runtime = open_runtime(RuntimeOptions().loops(2)).value();
    EXPECT_EQ(
        exit_of_child([&] {
            auto own = open_runtime(RuntimeOptions().loops(2)).value();
            OR_EXIT(wait(*own, seven()).value() == 7);
            runtime.reset();
            OR_EXIT(wait(*own, seven()).value() == 7);
            return 0;
        }),
        0
    );
}
#endif

TEST(Fork, the_childs_signals_are_its_own) {
    auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    auto signals = open_signals(runtime->loop(0), {SIGUSR1}).value();
    EXPECT_EQ(
        exit_of_child([] {
            struct sigaction now{};
            sigaction(SIGUSR1, nullptr, &now);
            return now.sa_handler == SIG_DFL ? 0 : 1;
        }),
        0
    );
    std::raise(SIGUSR1);
    EXPECT_EQ(wait(*runtime, runtime->loop(0), signals->next()).value(), SIGUSR1);
}

TEST(Fork, a_host_inside_an_asio_program_answers_closed_too) {
    boost::asio::io_context io;
    auto host = std::make_unique<AsioHost>(io);
    const Deadline soon = Deadline::in(Duration(30'000), host->loop().now());
    // Looks a name up: the host has a thread then.
    async_run(*host, connect_tcp("localhost", 1, soon), [](const auto&) {});
    io.run();
    io.restart();
    EXPECT_EQ(
        exit_of_child([&] {
            bool called = false;
            async_run(*host, seven(), [&](const Result<int>& outcome) {
                called = closed_none(outcome);
            });
            OR_EXIT(called);
            host.reset();
            return 0;
        }),
        0
    );
    async_run(*host, seven(), [](const Result<int>& outcome) { EXPECT_EQ(outcome.value(), 7); });
    io.run();
}

int seven_there() {
    return 7;
}
Task<int> seven_of_the_pool(BlockingPool& pool) {
    co_return co_await blocking(pool, seven_there);
}

TEST(Fork, at_any_moment_of_a_busy_runtime_the_child_never_hangs) {
    auto runtime = open_runtime(RuntimeOptions().loops(2)).value();
    std::atomic<bool> enough = false;
    std::thread busy([&] {
        while (!enough) {
            const Told comes_and_goes(0);
            EXPECT_EQ(wait(*runtime, seven()).value(), 7);
            EXPECT_EQ(wait(*runtime, seven_of_the_pool(runtime->pool())).value(), 7);
        }
    });
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQ(
            exit_of_child([&] {
                OR_EXIT(closed_none(wait(*runtime, seven())));
                runtime.reset();
                return 0;
            }),
            0
        );
    }
    enough = true;
    busy.join();
}

}  // namespace
}  // namespace holdfast
