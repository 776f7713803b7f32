#include "worker.h"

#include <holdfast/ids/id_runtime.h>
#include <holdfast/observe/log.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <random>

namespace holdfast::testing {
namespace {

constexpr Duration open_time{60'000};
constexpr int range_keys = 16;
constexpr std::int64_t range_size_max = 1'000;

// The pace of the load: nothing is waited for.
Task<> pause_for(Duration time) {
    const SteadyTime begin = (co_await this_scope()).loop().now();
    co_return co_await sleep(begin + time);
}
void rest(Runtime& runtime, Duration time) {
    (void)wait(runtime, pause_for(time));
}

std::vector<GeneratorOptions> generators_of(const WorkerOptions& options) {
    std::vector<GeneratorOptions> all;
    if (options.seconds) {
        all.push_back(GeneratorOptions::snowflake("0", IdLayout::seconds()));
        return all;
    }
    all.push_back(GeneratorOptions::snowflake("0"));
    all.push_back(GeneratorOptions::snowflake("1", IdLayout::milliseconds().bits(42, 9, 12)));
    all.push_back(GeneratorOptions::snowflake("2", IdLayout::milliseconds().bits(41, 12, 10)));
    return all;
}

class Ids {
public:
    Ids(Store& store, Runtime& runtime, const WorkerOptions& options)
        : runtime_(&runtime), log_(LogFormat::text, LogLevel::error, system_clock()) {
        IdRuntimeOptions told =
            IdRuntimeOptions(Namespace::parse("uniqueness").value())
                .machine(LeasedMachine(
                             Namespace::parse("uniqueness").value(),
                             OwnerKey::parse(options.owner).value()
                )
                             .ttl(options.ttl)
                             .tolerance(options.tolerance)
                             .limit(options.slots))
                .add(GeneratorOptions::segment("segment", SegmentOptions().step(50)));
        for (GeneratorOptions& generator : generators_of(options)) {
            told = std::move(told).add(std::move(generator));
        }
        // A namespace that is full for a while is no reason to give up.
        for (;;) {
            auto opened = wait(
                runtime,
                open_id_runtime(
                    told, IdStores{{"main", &store}}, runtime, metrics_, log_, in(open_time)
                )
            );
            if (opened.ok()) {
                ids_ = std::move(opened).value();
                return;
            }
            if (told_to_stop() || opened.error().code() == Code::invalid_argument) {
                std::fprintf(stderr, "%s\n", std::string(opened.error().what()).c_str());
                return;
            }
            rest(runtime, Duration{20});
        }
    }

    IdGenerator* find(std::string_view name) { return ids_ ? ids_->find(name) : nullptr; }
    void close() {
        if (ids_) {
            (void)wait(*runtime_, ids_->close(in(Duration{5'000})));
        }
    }
    Deadline in(Duration time) const { return Deadline::in(time, runtime_->clock()); }

private:
    Runtime* runtime_;
    Metrics metrics_;
    Log log_;
    std::unique_ptr<IdRuntime> ids_;
};

class Until {
public:
    Until(Runtime& runtime, Duration time)
        : clock_(&runtime.clock()), end_(clock_->steady_now() + time), ever_(time.count() == 0) {}
    bool more() const { return !told_to_stop() && (ever_ || clock_->steady_now() < end_); }

private:
    const Clock* clock_;
    SteadyTime end_;
    bool ever_;
};

// Many pairs of tick and sequence lie next to each other: one record for them.
void add(std::vector<Record>& records, std::uint64_t kind, std::int64_t id) {
    const auto number = static_cast<std::uint64_t>(id);
    if (!records.empty() && records.back().kind == kind && records.back().last + 1 == number) {
        records.back().last = number;
    } else {
        records.push_back(Record{kind, number, number});
    }
}

}  // namespace

int issue_by_time(Store& store, Runtime& runtime, const WorkerOptions& options, RecordFile& file) {
    Ids ids(store, runtime, options);
    const std::uint64_t first_kind = options.seconds ? 10 : 0;
    std::vector<IdGenerator*> generators;
    for (const char* name : {"0", "1", "2", "segment"}) {
        if (IdGenerator* generator = ids.find(name)) {
            generators.push_back(generator);
        }
    }
    std::vector<std::int64_t> space(static_cast<std::size_t>(options.span));
    std::vector<Record> records;
    const Until until(runtime, options.run);
    while (!generators.empty() && until.more()) {
        records.clear();
        for (std::size_t kind = 0; kind < generators.size(); ++kind) {
            const auto got = generators[kind]->next(space);  // an error: not now
            for (std::size_t i = 0; got.ok() && i < got.value(); ++i) {
                add(records, first_kind + kind, space[i]);
            }
        }
        file.append(records);
        rest(runtime, options.pause);
    }
    ids.close();
    return generators.empty() ? 1 : 0;
}

namespace {

// For the control: a counter that two processes can read before either has written it.
Result<ReserveOutcome> count_without_a_lock(const std::string& path, std::int64_t size) {
    std::int64_t next = 0;
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    (void)!::pread(descriptor, &next, sizeof next, 0);
    const Range range{next, next + size};
    (void)!::pwrite(descriptor, &range.end, sizeof range.end, 0);
    ::close(descriptor);
    return ReserveOutcome(range);
}

}  // namespace

int reserve_ranges(Store& store, Runtime& runtime, const WorkerOptions& options, RecordFile& file) {
    std::mt19937_64 engine(std::random_device{}());
    const Until until(runtime, options.run);
    while (until.more()) {
        const std::uint64_t key = engine() % range_keys;
        const auto size = static_cast<std::int64_t>(engine() % range_size_max + 1);
        ReserveRequest request(RangeKey::parse("uniqueness/" + std::to_string(key)).value(), size);
        const Deadline deadline = Deadline::in(Duration{2'000}, runtime.clock());
        const auto answer =
            options.bare_counter.empty()
                ? wait(runtime, store.ranges().reserve(std::move(request), deadline))
                : count_without_a_lock(options.bare_counter + std::to_string(key), size);
        const auto* range = answer.ok() ? std::get_if<Range>(&answer.value()) : nullptr;
        if (range != nullptr) {
            const Record record{
                1'000 + key,
                static_cast<std::uint64_t>(range->start),
                static_cast<std::uint64_t>(range->end - 1)
            };
            file.append(std::span(&record, 1));
        }
    }
    return 0;
}

int fork_amid(Store& store, Runtime& runtime, const WorkerOptions& options, RecordFile& file) {
    Ids ids(store, runtime, options);
    std::array<IdGenerator*, 2> generators{ids.find("0"), ids.find("segment")};
    std::vector<Record> records;
    const auto issue = [&](int count) {
        for (int i = 0; i < count; ++i) {
            for (std::size_t kind = 0; kind < generators.size(); ++kind) {
                const auto id = wait(runtime, generators[kind]->next(ids.in(Duration{10'000})));
                if (!id.ok()) {
                    return false;
                }
                add(records, kind == 0 ? 0 : 3, id.value());
            }
        }
        return true;
    };
    if (generators[0] == nullptr || !issue(100)) {
        return 1;
    }
    const pid_t child = ::fork();
    if (child == 0) {
        int wrong = 0;
        for (IdGenerator* generator : generators) {
            const auto id = generator->next();
            wrong += id.ok() || id.error().code() != Code::closed ? 1 : 0;
            const auto waited = wait(runtime, generator->next(ids.in(Duration{10'000})));
            wrong += waited.ok() || waited.error().code() != Code::closed ? 1 : 0;
        }
        ::_exit(wrong);
    }
    const bool went_on = issue(100);
    int status = 0;
    ::waitpid(child, &status, 0);
    const bool after_it = issue(100);
    file.append(records);
    ids.close();
    std::printf(
        "child: %d wrong answers; parent %s\n",
        WIFEXITED(status) ? WEXITSTATUS(status) : -1,
        went_on && after_it ? "went on" : "was disturbed"
    );
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && went_on && after_it ? 0 : 1;
}

}  // namespace holdfast::testing
