#pragma once
// What generators may be told. The room settings makes these from `cosid.*`; programs fill them by
// hand. Every number is checked when the runtime is opened.

#include <holdfast/ids/codec.h>
#include <holdfast/ids/generator.h>
#include <holdfast/ids/layout.h>
#include <holdfast/ids/machine.h>
#include <holdfast/ids/zone.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace holdfast {

enum class SegmentMode : std::uint8_t {
    chain,   // ranges are fetched ahead of the callers
    plain,   // the next range is fetched when the last is used up
    direct,  // one call of the store for each id (and each span): dense
};
enum class SegmentOrder : std::uint8_t {
    process,  // ids of one process rise in the order they are taken
    relaxed,  // rise per thread only; threads share no cache line
};
enum class Period : std::uint8_t { year, month, day, hour };

class SegmentOptions {
public:
    SegmentOptions() {}  // NOLINT(modernize-use-equals-default): no aggregate (g++ 12)
    SegmentOptions step(std::int64_t numbers) &&;  // 1..1e12; default 1,000
    SegmentOptions offset(std::int64_t first) &&;  // default 0
    SegmentOptions mode(SegmentMode mode) &&;      // default chain
    SegmentOptions order(SegmentOrder order) &&;   // default process
    SegmentOptions safe_distance(std::int64_t ranges
    ) &&;  // ranges ahead when all is quiet; default 2

    std::int64_t step() const { return step_; }
    std::int64_t offset() const { return offset_; }
    SegmentMode mode() const { return mode_; }
    SegmentOrder order() const { return order_; }
    std::int64_t safe_distance() const { return safe_distance_; }

private:
    std::int64_t step_ = 1'000;
    std::int64_t offset_ = 0;
    std::int64_t safe_distance_ = 2;
    SegmentMode mode_ = SegmentMode::chain;
    SegmentOrder order_ = SegmentOrder::process;
};

class PeriodOptions {
public:
    PeriodOptions() {}  // NOLINT(modernize-use-equals-default): no aggregate (g++ 12)
    PeriodOptions period(Period period) &&;  // default month
    PeriodOptions zone(TimeZone zone) &&;    // default UTC
    Period period() const { return period_; }
    const TimeZone& zone() const { return zone_; }

private:
    Period period_ = Period::month;
    TimeZone zone_ = TimeZone::utc();
};

class GeneratorOptions {
public:
    // The name: 1 to 64 bytes of the alphabet of a namespace; not `strings`.
    static GeneratorOptions snowflake(std::string name, IdLayout layout = IdLayout::milliseconds());
    static GeneratorOptions string(std::string name, IdLayout layout = IdLayout::text());
    static GeneratorOptions segment(std::string name, SegmentOptions segment = SegmentOptions());
    static GeneratorOptions periodic(
        std::string name,
        PeriodOptions period = PeriodOptions(),
        SegmentOptions segment = SegmentOptions()
    );

    GeneratorOptions codec(CodecOptions codec) &&;
    GeneratorOptions enabled(bool wanted) &&;
    GeneratorOptions store(std::string name) &&;  // of IdStores; default: its first

    const std::string& name() const { return name_; }
    IdStrategy strategy() const { return strategy_; }
    const IdLayout& layout() const { return layout_; }
    const SegmentOptions& segment() const { return segment_; }
    const PeriodOptions& period() const { return period_; }
    // Default: radix62 padded of numbers, radix62 of texts, group prefix added where periodic.
    const std::optional<CodecOptions>& codec() const { return codec_; }
    bool enabled() const { return enabled_; }
    const std::string& store() const { return store_; }

private:
    GeneratorOptions(std::string name, IdStrategy strategy)
        : name_(std::move(name)), strategy_(strategy) {}

    std::string name_;
    IdStrategy strategy_;
    IdLayout layout_ = IdLayout::milliseconds();
    SegmentOptions segment_;
    PeriodOptions period_;
    std::optional<CodecOptions> codec_;
    std::string store_;
    bool enabled_ = true;
};

class IdRuntimeOptions {
public:
    explicit IdRuntimeOptions(Namespace name) : name_(std::move(name)) {}
    IdRuntimeOptions machine(LeasedMachine machine) &&;
    IdRuntimeOptions machine(ManualMachine machine) &&;
    IdRuntimeOptions machine_store(std::string name) &&;  // of IdStores; default: its first
    IdRuntimeOptions add(GeneratorOptions generator) &&;
    // Steady and wall clock of everything here; default: the runtime's.
    IdRuntimeOptions clock(const Clock& clock) &&;

    const Namespace& name() const { return name_; }
    const std::variant<std::monostate, LeasedMachine, ManualMachine>& machine() const {
        return machine_;
    }
    const std::string& machine_store() const { return machine_store_; }
    const std::vector<GeneratorOptions>& generators() const { return generators_; }
    const Clock* clock() const { return clock_; }

private:
    Namespace name_;
    std::variant<std::monostate, LeasedMachine, ManualMachine> machine_;
    std::string machine_store_;
    std::vector<GeneratorOptions> generators_;
    const Clock* clock_ = nullptr;
};

}  // namespace holdfast
