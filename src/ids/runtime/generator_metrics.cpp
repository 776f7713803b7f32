#include "runtime/generator_metrics.h"

#include <holdfast/ids/metric_names.h>

#include <mutex>

namespace holdfast {

struct GeneratorMetrics::Source {
    explicit Source(const IdGenerator& told) : generator(&told) {}

    GeneratorInfo info() {
        const std::lock_guard lock(mutex);
        if (generator != nullptr) {
            last = generator->info();
        }
        return last;
    }
    void end() {
        const std::lock_guard lock(mutex);
        last = generator->info();
        generator = nullptr;
    }

    std::mutex mutex;
    const IdGenerator* generator;
    GeneratorInfo last;
};

GeneratorMetrics::GeneratorMetrics(const IdGenerator& generator, Metrics& metrics)
    : source_(std::make_shared<Source>(generator)) {
    metrics.counter_from(id_metrics::issued, {generator.name()}, [source = source_] {
        return static_cast<double>(source->info().issued);
    });
    metrics.counter_from(id_metrics::burnt, {generator.name()}, [source = source_] {
        return static_cast<double>(source->info().burnt);
    });
    metrics.gauge_from(id_metrics::years_left, {generator.name()}, [source = source_] {
        return source->info().years_left.value_or(0);
    });
}

GeneratorMetrics::~GeneratorMetrics() {
    source_->end();
}

}  // namespace holdfast
