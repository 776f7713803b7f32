#include <holdfast/observe/metrics.h>

#include <prometheus/check_names.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <set>

namespace holdfast {
namespace {

[[noreturn]] void bug(const char* what, std::string_view name) {
    std::fprintf(stderr, "metric '%.*s': %s\n", static_cast<int>(name.size()), name.data(), what);
    std::abort();
}

// The cells of one family that share their label values.
struct Series {
    std::vector<const Counter*> counters;
    std::vector<const SharedCounter*> shared;
    std::vector<const Gauge*> gauges;
    std::vector<const Histogram*> histograms;
    std::vector<Metrics::Read> reads;

    double sum() const {
        std::uint64_t count = 0;
        for (const Counter* cell : counters) {
            count += cell->value();
        }
        for (const SharedCounter* cell : shared) {
            count += cell->value();
        }
        double total = static_cast<double>(count);
        for (const Gauge* cell : gauges) {
            total += cell->value();
        }
        for (const Metrics::Read& read : reads) {
            total += read();
        }
        return total;
    }
};

struct Family {
    std::string help;
    prometheus::MetricType type;
    std::vector<std::string> labels;
    std::vector<double> bounds;
    std::map<Metrics::Labels, Series> series;
};

void check_new(const MetricFamily& family, prometheus::MetricType type) {
    if (!prometheus::CheckMetricName(std::string(family.name()))) {
        bug("bad name", family.name());
    }
    std::set<std::string_view> seen;
    for (std::string_view label : family.labels()) {
        const bool reserved = type == prometheus::MetricType::Histogram && label == "le";
        if (reserved || !prometheus::CheckLabelName(std::string(label)) ||
            !seen.insert(label).second) {
            bug("bad label name", family.name());
        }
    }
}

void check_bounds(std::string_view name, std::span<const double> bounds) {
    if (bounds.empty() || bounds.size() > histogram_bounds_max) {
        bug("too few or too many bounds", name);
    }
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (!std::isfinite(bounds[i]) || (i > 0 && bounds[i] <= bounds[i - 1])) {
            bug("bounds must be finite and grow", name);
        }
    }
}

prometheus::ClientMetric::Histogram sum_histograms(const Family& family, const Series& series) {
    prometheus::ClientMetric::Histogram out;
    std::vector<std::uint64_t> counts(family.bounds.size() + 1);
    for (const Histogram* cell : series.histograms) {
        for (std::size_t i = 0; i < counts.size(); ++i) {
            counts[i] += cell->count(i);
        }
        out.sample_sum += cell->sum();
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        out.sample_count += counts[i];
        const bool last = i == family.bounds.size();
        out.bucket.push_back({out.sample_count, last ? HUGE_VAL : family.bounds[i]});
    }
    return out;
}

prometheus::ClientMetric
collect(const Family& family, const Metrics::Labels& values, const Series& series) {
    prometheus::ClientMetric metric;
    for (std::size_t i = 0; i < values.size(); ++i) {
        metric.label.push_back({family.labels[i], values[i]});
    }
    if (family.type == prometheus::MetricType::Histogram) {
        metric.histogram = sum_histograms(family, series);
    } else if (family.type == prometheus::MetricType::Counter) {
        metric.counter.value = series.sum();
    } else {
        metric.gauge.value = series.sum();
    }
    return metric;
}

}  // namespace

struct Metrics::State {
    std::mutex mutex;
    std::map<std::string, Family, std::less<>> families;
    std::deque<Counter> counters;
    std::deque<SharedCounter> shared;
    std::deque<Gauge> gauges;
    std::deque<Histogram> histograms;

    Series& series(
        const MetricFamily& family,
        Labels values,
        prometheus::MetricType type,
        std::span<const double> bounds = {}
    ) {
        if (values.size() != family.labels().size()) {
            bug("wrong number of label values", family.name());
        }
        auto at = families.find(family.name());
        if (at == families.end()) {
            check_new(family, type);
            Family fresh;
            fresh.help = family.help();
            fresh.type = type;
            fresh.labels.assign(family.labels().begin(), family.labels().end());
            fresh.bounds.assign(bounds.begin(), bounds.end());
            at = families.emplace(family.name(), std::move(fresh)).first;
        }
        Family& known = at->second;
        if (known.type != type || known.help != family.help() ||
            !std::ranges::equal(known.labels, family.labels()) ||
            !std::ranges::equal(known.bounds, bounds)) {
            bug("declared twice and differently", family.name());
        }
        return known.series[std::move(values)];
    }
};

Metrics::Metrics() : state_(std::make_unique<State>()) {}
Metrics::~Metrics() = default;

Counter& Metrics::counter(const MetricFamily& family, Labels label_values) {
    const std::lock_guard lock(state_->mutex);
    Series& series =
        state_->series(family, std::move(label_values), prometheus::MetricType::Counter);
    Counter& cell = state_->counters.emplace_back();
    series.counters.push_back(&cell);
    return cell;
}

SharedCounter& Metrics::shared_counter(const MetricFamily& family, Labels label_values) {
    const std::lock_guard lock(state_->mutex);
    Series& series =
        state_->series(family, std::move(label_values), prometheus::MetricType::Counter);
    SharedCounter& cell = state_->shared.emplace_back();
    series.shared.push_back(&cell);
    return cell;
}

Gauge& Metrics::gauge(const MetricFamily& family, Labels label_values) {
    const std::lock_guard lock(state_->mutex);
    Series& series = state_->series(family, std::move(label_values), prometheus::MetricType::Gauge);
    Gauge& cell = state_->gauges.emplace_back();
    series.gauges.push_back(&cell);
    return cell;
}

Histogram& Metrics::histogram(
    const MetricFamily& family, Labels label_values, std::span<const double> bounds
) {
    check_bounds(family.name(), bounds);
    const std::lock_guard lock(state_->mutex);
    Series& series =
        state_->series(family, std::move(label_values), prometheus::MetricType::Histogram, bounds);
    Histogram& cell = state_->histograms.emplace_back(bounds);
    series.histograms.push_back(&cell);
    return cell;
}

void Metrics::counter_from(const MetricFamily& family, Labels label_values, Read read) {
    const std::lock_guard lock(state_->mutex);
    state_->series(family, std::move(label_values), prometheus::MetricType::Counter)
        .reads.push_back(std::move(read));
}

void Metrics::gauge_from(const MetricFamily& family, Labels label_values, Read read) {
    const std::lock_guard lock(state_->mutex);
    state_->series(family, std::move(label_values), prometheus::MetricType::Gauge)
        .reads.push_back(std::move(read));
}

std::string Metrics::text() const {
    std::vector<prometheus::MetricFamily> out;
    const std::lock_guard lock(state_->mutex);
    for (const auto& [name, family] : state_->families) {
        prometheus::MetricFamily& shown = out.emplace_back();
        shown.name = name;
        shown.help = family.help;
        shown.type = family.type;
        for (const auto& [values, series] : family.series) {
            shown.metric.push_back(collect(family, values, series));
        }
    }
    return prometheus::TextSerializer().Serialize(out);
}

}  // namespace holdfast
