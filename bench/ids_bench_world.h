#pragma once
// Generators as a program opens them, on a memory store whose answers may be late, and the loops
// that take ids from them.

#include "report.h"
#include "stopwatch.h"

#include <holdfast/ids/id_runtime.h>
#include <holdfast/ids/segment_handle.h>
#include <holdfast/store_memory/memory_store.h>

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace holdfast::bench {

class IdsWorld {
public:
    explicit IdsWorld(Duration store_delay = Duration::zero());
    ~IdsWorld();
    IdsWorld(const IdsWorld&) = delete;
    IdsWorld& operator=(const IdsWorld&) = delete;

    IdGenerator& segment(std::string name, SegmentOptions options);
    IdGenerator& snowflake(std::string name, IdLayout layout);
    IdGenerator& text(std::string name);

    Runtime& runtime() { return *runtime_; }
    std::uint64_t store_calls() const;

private:
    class DelayedStore;

    IdGenerator& open(GeneratorOptions options);

    std::unique_ptr<Runtime> runtime_;
    std::unique_ptr<DelayedStore> store_;
    Metrics metrics_;
    std::unique_ptr<Log> log_;
    std::vector<std::unique_ptr<IdRuntime>> opened_;
};

double thread_cpu_seconds();

// Does `work` on so many threads, which begin together; the sum that each returns is only for the
// compiler. The first is the caller. One thread is timed by its own processor time, which others on
// the machine do not spend; two are timed by the clock: what they cost each other is the question.
// The counter says what they did for each second of processor time, which is too kind where the
// machine let them run one after the other.
template <class Work>
Run on_threads(std::size_t threads, std::uint64_t operations, Work work) {
    static std::atomic<std::uint64_t> sink = 0;
    std::atomic<std::size_t> ready = 0;
    std::atomic<bool> go = false;
    std::atomic<double> cpu = 0;
    const auto one = [&] {
        ready.fetch_add(1);
        while (!go.load(std::memory_order_acquire)) {
        }
        const double begin = thread_cpu_seconds();
        sink.fetch_add(work(operations / threads), std::memory_order_relaxed);
        cpu.fetch_add(thread_cpu_seconds() - begin);
    };
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < threads; ++i) {
        others.emplace_back(one);
    }
    while (ready.load() + 1 < threads) {
    }
    const Stopwatch watch;
    go.store(true, std::memory_order_release);
    one();
    for (std::thread& other : others) {
        other.join();
    }
    Run run;
    run.seconds = threads == 1 ? cpu.load() : watch.seconds();
    run.operations = operations / threads * threads;
    run.counters["M a second and thread, by processor time"] =
        static_cast<double>(run.operations) / cpu.load() / 1e6;
    return run;
}

// Each of these counts what it got; an answer that is an error is asked for again.
Run take_each(IdGenerator& ids, std::uint64_t operations, std::size_t threads);
Run take_by_handle(IdGenerator& segment, std::uint64_t operations);  // by a SegmentHandle
Run take_spans(IdGenerator& ids, std::uint64_t operations);          // of 1,000
Run take_texts(IdGenerator& ids, std::uint64_t operations);
Run take_decimals(IdGenerator& ids, std::uint64_t operations);  // as 19 digits
// As many as 4,096 a millisecond allow, waiting for the clock in between.
Run take_at_cap(IdsWorld& world, IdGenerator& ids, std::uint64_t operations);
// At 0.8 of step x 2 ranges / delay, for half a second after the chain has found its distance.
Run take_at_rate(Duration delay);

}  // namespace holdfast::bench
