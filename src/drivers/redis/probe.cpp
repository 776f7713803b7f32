#include <holdfast/redis/metric_names.h>
#include <holdfast/redis/probe.h>

#include <array>
#include <map>

namespace holdfast::redis {
namespace {

constexpr std::array<std::string_view, 5> outcome_names = {
    "answered", "error_reply", "failed_none", "failed_unknown", "abandoned"
};

std::size_t outcome_index(const CallReport& report) {
    switch (report.outcome) {
    case CallReport::Outcome::answered:
        return 0;
    case CallReport::Outcome::error_reply:
        return 1;
    case CallReport::Outcome::abandoned:
        return 4;
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
          queued_bytes_(&metrics.gauge(redis_metrics::queued_bytes)),
          connections_(&metrics.counter(redis_metrics::connections)),
          lost_(&metrics.counter(redis_metrics::connections_lost)),
          failed_(&metrics.counter(redis_metrics::dials_failed)),
          order_lost_(&metrics.counter(redis_metrics::order_lost)) {}

    void call_ended(const CallReport& report) override {
        queue_->record(report.queue_seconds);
        Histogram*& cell = calls_[report.command][outcome_index(report)];
        if (cell == nullptr) {
            cell = &metrics_->histogram(
                redis_metrics::call,
                {std::string(report.command), std::string(outcome_names[outcome_index(report)])}
            );
        }
        const bool answered = report.outcome == CallReport::Outcome::answered ||
                              report.outcome == CallReport::Outcome::error_reply;
        cell->record(report.wire_seconds + (answered ? 0 : report.queue_seconds));
    }
    void queue_changed(const QueueReport& report) override {
        calls_in_flight_ = calls_in_flight_ + report.calls - report.calls_before;
        bytes_in_queue_ = bytes_in_queue_ + report.bytes - report.bytes_before;
        in_flight_->set(static_cast<double>(calls_in_flight_));
        queued_bytes_->set(static_cast<double>(bytes_in_queue_));
        if (report.gets_full) {
            log_->warn(
                "redis_queue_nearly_full",
                "many calls wait for the server",
                {{"node", report.node},
                 {"calls", report.calls},
                 {"calls_max", report.calls_max},
                 {"bytes", report.bytes},
                 {"bytes_max", report.bytes_max}}
            );
        }
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
    void order_lost(std::string_view node) override {
        order_lost_->add();
        log_->error("redis_order_lost", "a reply was not in its place", {{"node", node}});
    }

private:
    Metrics* metrics_;
    Log* log_;
    std::map<std::string_view, std::array<Histogram*, 5>> calls_;  // names are literals
    Histogram* queue_;
    Gauge* in_flight_;
    Gauge* queued_bytes_;
    Counter* connections_;
    Counter* lost_;
    Counter* failed_;
    Counter* order_lost_;
    std::size_t calls_in_flight_ = 0;  // of all connections of this loop
    std::size_t bytes_in_queue_ = 0;
};

class Both final : public RedisProbe {
public:
    Both(std::shared_ptr<RedisProbe> first, std::shared_ptr<RedisProbe> second)
        : first_(std::move(first)), second_(std::move(second)) {}

    void call_ended(const CallReport& report) override {
        first_->call_ended(report);
        second_->call_ended(report);
    }
    std::optional<TraceContext> trace_parent() override {
        auto parent = first_->trace_parent();
        return parent.has_value() ? parent : second_->trace_parent();
    }
    void queue_changed(const QueueReport& report) override {
        first_->queue_changed(report);
        second_->queue_changed(report);
    }
    void connected(std::string_view node, int protocol) override {
        first_->connected(node, protocol);
        second_->connected(node, protocol);
    }
    void connection_lost(std::string_view node, const Error& why) override {
        first_->connection_lost(node, why);
        second_->connection_lost(node, why);
    }
    void dial_failed(std::string_view node, const Error& why) override {
        first_->dial_failed(node, why);
        second_->dial_failed(node, why);
    }
    void order_lost(std::string_view node) override {
        first_->order_lost(node);
        second_->order_lost(node);
    }

private:
    std::shared_ptr<RedisProbe> first_;
    std::shared_ptr<RedisProbe> second_;
};

}  // namespace

RedisProbeSource watch_redis(Metrics& metrics, Log& log) {
    return [&metrics, &log] {
        return std::make_shared<Watching>(metrics, log);
    };
}

RedisProbeSource watch_both(RedisProbeSource first, RedisProbeSource second) {
    return [first = std::move(first), second = std::move(second)] {
        return std::make_shared<Both>(first(), second());
    };
}

}  // namespace holdfast::redis
