// Many threads, tiny steps, ranges with gaps: each number is given out once, inside a range of
// ours, and none is missing from the accounts.

#include "segment_scene.h"

#include <algorithm>
#include <thread>

namespace holdfast::testing {
namespace {

class Crowd {
public:
    Crowd(SegmentOptions options, int threads, int each)
        : runtime_(open_runtime(RuntimeOptions().loops(1)).value()) {
        store_.script([](std::size_t call) {
            CallPlan plan = CallPlan().elsewhere(static_cast<std::int64_t>(call % 4));
            if (call % 17 == 5) {
                return std::move(plan).lose_answer();
            }
            return call % 5 == 0 ? std::move(plan).after(Duration(1)) : std::move(plan);
        });
        auto made = make_range_generator(
            GeneratorOptions::segment("orders", std::move(options)),
            Namespace::parse("shop").value(),
            store_,
            *runtime_,
            runtime_->clock(),
            metrics_,
            log_
        );
        generator_ = std::move(made).value();
        (void)wait(*runtime_, generator_->open(in(Duration(10'000))));
        std::vector<std::vector<std::int64_t>> got(static_cast<std::size_t>(threads));
        std::vector<std::thread> running;
        for (std::size_t thread = 0; thread < got.size(); ++thread) {
            running.emplace_back([this, thread, each, &mine = got[thread]] {
                take(thread, each, mine);
            });
        }
        for (std::thread& thread : running) {
            thread.join();
        }
        for (const auto& mine : got) {
            EXPECT_TRUE(std::ranges::is_sorted(mine));  // each thread's own rise
            ids.insert(ids.end(), mine.begin(), mine.end());
        }
        std::ranges::sort(ids);
    }
    ~Crowd() { generator_.reset(); }

    void check() {
        EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end()) << "given out twice";
        std::vector<Range> ranges = store_.ranges();
        std::ranges::sort(ranges, {}, &Range::start);
        auto range = ranges.begin();
        for (const std::int64_t id : ids) {
            while (range != ranges.end() && range->end <= id) {
                ++range;
            }
            ASSERT_TRUE(range != ranges.end() && range->start <= id) << id << " is not ours";
        }
        EXPECT_TRUE(wait(*runtime_, generator_->close(in(Duration(10'000)))).ok());
        const GeneratorInfo info = generator_->info();
        EXPECT_EQ(info.issued, ids.size());
        std::uint64_t arrived = 0;  // lost answers were never ours
        for (std::size_t call = 0, index = 0; index < ranges.size(); ++call, ++index) {
            arrived += call % 17 == 5
                           ? 0
                           : static_cast<std::uint64_t>(
                                 store_.ranges()[index].end - store_.ranges()[index].start
                             );
        }
        EXPECT_EQ(info.issued + info.burnt, arrived);
    }

    std::vector<std::int64_t> ids;

private:
    Deadline in(Duration time) const { return Deadline::in(time, runtime_->clock()); }

    void take(std::size_t thread, int each, std::vector<std::int64_t>& mine) {
        std::vector<std::int64_t> span(1 + thread);
        while (mine.size() < static_cast<std::size_t>(each)) {
            if (mine.size() % 7 == 3) {
                if (const auto count = generator_->next(span); count.ok()) {
                    mine.insert(
                        mine.end(),
                        span.begin(),
                        span.begin() + static_cast<std::ptrdiff_t>(count.value())
                    );
                    continue;
                }
            }
            if (const auto id = generator_->next(); id.ok()) {
                mine.push_back(id.value());
            } else {
                ASSERT_TRUE(
                    id.error().code() == Code::overloaded || id.error().code() == Code::unreachable
                ) << id.error().what();
                std::this_thread::yield();
            }
        }
    }

    std::unique_ptr<Runtime> runtime_;
    ScriptedStore store_;
    Metrics metrics_;
    LogLines lines_;
    Log log_{LogFormat::text, LogLevel::error, system_clock(), lines_};
    std::unique_ptr<RangeGenerator> generator_;
};

TEST(ChainStress, each_number_is_given_out_once_and_all_are_accounted_for) {
    for (const std::int64_t step : {1, 2, 3, 10, 50}) {
        Crowd crowd(SegmentOptions().step(step), 4, 4'000);
        crowd.check();
    }
}

TEST(ChainStress, plain_too) {
    Crowd crowd(SegmentOptions().step(20).mode(SegmentMode::plain), 4, 2'000);
    crowd.check();
}

TEST(ChainStress, relaxed_too) {
    for (const std::int64_t step : {1, 16, 100}) {
        Crowd crowd(SegmentOptions().step(step).order(SegmentOrder::relaxed), 4, 4'000);
        crowd.check();
    }
}

TEST(ChainStress, threads_that_come_and_go_use_the_numbers_of_those_before) {
    const auto runtime = open_runtime(RuntimeOptions().loops(1)).value();
    ScriptedStore store;
    Metrics metrics;
    LogLines lines;
    Log log(LogFormat::text, LogLevel::error, system_clock(), lines);
    auto made = make_range_generator(
        GeneratorOptions::segment(
            "orders", SegmentOptions().step(1'600).order(SegmentOrder::relaxed)
        ),
        Namespace::parse("shop").value(),
        store,
        *runtime,
        runtime->clock(),
        metrics,
        log
    );
    const auto generator = std::move(made).value();
    ASSERT_TRUE(
        wait(*runtime, generator->open(Deadline::in(Duration(10'000), runtime->clock()))).ok()
    );
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 150; ++i) {
        std::thread([&] { ids.push_back(generator->next().value()); }).join();
    }
    std::ranges::sort(ids);
    EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
    EXPECT_EQ(ids.back() - ids.front(), 149);  // one stripe of 200 served them all
}

}  // namespace
}  // namespace holdfast::testing
