#include "ranges/range_generator.h"

#include "ranges/periodic_generator.h"
#include "ranges/range_rules.h"
#include "ranges/segment_generator.h"

#include <holdfast/ids/limits.h>

namespace holdfast {
namespace {

Error refuse(std::string_view what) {
    return Error(Code::invalid_argument, Effect::none, what);
}

Result<Done> check_options(const GeneratorOptions& options) {
    if (options.strategy() != IdStrategy::segment && options.strategy() != IdStrategy::periodic) {
        return refuse("the strategy does not live on ranges");
    }
    if (!Namespace::parse(options.name()).ok() ||
        options.name().size() > limits::generator_name_bytes_max) {
        return refuse("a generator's name is 1 to 64 of A-Z a-z 0-9 . _ - : @, not . or ..");
    }
    if (const auto problem = problem_of(options.segment()); problem.has_value()) {
        return refuse(problem->what);
    }
    return Done();
}

// `Source` has figures() and outlives its generator by the registry's share.
template <class Source>
void tell(Metrics& metrics, const std::string& name, const std::shared_ptr<Source>& source) {
    metrics.counter_from(id_metrics::issued, {name}, [source] {
        return static_cast<double>(source->figures().issued);
    });
    metrics.counter_from(id_metrics::burnt, {name}, [source] {
        return static_cast<double>(source->figures().burnt);
    });
    metrics.gauge_from(id_metrics::prefetched, {name}, [source] {
        return static_cast<double>(source->figures().prefetched);
    });
    metrics.gauge_from(id_metrics::prefetch_distance, {name}, [source] {
        return static_cast<double>(source->figures().distance);
    });
}

}  // namespace

Result<std::unique_ptr<RangeGenerator>> make_range_generator(
    const GeneratorOptions& options,
    const Namespace& name,
    RangeStore& store,
    Runtime& runtime,
    const Clock& clock,
    Metrics& metrics,
    Log& log
) {
    if (auto checked = check_options(options); !checked.ok()) {
        return std::move(checked).error();
    }
    auto text = RangeText::make(options, clock);
    if (!text.ok()) {
        return std::move(text).error();
    }
    const std::string key = name.text() + "/" + options.name();
    auto setup = std::make_shared<ChainSetup>(
        options.segment(), store, runtime, log, ChainMeters(metrics, options.name())
    );
    if (options.strategy() == IdStrategy::periodic) {
        auto table = std::make_shared<PeriodTable>(std::move(setup), options.period(), key + "@");
        tell(metrics, options.name(), table);
        return std::unique_ptr<RangeGenerator>(std::make_unique<PeriodicGenerator>(
            options.name(), std::move(table), std::move(text).value(), clock
        ));
    }
    auto parsed = RangeKey::parse(key);
    if (!parsed.ok()) {
        return std::move(parsed).error();
    }
    auto chain = std::make_shared<RangeChain>(std::move(setup), std::move(parsed).value(), 0);
    tell(metrics, options.name(), chain);
    return std::unique_ptr<RangeGenerator>(std::make_unique<SegmentGenerator>(
        options.name(), std::move(chain), std::move(text).value()
    ));
}

}  // namespace holdfast
