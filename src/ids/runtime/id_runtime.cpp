// Generators by name, over one machine and any number of range keys.

#include "lease/machine.h"
#include "lease/time_generator.h"
#include "ranges/range_generator.h"
#include "runtime/generator_metrics.h"
#include "runtime/switched_off_generator.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/id_runtime.h>
#include <holdfast/ids/limits.h>
#include <holdfast/io/compose.h>

#include <algorithm>
#include <atomic>

namespace holdfast {
namespace {

Error about(const GeneratorOptions& generator, Error error) {
    ErrorContext context;
    context.server_text = generator.name();
    return std::move(error).with(std::move(context));
}

class Generators final : public IdRuntime {
public:
    Generators(
        IdRuntimeOptions options, IdStores stores, Runtime& runtime, Metrics& metrics, Log& log
    )
        : options_(std::move(options)), stores_(std::move(stores)), runtime_(runtime),
          clock_(options_.clock() != nullptr ? *options_.clock() : runtime.clock()),
          metrics_(metrics), log_(log) {}

    // Everything that can be refused without asking a store.
    Result<Done> make() {
        std::vector<std::string> names;
        for (const IdStore& store : stores_) {
            names.push_back(store.name);
        }
        if (auto checked = check_id_options(options_, names); !checked.ok()) {
            return checked;
        }
        if (auto made = make_machine(); !made.ok()) {
            return made;
        }
        for (const GeneratorOptions& generator : options_.generators()) {
            if (auto made = make_generator(generator); !made.ok()) {
                return about(generator, std::move(made).error());
            }
        }
        std::ranges::sort(by_name_, {}, &Named::name);
        return Done();
    }

    // The machine first: without a lease nothing else is begun.
    Task<Done> open(Deadline deadline) {
        if (machine_ != nullptr) {
            if (auto opened = co_await machine_->open(deadline); !opened.ok()) {
                co_return opened;
            }
        }
        std::vector<Task<Done>> first;
        for (RangeGenerator* ranges : ranges_) {
            first.push_back(ranges->open(deadline));
        }
        auto fetched = co_await when_all(std::move(first));
        if (!fetched.ok()) {
            co_return std::move(fetched).error();
        }
        for (Result<Done>& one : fetched.value()) {
            if (!one.ok()) {
                co_return std::move(one);
            }
        }
        co_return Done();
    }

    IdGenerator* find(std::string_view name) override {
        const auto found = std::ranges::lower_bound(by_name_, name, {}, &Named::name);
        const bool known = found != by_name_.end() && (found->name == name || fault("ids.4c"));
        return known ? found->generator : nullptr;
    }
    std::vector<GeneratorInfo> generators() const override {
        std::vector<GeneratorInfo> all;
        for (const auto& generator : generators_) {
            all.push_back(generator->info());
        }
        return all;
    }
    std::vector<LeaseInfo> leases() const override {
        return machine_ != nullptr ? machine_->leases() : std::vector<LeaseInfo>();
    }
    std::vector<RangeInfo> ranges() const override {
        std::vector<RangeInfo> all;
        for (const RangeGenerator* generator : ranges_) {
            for (RangeInfo& range : generator->ranges()) {
                all.push_back(std::move(range));
            }
        }
        return all;
    }
    std::optional<std::uint32_t> manual_machine() const override {
        return machine_ != nullptr ? machine_->manual() : std::nullopt;
    }
    bool rollback_suspected() const override {
        return (machine_ != nullptr && machine_->rollback_suspected()) ||
               std::ranges::any_of(ranges_, [](const RangeGenerator* generator) {
                   return generator->rollback_suspected();
               });
    }
    void listen(LeaseListener& listener) override {
        if (machine_ != nullptr) {
            machine_->listen(listener);
        }
    }

    Task<Done> close(Deadline deadline) override {
        if (closing_.exchange(true)) {
            co_return Done();
        }
        std::vector<Task<Done>> goodbyes;  // each shuts its gate or ranges in its first step
        if (machine_ != nullptr) {
            goodbyes.push_back(machine_->close(deadline));
        }
        for (RangeGenerator* ranges : ranges_) {
            goodbyes.push_back(ranges->close(deadline));
        }
        auto said = co_await when_all(std::move(goodbyes));
        if (!said.ok()) {
            co_return std::move(said).error();
        }
        for (Result<Done>& one : said.value()) {
            if (!one.ok()) {
                co_return std::move(one);
            }
        }
        co_return Done();
    }

