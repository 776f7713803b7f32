// holdfast tck: the conformance kit on a store of the user's.

#include "commands.h"
#include "stores.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/store_kit/sequences.h>
#include <holdfast/store_memory/memory_store.h>

#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace holdfast::app {
namespace {

constexpr std::size_t calls_max = 1'024;  // more than any promise has under way

class UserStore final : public StoreUnderTest {
public:
    UserStore(Runtime& runtime, std::uint64_t seed, StoreChoice choice)
        : StoreUnderTest(runtime, seed), choice_(std::move(choice)) {}
    Result<std::unique_ptr<Store>> open() override {
        return open_store(runtime(), choice_, calls_max);
    }
    bool survives_closing() const override { return choice_.kind() != StoreChoice::Kind::memory; }

private:
    StoreChoice choice_;
};

// The model: empty at each opening, on a clock that follows the answers of the other store.
class ModelStore final : public StoreUnderTest {
public:
    explicit ModelStore(Runtime& runtime) : StoreUnderTest(runtime, 1) {}
    Result<std::unique_ptr<Store>> open() override {
        return open_memory_store(MemoryStoreOptions().clock(clock_));
    }
    bool has_clock() const override { return true; }
    void set_clock(StoreTime time) override { clock_.wall = WallTime(time.time_since_epoch()); }

private:
    class HandSetClock final : public Clock {
    public:
        SteadyTime steady_now() const override { return SteadyTime(); }
        WallTime wall_now() const override { return wall; }
        std::atomic<WallTime> wall{};
    };
    HandSetClock clock_;
};

struct Totals {
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t skipped = 0;
};

std::string_view word_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::passed:
        return "passed";
    case Verdict::failed:
        return "FAILED";
    case Verdict::skipped:
        break;
    }
    return "skipped";
}

void print(const Promise& promise, const PromiseResult& result, bool json) {
    if (json) {
        std::string line;
        JsonWriter(line)
            .open_object()
            .field("group", promise.group)
            .field("promise", promise.name)
            .field(
                "verdict", result.verdict == Verdict::failed ? "failed" : word_of(result.verdict)
            )
            .field("text", std::string_view(result.text))
            .close_object();
        std::printf("%s\n", line.c_str());
        return;
    }
    if (result.verdict != Verdict::passed) {
        std::printf(
            "%.*s  %.*s: %.*s: %s\n",
            static_cast<int>(word_of(result.verdict).size()),
            word_of(result.verdict).data(),
            static_cast<int>(promise.group.size()),
            promise.group.data(),
            static_cast<int>(promise.name.size()),
            promise.name.data(),
            result.text.c_str()
        );
    }
}

void show_progress(std::size_t done, std::size_t all, std::string_view name) {
    if (isatty(STDERR_FILENO) != 0) {
        std::fprintf(
            stderr, "\r\033[K%zu/%zu %.*s", done, all, static_cast<int>(name.size()), name.data()
        );
    }
}
void end_progress() {
    if (isatty(STDERR_FILENO) != 0) {
        std::fputs("\r\033[K", stderr);
    }
}

bool wanted(const Promise& promise, const std::string& only) {
    return only.empty() || promise.name.find(only) != std::string_view::npos ||
           promise.group.find(only) != std::string_view::npos;
}

void run_sequences(
    const TckArguments& arguments, std::uint64_t seed, UserStore& store, Totals& totals
) {
    constexpr Promise promise{
        "model", "random operations are answered as the model answers them", Needs::nothing, nullptr
    };
    ModelStore model(store.runtime());
    const auto report = compare_with_model(
        store, model, SequenceOptions().seed(seed).sequences(static_cast<int>(arguments.sequences))
    );
    PromiseResult result;
    result.verdict = report.failure.empty() ? Verdict::passed : Verdict::failed;
    result.text = report.failure.empty() ? std::to_string(report.operations) +
                                               " operations, --seed " + std::to_string(seed)
                                         : report.failure;
    end_progress();
    print(promise, result, arguments.json);
    totals.passed += report.failure.empty() ? 1 : 0;
    totals.failed += report.failure.empty() ? 0 : 1;
}

}  // namespace

int tck(const TckArguments& arguments) {
    auto choice = store_of_uri(arguments.store);
    if (const auto* problem = std::get_if<StoreProblem>(&choice)) {
        complain("--store: " + problem->text);
        return exit_code::wrong_usage;
    }
    auto runtime = open_runtime(RuntimeOptions().loops(2));
    if (!runtime.ok()) {
        complain(std::string(runtime.error().what()));
        return exit_code::unreachable;
    }
    const std::uint64_t seed =
        arguments.seed != 0 ? arguments.seed : runtime.value()->random().next();
    UserStore store(*runtime.value(), seed, std::get<StoreChoice>(choice));
    if (auto opened = store.open(); !opened.ok()) {
        complain(describe(std::get<StoreChoice>(choice), opened.error()));
        return exit_code::unreachable;
    }

    Totals totals;
    const auto promises = all_promises();
    std::size_t done = 0;
    for (const Promise& promise : promises) {
        show_progress(done++, promises.size(), promise.name);
        if (!wanted(promise, arguments.only)) {
            continue;
        }
        const PromiseResult result = run_promise(promise, store);
        end_progress();
        print(promise, result, arguments.json);
        totals.passed += result.verdict == Verdict::passed ? 1 : 0;
        totals.failed += result.verdict == Verdict::failed ? 1 : 0;
        totals.skipped += result.verdict == Verdict::skipped ? 1 : 0;
    }
    if (arguments.only.empty() && arguments.sequences > 0) {
        show_progress(done, promises.size(), "random operations beside the model");
        run_sequences(arguments, seed, store, totals);
    }
    end_progress();
    if (totals.passed + totals.failed + totals.skipped == 0) {
        complain("--only: no promise's name contains '" + arguments.only + "'");
        return exit_code::wrong_usage;
    }
    if (!arguments.json) {
        std::printf(
            "%s: names that begin with %s were written and can be removed\n",
            std::get<StoreChoice>(choice).shown().c_str(),
            store.prefix().c_str()
        );
        std::printf(
            "%zu passed, %zu failed, %zu skipped\n", totals.passed, totals.failed, totals.skipped
        );
    }
    return totals.failed == 0 ? exit_code::done : exit_code::no;
}

}  // namespace holdfast::app
