#pragma once
// Counters, gauges and histograms that cost their writer a plain add, summed when somebody asks for
// the text.

#include <holdfast/observe/limits.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

// What a metric is called: Prometheus name, help, label names. Made of literals; meant to stand as
// `inline constexpr` in the one file of a room that names its metrics.
class MetricFamily {
public:
    constexpr MetricFamily(
        std::string_view name,
        std::string_view help,
        std::initializer_list<std::string_view> labels = {}
    )
        : name_(name), help_(help), label_count_(labels.size()) {
        std::size_t at = 0;
        for (std::string_view label : labels) {
            labels_.at(at++) = label;
        }
    }

    constexpr std::string_view name() const { return name_; }
    constexpr std::string_view help() const { return help_; }
    constexpr std::span<const std::string_view> labels() const {
        return std::span(labels_).first(label_count_);
    }

private:
    std::string_view name_;
    std::string_view help_;
    std::array<std::string_view, metric_labels_max> labels_{};
    std::size_t label_count_;
};

// Cells. "One writer" means that at most one thread at a time calls add/set/record; any thread may
// read. Each has a cache line of its own, so that two loops never write to the same one.

// One writer.
class alignas(64) Counter {
public:
    void add(std::uint64_t count = 1) {
        value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    }
    std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_ = 0;
};

// Any thread; a locked instruction for each add.
class alignas(64) SharedCounter {
public:
    void add(std::uint64_t count = 1) { value_.fetch_add(count, std::memory_order_relaxed); }
    std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<std::uint64_t> value_ = 0;
};

// One writer. Cells of the same labels are summed, so that each loop states its own share.
class alignas(64) Gauge {
public:
    void set(double value) { value_.store(value, std::memory_order_relaxed); }
    void add(double change) { set(value() + change); }
    double value() const { return value_.load(std::memory_order_relaxed); }

private:
    std::atomic<double> value_ = 0;
};

// One writer. Buckets count what is at most their bound, in seconds.
class alignas(64) Histogram {
public:
    explicit Histogram(std::span<const double> bounds) : bound_count_(bounds.size()) {
        std::copy(bounds.begin(), bounds.end(), bounds_.begin());
    }

    // Negative and NaN count as zero: a duration measured over two clocks must not spoil the sum.
    void record(double seconds) {
        seconds = seconds > 0 ? seconds : 0;
        std::size_t bucket = 0;
        for (std::size_t i = 0; i < bound_count_; ++i) {
            bucket += seconds > bounds_[i] ? 1 : 0;
        }
        counts_[bucket].store(
            counts_[bucket].load(std::memory_order_relaxed) + 1, std::memory_order_relaxed
        );
        sum_.store(sum_.load(std::memory_order_relaxed) + seconds, std::memory_order_relaxed);
    }

    std::span<const double> bounds() const { return std::span(bounds_).first(bound_count_); }
    // Of the bucket alone, not cumulative; the one after the last bound takes the rest.
    std::uint64_t count(std::size_t bucket) const {
        return counts_[bucket].load(std::memory_order_relaxed);
    }
    double sum() const { return sum_.load(std::memory_order_relaxed); }

private:
    std::array<double, histogram_bounds_max> bounds_{};
    std::size_t bound_count_;
    std::array<std::atomic<std::uint64_t>, histogram_bounds_max + 1> counts_{};
    std::atomic<double> sum_ = 0;
};

// 50 us to 10 s: what a call over the network takes when all is well, and when nothing is.
inline constexpr std::array<double, 16> latency_bounds = {
    0.00005,
    0.0001,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    10.0,
};

// The registry. Any thread may call anything; registering locks and allocates and belongs to the
// start of a thing. Cells live as long as the registry and are never taken back. A bad name, a
// wrong number of label values, or a name used again with another kind, help, labels or bounds is a
// bug and aborts.
class Metrics {
public:
    using Labels = std::vector<std::string>;
    using Read = std::function<double()>;

    Metrics();
    ~Metrics();
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;

    // Each call makes a new cell; the text shows the sum of the cells with the same family and
    // label values.
    Counter& counter(const MetricFamily& family, Labels label_values = {});
    SharedCounter& shared_counter(const MetricFamily& family, Labels label_values = {});
    Gauge& gauge(const MetricFamily& family, Labels label_values = {});
    // `bounds`: seconds, growing, at most histogram_bounds_max.
    Histogram& histogram(
        const MetricFamily& family,
        Labels label_values = {},
        std::span<const double> bounds = latency_bounds
    );

    // `read` is called by text(), on its thread, under the registry's lock: it must not wait nor
    // touch the registry, and what it reads must outlive the registry. Several are summed like
    // cells.
    void counter_from(const MetricFamily& family, Labels label_values, Read read);
    void gauge_from(const MetricFamily& family, Labels label_values, Read read);

    // Prometheus text exposition 0.0.4, sorted by name, then by label values.
    std::string text() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace holdfast