    // After close(): until nothing that runs by itself is left, however long the store takes for a
    // call that has begun.
    Task<Done> gone() {
        for (RangeGenerator* ranges : ranges_) {
            (void)co_await ranges->close(Deadline::at(SteadyTime::max()));
        }
        co_return Done();
    }

private:
    struct Named {
        std::string_view name;
        IdGenerator* generator;
    };

    // Of generators that issue: those that are disabled need none.
    std::vector<IdLayout> layouts() const {
        std::vector<IdLayout> layouts;
        for (const GeneratorOptions& generator : options_.generators()) {
            if (is_time_based(generator.strategy()) && generator.enabled() &&
                std::ranges::count(layouts, generator.layout()) == 0) {
                layouts.push_back(generator.layout());
            }
        }
        return layouts;
    }
    // Empty: the first one.
    Store& store(const std::string& name) const {
        const auto found = std::ranges::find(stores_, name, &IdStore::name);
        return *(found == stores_.end() ? stores_.front() : *found).store;
    }

    Result<Done> make_machine() {
        const std::vector<IdLayout> needed = layouts();
        if (needed.empty()) {
            return Done();
        }
        auto made = [&]() -> Result<std::unique_ptr<Machine>> {
            if (const auto* manual = std::get_if<ManualMachine>(&options_.machine())) {
                return make_manual_machine(*manual, needed, runtime_, clock_, log_);
            }
            LeasedMachine leased = std::get<LeasedMachine>(options_.machine());
            const std::uint32_t limit = leased.limit().value_or(machine_limit(options_));
            return make_leased_machine(
                std::move(leased).limit(limit),
                needed,
                store(options_.machine_store()).slots(),
                runtime_,
                clock_,
                metrics_,
                log_
            );
        }();
        if (!made.ok()) {
            return std::move(made).error();
        }
        machine_ = std::move(made).value();
        return Done();
    }

    Result<Done> make_generator(const GeneratorOptions& options) {
        if (!options.enabled()) {
            return keep(make_switched_off_generator(options));
        }
        if (is_time_based(options.strategy())) {
            auto kept = keep(make_time_generator(options, *machine_));
            if (kept.ok()) {
                told_.push_back(std::make_unique<GeneratorMetrics>(*generators_.back(), metrics_));
            }
            return kept;
        }
        auto made = make_range_generator(
            options,
            options_.name(),
            store(options.store()).ranges(),
            runtime_,
            clock_,
            metrics_,
            log_
        );
        if (!made.ok()) {
            return std::move(made).error();
        }
        ranges_.push_back(made.value().get());
        return keep(Result<std::unique_ptr<IdGenerator>>(std::move(made).value()));
    }
    Result<Done> keep(Result<std::unique_ptr<IdGenerator>> made) {
        if (!made.ok()) {
            return std::move(made).error();
        }
        generators_.push_back(std::move(made).value());
        by_name_.push_back(Named{generators_.back()->name(), generators_.back().get()});
        return Done();
    }

    IdRuntimeOptions options_;
    IdStores stores_;
    Runtime& runtime_;
    const Clock& clock_;
    Metrics& metrics_;
    Log& log_;

    // In this order: each needs those above it until it has gone.
    std::unique_ptr<Machine> machine_;
    std::vector<std::unique_ptr<IdGenerator>> generators_;
    std::vector<RangeGenerator*> ranges_;
    std::vector<Named> by_name_;
    std::vector<std::unique_ptr<GeneratorMetrics>> told_;
    std::atomic<bool> closing_ = false;
};

}  // namespace

Task<std::unique_ptr<IdRuntime>> open_id_runtime(
    IdRuntimeOptions options,
    IdStores stores,
    Runtime& runtime,
    Metrics& metrics,
    Log& log,
    Deadline deadline
) {
    auto made =
        std::make_unique<Generators>(std::move(options), std::move(stores), runtime, metrics, log);
    if (auto checked = made->make(); !checked.ok()) {
        co_return std::move(checked).error();
    }
    if (auto opened = co_await made->open(deadline); !opened.ok()) {
        const SteadyTime now = (co_await this_scope()).loop().now();
        (void)co_await shielded(made->close(Deadline::in(limits::goodbye_time, now)));
        (void)co_await shielded(made->gone());  // on this loop nobody could wait for them
        co_return std::move(opened).error();
    }
    co_return std::unique_ptr<IdRuntime>(std::move(made));
}

}  // namespace holdfast
