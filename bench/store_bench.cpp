// Reservations of the memory store and of the SQLite store, each beside the limit of what it stands
// on.

#include "bare_sqlite.h"
#include "callers.h"
#include "counted.h"
#include "machine.h"
#include "program.h"
#include "slot_rates.h"

#include <holdfast/store_memory/memory_store.h>
#include <holdfast/store_sql/sqlite_store.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <unordered_map>

namespace holdfast::bench {
namespace {

// Many keys: the counter of a single one would never leave the cache.
constexpr std::size_t memory_keys = 10'000;

class Commits final : public SqlStoreProbe {
public:
    void batch_committed(std::size_t) override { ++commits_; }
    void batch_failed(std::size_t, Effect) override { ++failures_; }
    void lock_missed() override { ++locks_missed_; }

    std::uint64_t commits() const { return commits_; }
    std::uint64_t failures() const { return failures_ + locks_missed_; }

private:
    std::atomic<std::uint64_t> commits_ = 0;
    std::atomic<std::uint64_t> failures_ = 0;
    std::atomic<std::uint64_t> locks_missed_ = 0;
};

// The least that a reservation in memory can be: a lock, a look-up and an addition.
class BareMap {
public:
    Run reserve(const std::vector<std::string>& keys, std::uint64_t operations) {
        const Counted counted;
        for (std::uint64_t i = 0; i < operations; ++i) {
            std::lock_guard lock(mutex_);
            next_[keys[i % keys.size()]] += 10;
        }
        return counted.run(operations);
    }

private:
    std::mutex mutex_;
    std::unordered_map<std::string, std::int64_t> next_;
};

// The calls alone: no wrapper around each, and one deadline for all.
Task<Run>
reserve_in_memory(RangeStore& ranges, const std::vector<RangeKey>& keys, std::uint64_t operations) {
    Loop& loop = (co_await this_scope()).loop();
    const Deadline deadline = Deadline::in(call_time, loop.now());
    const Counted counted;
    for (std::uint64_t i = 0; i < operations; ++i) {
        ReserveRequest request(keys[i % keys.size()], 10);
        auto outcome = co_await ranges.reserve(std::move(request), deadline);
        if (!outcome.ok() || !std::holds_alternative<Range>(outcome.value())) {
            fail("a reservation in memory failed");
        }
    }
    co_return counted.run(operations);
}

void run_memory_cases(Program& program, Runtime& runtime) {
    auto store = open_memory_store();
    BareMap map;
    const auto names = key_names(memory_keys);
    const auto keys = range_keys(memory_keys);
    program.run(Case("memory reserve")
                    .ours(
                        "memory store",
                        2'000'000,
                        [&](std::uint64_t count) {
                            return wait(runtime, reserve_in_memory(store->ranges(), keys, count))
                                .value();
                        }
                    )
                    .peer("mutex and hash map", 5'000'000, [&](std::uint64_t count) {
                        return map.reserve(names, count);
                    }));
}

void run_sqlite_case(
    Program& program,
    Runtime& runtime,
    Store& store,
    const Commits& commits,
    BareSqlite& bare,
    const std::string& folder,
    Case subject,
    std::size_t callers
) {
    const auto names = key_names(callers);
    const auto keys = range_keys(callers);
    const auto reserve = [&](std::uint64_t number) {
        return reserve_ten(store.ranges(), keys[number % keys.size()]);
    };
    // Both sides take about a second a turn, some checkpoints of the log included.
    const std::uint64_t operations = callers == 1 ? 2'000 : callers < 10 ? 8'000 : 30'000;
    subject
        .ours(
            "sqlite store",
            operations,
            [&](std::uint64_t count) {
                const std::uint64_t before = commits.commits();
                Run run = run_callers(runtime, callers, count, reserve);
                run.counters["commits a reserve"] =
                    static_cast<double>(commits.commits() - before) / static_cast<double>(count);
                return run;
            }
        )
        .peer("bare sqlite3 loop", 2'000, [&](std::uint64_t count) {
            Run run = bare.reserve(names, count);
            run.counters["fdatasync p50 us"] = fdatasync_p50_us(folder);
            return run;
        });
    program.run(std::move(subject));
}

void run_sqlite_cases(Program& program, Runtime& runtime, const std::string& folder) {
    Commits commits;
    auto options = SqliteStoreOptions(folder + "/store.db");
    options.probe(commits);
    auto opened = open_sqlite_store(runtime, options, Deadline::in(call_time, runtime.clock()));
    if (!opened.ok()) {
        fail("the store does not open: " + std::string(opened.error().what()));
    }
    Store& store = *opened.value();
    BareSqlite bare(folder + "/bare.db");
    for (const std::size_t callers : {1, 8, 64}) {
        Case subject("sqlite reserve, " + std::to_string(callers) + " callers");
        if (callers == 1) {
            subject.ratio_at_least(0.9);
        } else if (callers == 64) {
            subject.ratio_at_least(5);
        }
        run_sqlite_case(
            program, runtime, store, commits, bare, folder, std::move(subject), callers
        );
    }
    run_slot_cases(program, runtime, store, 1);
    run_slot_cases(program, runtime, store, 64);
    if (commits.failures() > 0) {
        fail("a transaction of the store failed or missed its lock");
    }
}

int run(int argc, char** argv) {
    Program program("store", read_options(argc, argv));
    const TemporaryFolder folder(program.options().folder);
    if (in_memory(folder.path())) {
        std::printf("%s is in memory: its fsync costs nothing\n", folder.path().c_str());
    }
    auto runtime = open_runtime(RuntimeOptions().loops(1));
    if (!runtime.ok()) {
        fail("no runtime");
    }
    run_memory_cases(program, *runtime.value());
    run_sqlite_cases(program, *runtime.value(), folder.path());
    return program.finish();
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    return holdfast::bench::run(argc, argv);
}
