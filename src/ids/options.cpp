// The setters of what generators may be told; what they took is checked by open_id_runtime.

#include <holdfast/ids/options.h>

namespace holdfast {

SegmentOptions SegmentOptions::step(std::int64_t numbers) && {
    step_ = numbers;
    return std::move(*this);
}
SegmentOptions SegmentOptions::offset(std::int64_t first) && {
    offset_ = first;
    return std::move(*this);
}
SegmentOptions SegmentOptions::mode(SegmentMode mode) && {
    mode_ = mode;
    return std::move(*this);
}
SegmentOptions SegmentOptions::order(SegmentOrder order) && {
    order_ = order;
    return std::move(*this);
}
SegmentOptions SegmentOptions::safe_distance(std::int64_t ranges) && {
    safe_distance_ = ranges;
    return std::move(*this);
}

PeriodOptions PeriodOptions::period(Period period) && {
    period_ = period;
    return std::move(*this);
}
PeriodOptions PeriodOptions::zone(TimeZone zone) && {
    zone_ = std::move(zone);
    return std::move(*this);
}

GeneratorOptions GeneratorOptions::snowflake(std::string name, IdLayout layout) {
    GeneratorOptions made(std::move(name), IdStrategy::snowflake);
    made.layout_ = std::move(layout);
    return made;
}
GeneratorOptions GeneratorOptions::string(std::string name, IdLayout layout) {
    GeneratorOptions made(std::move(name), IdStrategy::string);
    made.layout_ = std::move(layout);
    return made;
}
GeneratorOptions GeneratorOptions::segment(std::string name, SegmentOptions segment) {
    GeneratorOptions made(std::move(name), IdStrategy::segment);
    made.segment_ = std::move(segment);
    return made;
}
GeneratorOptions
GeneratorOptions::periodic(std::string name, PeriodOptions period, SegmentOptions segment) {
    GeneratorOptions made(std::move(name), IdStrategy::periodic);
    made.period_ = std::move(period);
    made.segment_ = std::move(segment);
    return made;
}
GeneratorOptions GeneratorOptions::codec(CodecOptions codec) && {
    codec_ = std::move(codec);
    return std::move(*this);
}
GeneratorOptions GeneratorOptions::enabled(bool wanted) && {
    enabled_ = wanted;
    return std::move(*this);
}
GeneratorOptions GeneratorOptions::store(std::string name) && {
    store_ = std::move(name);
    return std::move(*this);
}

IdRuntimeOptions IdRuntimeOptions::machine(LeasedMachine machine) && {
    machine_ = std::move(machine);
    return std::move(*this);
}
IdRuntimeOptions IdRuntimeOptions::machine(ManualMachine machine) && {
    machine_ = machine;
    return std::move(*this);
}
IdRuntimeOptions IdRuntimeOptions::machine_store(std::string name) && {
    machine_store_ = std::move(name);
    return std::move(*this);
}
IdRuntimeOptions IdRuntimeOptions::add(GeneratorOptions generator) && {
    generators_.push_back(std::move(generator));
    return std::move(*this);
}
IdRuntimeOptions IdRuntimeOptions::clock(const Clock& clock) && {
    clock_ = &clock;
    return std::move(*this);
}

}  // namespace holdfast
