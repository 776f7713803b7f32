#include <holdfast/redis/metric_names.h>
#include <holdfast/redis/probe.h>

#include <array>
#include <map>

namespace holdfast::redis {
namespace {

constexpr std::array<std::string_view, 4> outcome_names = {
    "answered", "error_reply", "failed_none", "failed_unknown"
};
// Of a queue, in parts of a hundred: from here on it is told once until it is emptier again.
constexpr std::size_t nearly_full_percent = 80;

std::size_t outcome_index(const CallReport& report) {
    switch (report.outcome) {
    case CallReport::Outcome::answered:
        return 0;
    case CallReport::Outcome::error_reply:
        return 1;
    case CallReport::Outcome::failed:
        break;
    }
    return report.effect == Effect::none ? 2 : 3;
}

// The cells of one loop: each has one writer.
class Watching final : public RedisProbe {
public:
    Watching(Metrics& metrics, Log& log)
        : metrics_(&metrics), log_(&log), queue_(&metrics.histogram(redis_metrics::queue)),
          in_flight_(&metrics.gauge(redis_metrics::in_flight)),
          connections_(&metrics.counter(redis_metrics::connections)),
          lost_(&metrics.counter(redis_metrics::connections_lost)),
          failed_(&metrics.counter(redis_metrics::dials_failed)) {}

    void call_ended(const CallReport& report) override {
        queue_->record(report.queue_seconds);
        Histogram*& cell = calls_[report.command][outcome_index(report)];
        if (cell == nullptr) {
            cell = &metrics_->histogram(
                redis_metrics::call,
                {std::string(report.command), std::string(outcome_names[outcome_index(report)])}
            );
        }
        const bool failed = report.outcome == CallReport::Outcome::failed;
        cell->record(report.wire_seconds + (failed ? report.queue_seconds : 0));
    }
    void in_flight(std::size_t calls, std::size_t most) override {
        in_flight_->set(static_cast<double>(calls));
        const bool nearly_full = calls * 100 >= most * nearly_full_percent;
        if (nearly_full && !told_) {
            log_->warn(
                "redis_queue_nearly_full",
                "many calls wait for the server",
                {{"calls", calls}, {"most", most}}
            );
        }
        told_ = nearly_full;
    }
    void connected(std::string_view node, int protocol) override {
        connections_->add();
        log_->info("redis_connected", "connected", {{"node", node}, {"protocol", protocol}});
    }
    void connection_lost(std::string_view node, const Error& why) override {
        lost_->add();
        log_->warn(
            "redis_connection_lost",
            "the connection was lost",
            {{"node", node}, {"code", name_of(why.code())}, {"why", why.what()}}
        );
    }
    void dial_failed(std::string_view node, const Error& why) override {
        failed_->add();
        log_->warn(
            "redis_dial_failed",
            "no connection",
            {{"node", node}, {"code", name_of(why.code())}, {"why", why.what()}}
        );
    }

private:
    Metrics* metrics_;
    Log* log_;
    std::map<std::string_view, std::array<Histogram*, 4>> calls_;  // names are literals
    Histogram* queue_;
    Gauge* in_flight_;
    Counter* connections_;
    Counter* lost_;
    Counter* failed_;
    bool told_ = false;
};

}  // namespace

RedisProbeSource watch_redis(Metrics& metrics, Log& log) {
    return [&metrics, &log] {
        return std::make_shared<Watching>(metrics, log);
    };
}

}  // namespace holdfast::redis
