// Rule L10 (row 51 of the reports): a forked child never issues from what its parent had in hand,
// and hears so at once, whatever its parent's threads were doing.

#include "segment_scene.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace holdfast::testing {
namespace {

bool is_closed(const auto& answer) {
    return !answer.ok() && answer.error().code() == Code::closed;
}

// The bit of each verb that answered something else than closed.
int verbs_that_answer(RangeGenerator& generator) {
    std::int64_t ids[3];
    int wrong = 0;
    wrong |= is_closed(generator.next()) ? 0 : 1;
    wrong |= is_closed(generator.next(ids)) ? 0 : 2;
    wrong |= is_closed(generator.next_text()) ? 0 : 4;
    wrong |= generator.info().state == IdState::closed ? 0 : 8;
    if (generator.strategy() == IdStrategy::periodic) {
        wrong |= is_closed(generator.next_of_period(ids)) ? 0 : 16;
    }
    (void)generator.ranges();
    (void)generator.rollback_suspected();
    return wrong;
}

void fork_often(const GeneratorOptions& options) {
    const auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    ScriptedStore store;
    Metrics metrics;
    LogLines lines;
    Log log(LogFormat::text, LogLevel::error, system_clock(), lines);
    auto made = make_range_generator(
        options, Namespace::parse("shop").value(), store, *runtime, runtime->clock(), metrics, log
    );
    auto generator = std::move(made).value();
    ASSERT_TRUE(
        wait(*runtime, generator->open(Deadline::in(Duration(10'000), runtime->clock()))).ok()
    );
    const bool periodic = options.strategy() == IdStrategy::periodic;
    std::atomic<bool> stop = false;
    std::thread busy([&] {
        std::int64_t ids[2];
        while (!stop) {
            if (periodic) {
                (void)generator->next_of_period(ids);
            } else {
                (void)generator->next();
            }
            (void)generator->info();
        }
    });
    for (int i = 0; i < 50; ++i) {
        const pid_t child = ::fork();
        if (child == 0) {
            const int wrong = verbs_that_answer(*generator);
            generator.reset();  // must not wait for a task that is the parent's
            ::_exit(wrong);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status));
        ASSERT_EQ(WEXITSTATUS(status), 0);
    }
    stop = true;
    busy.join();
    if (!periodic) {
        auto id = wait(*runtime, generator->next(Deadline::in(Duration(10'000), runtime->clock())));
        EXPECT_TRUE(id.ok());  // the parent goes on
    }
}

TEST(ChainFork, a_child_of_a_segment_hears_closed) {
    fork_often(GeneratorOptions::segment("orders", SegmentOptions().step(3)));
}
TEST(ChainFork, a_child_of_a_relaxed_segment_hears_closed) {
    fork_often(
        GeneratorOptions::segment("orders", SegmentOptions().step(64).order(SegmentOrder::relaxed))
    );
}
TEST(ChainFork, a_child_of_a_direct_segment_hears_closed) {
    fork_often(GeneratorOptions::segment("orders", SegmentOptions().mode(SegmentMode::direct)));
}
TEST(ChainFork, a_child_of_a_periodic_generator_hears_closed) {
    fork_often(GeneratorOptions::periodic("orders"));
}

}  // namespace
}  // namespace holdfast::testing
