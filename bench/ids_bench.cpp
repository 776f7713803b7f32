// Ids of a process beside the least that one can cost: a fetch_add on a shared counter.

#include "ids_bench_world.h"
#include "program.h"

#include <atomic>

namespace holdfast::bench {
namespace {

constexpr std::uint64_t ids_a_turn = 30'000'000;

// The least: the counter is what every process-wide order needs.
class BareCounter {
public:
    Run add(std::uint64_t operations, std::size_t threads) {
        return on_threads(threads, operations, [this](std::uint64_t count) {
            std::uint64_t sum = 0;
            for (std::uint64_t i = 0; i < count; ++i) {
                sum += next_.fetch_add(1, std::memory_order_relaxed);
            }
            return sum;
        });
    }

private:
    alignas(64) std::atomic<std::uint64_t> next_ = 0;
};

// The same behind the face that ours has: what the call and its answer cost is on both sides then.
class BareGenerator {
public:
    virtual ~BareGenerator() = default;
    virtual Result<std::int64_t> next() {
        return static_cast<std::int64_t>(next_.fetch_add(1, std::memory_order_relaxed));
    }

private:
    alignas(64) std::atomic<std::uint64_t> next_ = 0;
};

Run take_bare(BareGenerator& bare, std::uint64_t operations) {
    return on_threads(1, operations, [&bare](std::uint64_t count) {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < count; ++i) {
            sum += static_cast<std::uint64_t>(bare.next().value());
        }
        return sum;
    });
}

SegmentOptions steps_of(std::int64_t step, SegmentOrder order = SegmentOrder::process) {
    return SegmentOptions().step(step).order(order);
}

void run_segment_cases(Program& program) {
    BareCounter counter;
    BareGenerator bare;
    for (const std::int64_t step : {1'000, 1'000'000}) {
        const std::string name = "segment step " + std::to_string(step);
        if (!program.wants(name)) {
            continue;
        }
        IdsWorld world;
        IdGenerator& ids = world.segment("one", steps_of(step));
        program.run(Case(name)
                        .ours(
                            "next() of its handle",
                            ids_a_turn,
                            [&](std::uint64_t count) { return take_by_handle(ids, count); }
                        )
                        .peer(
                            "fetch_add in a loop",
                            ids_a_turn,
                            [&](std::uint64_t count) { return counter.add(count, 1); }
                        )
                        .ratio_at_least(0.85));
        program.run(Case(name + ", by name")
                        .ours(
                            "next()",
                            ids_a_turn,
                            [&](std::uint64_t count) { return take_each(ids, count, 1); }
                        )
                        .peer("fetch_add in a loop", ids_a_turn, [&](std::uint64_t count) {
                            return counter.add(count, 1);
                        }));
        program
            .run(Case(name + ", the same call")
                     .ours(
                         "next()",
                         ids_a_turn,
                         [&](std::uint64_t count) { return take_each(ids, count, 1); }
                     )
                     .peer("fetch_add behind the same call", ids_a_turn, [&](std::uint64_t count) {
                         return take_bare(bare, count);
                     }));
        program.run(Case(name + ", 1000 at once")
                        .ours(
                            "next(1000)",
                            ids_a_turn * 10,
                            [&](std::uint64_t count) { return take_spans(ids, count); }
                        )
                        .peer(
                            "fetch_add in a loop",
                            ids_a_turn,
                            [&](std::uint64_t count) { return counter.add(count, 1); }
                        )
                        .ratio_at_least(1 / 0.3));
    }
    IdsWorld world;
    IdGenerator& two = world.segment("two", steps_of(1'000'000));
    program
        .run(Case("segment shared, 2 threads")
                 .ours(
                     "next()",
                     ids_a_turn / 2,
                     [&](std::uint64_t count) { return take_each(two, count, 2); }
                 )
                 .peer("fetch_add in a loop, 2 threads", ids_a_turn / 2, [&](std::uint64_t count) {
                     return counter.add(count, 2);
                 }));
}

void run_relaxed_cases(Program& program) {
    BareCounter counter;
    IdsWorld world;
    IdGenerator& ids = world.segment("relaxed", steps_of(100'000, SegmentOrder::relaxed));
    const auto take = [&](std::size_t threads) {
        return [&, threads](std::uint64_t count) {
            return take_each(ids, count, threads);
        };
    };
    program.run(Case("relaxed, 1 thread")
                    .ours("next()", ids_a_turn, take(1))
                    .peer(
                        "fetch_add in a loop",
                        ids_a_turn,
                        [&](std::uint64_t count) { return counter.add(count, 1); }
                    )
                    .ratio_at_least(2));
    program.run(Case("relaxed, 2 threads")
                    .ours("next() of 2 threads", ids_a_turn * 2, take(2))
                    .peer("next() of 1 thread", ids_a_turn, take(1))
                    .ratio_at_least(1.8));
    program.run(Case("relaxed, 2 threads, shared")
                    .ours("next() of 2 threads", ids_a_turn * 2, take(2))
                    .peer(
                        "fetch_add in a loop, 2 threads",
                        ids_a_turn / 2,
                        [&](std::uint64_t count) { return counter.add(count, 2); }
                    )
                    .ratio_at_least(4));
}

// Demand below what the distance can bear: nobody may find the chain empty. Counts, not times.
void run_slow_store_cases(Program& program) {
    for (const std::int64_t delay : {1, 10, 100}) {
        const std::string name = "chain, store " + std::to_string(delay) + " ms";
        if (!program.wants(name)) {
            continue;
        }
        program.run(Case(name)
                        .ours(
                            "next() at a fixed rate",
                            1,
                            [delay](std::uint64_t) { return take_at_rate(Duration{delay}); }
                        )
                        .counter_at_most("empty answers per 1M ids", 0));
    }
}

void run_time_cases(Program& program) {
    BareCounter counter;
    IdsWorld world;
    // Below the cap: so many sequence bits that a millisecond never runs out.
    IdGenerator& wide = world.snowflake("wide", IdLayout::milliseconds().bits(41, 2, 20));
    program.run(Case("snowflake below the cap")
                    .ours(
                        "next()",
                        ids_a_turn / 3,
                        [&](std::uint64_t count) { return take_each(wide, count, 1); }
                    )
                    .peer(
                        "fetch_add in a loop",
                        ids_a_turn,
                        [&](std::uint64_t count) { return counter.add(count, 1); }
                    )
                    .ratio_at_least(1 / 3.5));
    IdGenerator& usual = world.snowflake("usual", IdLayout::milliseconds());
    program.run(Case("snowflake at the cap")
                    .ours(
                        "next(n), waiting for each millisecond",
                        4'096'000,
                        [&](std::uint64_t count) { return take_at_cap(world, usual, count); }
                    )
                    .counter_at_most("share of a core", 0.15)
                    .counter_at_most("missing share of 4096 a ms", 0.01));
    IdGenerator& text = world.text("text");
    program.run(Case("string id")
                    .ours(
                        "next_text()",
                        ids_a_turn / 10,
                        [&](std::uint64_t count) { return take_texts(text, count); }
                    )
                    .peer(
                        "snowflake id and to_chars of 19 digits",
                        ids_a_turn / 10,
                        [&](std::uint64_t count) { return take_decimals(wide, count); }
                    )
                    .ratio_at_least(1 / 1.5));
}

int run(const Options& options) {
    Program program("ids", options);
    run_segment_cases(program);
    run_relaxed_cases(program);
    run_slow_store_cases(program);
    run_time_cases(program);
    return program.finish();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    return holdfast::bench::run(holdfast::bench::read_options(argc, argv));
}
