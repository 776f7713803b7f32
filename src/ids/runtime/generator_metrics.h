#pragma once
// What generators that live on a machine tell the registry.

#include <holdfast/ids/generator.h>
#include <holdfast/observe/metrics.h>

#include <memory>

namespace holdfast {

// The registry reads the generator until this goes, which waits for a reading that is under way;
// counters then stay at what they were.
class GeneratorMetrics {
public:
    GeneratorMetrics(const IdGenerator& generator, Metrics& metrics);
    ~GeneratorMetrics();
    GeneratorMetrics(const GeneratorMetrics&) = delete;
    GeneratorMetrics& operator=(const GeneratorMetrics&) = delete;

private:
    struct Source;
    std::shared_ptr<Source> source_;  // shared with the registry, which may outlive us
};

}  // namespace holdfast
