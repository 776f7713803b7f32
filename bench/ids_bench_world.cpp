#include "ids_bench_world.h"

#include "machine.h"

#include <holdfast/io/loop.h>

#include <charconv>
#include <ctime>

namespace holdfast::bench {
namespace {

double seconds_of(clockid_t clock) {
    timespec used{};
    ::clock_gettime(clock, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

constexpr Duration open_time{10'000};
constexpr std::size_t span_size = 1'000;

}  // namespace

double thread_cpu_seconds() {
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

class IdsWorld::DelayedStore final : public Store, private RangeStore {
public:
    explicit DelayedStore(Duration delay) : delay_(delay) {}

    RangeStore& ranges() override { return *this; }
    SlotLeaseStore& slots() override { return inner_->slots(); }
    std::string_view type() const override { return inner_->type(); }
    Task<Done> probe(Deadline deadline) override { return inner_->probe(deadline); }
    std::uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }

private:
    Task<ReserveOutcome> reserve(ReserveRequest request, Deadline deadline) override {
        calls_.fetch_add(1, std::memory_order_relaxed);
        if (delay_ > Duration::zero()) {
            const SteadyTime arrives = (co_await this_scope()).loop().now() + delay_;
            if (auto slept = co_await sleep(arrives); !slept.ok()) {
                co_return std::move(slept).error();
            }
        }
        co_return co_await inner_->ranges().reserve(std::move(request), deadline);
    }
    Task<SealOutcome> seal(RangeKey key, Deadline deadline) override {
        return inner_->ranges().seal(std::move(key), deadline);
    }

    std::unique_ptr<Store> inner_ = open_memory_store();
    std::atomic<std::uint64_t> calls_ = 0;
    Duration delay_;
};

IdsWorld::IdsWorld(Duration store_delay)
    : store_(std::make_unique<DelayedStore>(store_delay)),
      log_(std::make_unique<Log>(LogFormat::text, LogLevel::error, system_clock())) {
    auto runtime = open_runtime(RuntimeOptions().loops(1));
    if (!runtime.ok()) {
        fail("no runtime");
    }
    runtime_ = std::move(runtime).value();
}

IdsWorld::~IdsWorld() {
    opened_.clear();
}

std::uint64_t IdsWorld::store_calls() const {
    return store_->calls();
}

IdGenerator& IdsWorld::open(GeneratorOptions options) {
    const std::string name = options.name();
    const Namespace space = Namespace::parse("bench-" + name).value();  // of its own limit of slots
    IdRuntimeOptions all(space);
    all = std::move(all)
              .machine(LeasedMachine(space, OwnerKey::parse(name).value()))
              .add(std::move(options));
    IdStores stores{IdStore{"memory", store_.get()}};
    const Deadline deadline = Deadline::in(open_time, runtime_->clock());
    auto opened = wait(
        *runtime_,
        open_id_runtime(std::move(all), std::move(stores), *runtime_, metrics_, *log_, deadline)
    );
    if (!opened.ok()) {
        fail("the generator " + name + " does not open: " + std::string(opened.error().what()));
    }
    opened_.push_back(std::move(opened).value());
    return *opened_.back()->find(name);
}

IdGenerator& IdsWorld::segment(std::string name, SegmentOptions options) {
    return open(GeneratorOptions::segment(std::move(name), std::move(options)));
}
IdGenerator& IdsWorld::snowflake(std::string name, IdLayout layout) {
    return open(GeneratorOptions::snowflake(std::move(name), std::move(layout)));
}
IdGenerator& IdsWorld::text(std::string name) {
    return open(GeneratorOptions::string(std::move(name)));
}

namespace {

// `next` answers a number or none.
template <class Next>
Run take_one_by_one(Next next, std::uint64_t operations, std::size_t threads) {
    std::atomic<std::uint64_t> empty = 0;
    Run run = on_threads(threads, operations, [&](std::uint64_t count) {
        std::uint64_t sum = 0;
        std::uint64_t missed = 0;
        for (std::uint64_t i = 0; i < count;) {
            std::int64_t id = 0;
            if (next(id)) {
                sum += static_cast<std::uint64_t>(id);
                ++i;
            } else {
                ++missed;
            }
        }
        empty.fetch_add(missed, std::memory_order_relaxed);
        return sum;
    });
    run.counters["empty answers per 1M ids"] =
        static_cast<double>(empty) * 1e6 / static_cast<double>(operations);
    return run;
}

}  // namespace

Run take_each(IdGenerator& ids, std::uint64_t operations, std::size_t threads) {
    return take_one_by_one(
        [&](std::int64_t& id) {
            const auto got = ids.next();
            id = got.ok() ? got.value() : 0;
            return got.ok();
        },
        operations,
        threads
    );
}

Run take_by_handle(IdGenerator& ids, std::uint64_t operations) {
    SegmentHandle handle = *SegmentHandle::of(ids);
    return take_one_by_one(
        [handle](std::int64_t& id) mutable {
            const auto got = handle.try_next();
            id = got.value_or(0);
            return got.has_value();
        },
        operations,
        1
    );
}

Run take_spans(IdGenerator& ids, std::uint64_t operations) {
    std::vector<std::int64_t> span(span_size);
    return on_threads(1, operations, [&](std::uint64_t count) {
        std::uint64_t sum = 0;
        for (std::uint64_t taken = 0; taken < count;) {
            if (const auto some = ids.next(span); some.ok()) {
                taken += some.value();
                sum += static_cast<std::uint64_t>(span[some.value() - 1]);
            }
        }
        return sum;
    });
}

Run take_texts(IdGenerator& ids, std::uint64_t operations) {
    return on_threads(1, operations, [&](std::uint64_t count) {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < count;) {
            if (const auto text = ids.next_text(); text.ok()) {
                sum += static_cast<std::uint64_t>(text.value().back());
                ++i;
            }
        }
        return sum;
    });
}

// A string too, as the other side makes one.
Run take_decimals(IdGenerator& ids, std::uint64_t operations) {
    return on_threads(1, operations, [&](std::uint64_t count) {
        std::uint64_t sum = 0;
        for (std::uint64_t i = 0; i < count;) {
            if (const auto id = ids.next(); id.ok()) {
                char digits[20];
                const auto end = std::to_chars(
                    digits, digits + sizeof digits, id.value() | std::int64_t{1} << 62
                );
                const std::string text(digits, end.ptr);
                sum += static_cast<std::uint64_t>(text.back());
                ++i;
            }
        }
        return sum;
    });
}

Run take_at_cap(IdsWorld& world, IdGenerator& ids, std::uint64_t operations) {
    std::vector<std::int64_t> span(4'096);
    const double before = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
    const Stopwatch watch;
    std::uint64_t taken = 0;
    while (taken < operations) {
        const Deadline deadline = Deadline::in(open_time, world.runtime().clock());
        if (!wait(world.runtime(), ids.fill(span, deadline)).ok()) {
            fail("no ids at the cap");
        }
        taken += span.size();
    }
    Run run;
    run.seconds = watch.seconds();
    run.operations = taken;
    run.counters["share of a core"] = (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - before) / run.seconds;
    run.counters["missing share of 4096 a ms"] = 1 - run.rate() / 4'096'000;
    return run;
}

Run take_at_rate(Duration delay) {
    IdsWorld world(delay);
    constexpr std::int64_t step = 1'000;
    IdGenerator& ids = world.segment("steady", SegmentOptions().step(step));
    const double a_second = 0.8 * step * 2 * 1'000 / static_cast<double>(delay.count());
    const double warm = 0.2 + 20e-3 * static_cast<double>(delay.count());
    const double end = warm + 0.5;
    std::uint64_t empty = 0;
    std::uint64_t taken = 0;
    std::uint64_t warm_taken = 0;
    std::uint64_t warm_calls = 0;
    const Stopwatch watch;
    for (double now = 0; now < end; now = watch.seconds()) {
        if (warm_taken == 0 && now >= warm) {
            warm_taken = taken;
            warm_calls = world.store_calls();
            empty = 0;
        }
        for (const auto due = static_cast<std::uint64_t>(now * a_second); taken < due;) {
            if (ids.next().ok()) {
                ++taken;
            } else {
                ++empty;
                break;
            }
        }
    }
    Run run;
    run.operations = taken - warm_taken;
    run.seconds = end - warm;
    const double million = static_cast<double>(run.operations) / 1e6;
    run.counters["empty answers per 1M ids"] = static_cast<double>(empty) / million;
    run.counters["store calls per 1M ids"] =
        static_cast<double>(world.store_calls() - warm_calls) / million;
    run.counters["reserved and unused at the end"] = static_cast<double>(ids.info().prefetched);
    return run;
}

}  // namespace holdfast::bench
