#include <holdfast/redis/trace.h>

#include <array>
#include <charconv>

namespace holdfast::redis {
namespace {

// What travels as one, in the words of the conventions.
std::string_view operation_of(const CallReport& report) {
    if (report.command == "batch") {
        return "PIPELINE";
    }
    return report.command == "EXEC" && report.commands > 1 ? "MULTI" : report.command;
}

std::int64_t batch_size_of(const CallReport& report) {
    constexpr std::int64_t around = 2;  // MULTI and EXEC
    return report.command == "EXEC" ? report.commands - around : report.commands;
}

std::string_view error_type_of(const CallReport& report) {
    switch (report.outcome) {
    case CallReport::Outcome::error_reply:
        return report.status;
    case CallReport::Outcome::failed:
        return name_of(report.code);
    case CallReport::Outcome::abandoned:
        return name_of(Code::cancelled);
    default:
        return {};
    }
}

struct Address {
    std::string_view host;
    std::int64_t port = 0;  // 0: a unix socket
};

Address address_of(std::string_view node) {
    const std::size_t colon = node.rfind(':');
    Address address{node};
    if (node.starts_with('/') || colon == std::string_view::npos) {
        return address;
    }
    const std::string_view digits = node.substr(colon + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
    address.host = node.substr(0, colon);
    if (address.host.starts_with('[') && address.host.ends_with(']')) {
        address.host = address.host.substr(1, address.host.size() - 2);
    }
    return address;
}

class Attributes {
public:
    explicit Attributes(const CallReport& report) {
        const auto end =
            std::to_chars(database_.data(), database_.data() + database_.size(), report.database);
        add("db.system.name", "redis");
        add("db.operation.name", operation_of(report));
        add("db.namespace", std::string_view(database_.data(), end.ptr));
        const Address address = address_of(report.node);
        add("server.address", address.host);
        if (address.port != 0) {
            add("server.port", address.port);
        }
        const bool several = report.command == "batch" || report.command == "EXEC";
        if (several && batch_size_of(report) > 1) {
            add("db.operation.batch.size", batch_size_of(report));
        }
        if (report.outcome == CallReport::Outcome::error_reply && report.status != "_OTHER") {
            add("db.response.status_code", report.status);
        }
        if (const std::string_view error = error_type_of(report); !error.empty()) {
            add("error.type", error);
        }
        if (report.attempt > 1) {
            add("holdfast.attempt", static_cast<std::int64_t>(report.attempt));
        }
    }
    std::span<const SpanAttribute> all() const { return std::span(all_).first(count_); }

private:
    void add(std::string_view name, SpanAttribute::Value value) {
        all_[count_++] = SpanAttribute{name, value};
    }

    std::array<char, 12> database_{};
    std::array<SpanAttribute, 9> all_;
    std::size_t count_ = 0;
};

class Tracing final : public RedisProbe {
public:
    explicit Tracing(std::shared_ptr<RedisTracer> tracer) : tracer_(std::move(tracer)) {}

    std::optional<TraceContext> trace_parent() override { return tracer_->parent(); }
    void call_ended(const CallReport& report) override {
        if (report.parent == nullptr) {
            return;
        }
        name_.assign(operation_of(report)).append(" ").append(report.node);
        const Attributes attributes(report);
        RedisSpan span;
        span.parent = report.parent;
        span.name = name_;
        span.seconds = report.queue_seconds + report.wire_seconds;
        span.failed = report.outcome != CallReport::Outcome::answered;
        span.attributes = attributes.all();
        tracer_->ended(span);
    }
    void queue_changed(const QueueReport&) override {}
    void connected(std::string_view, int) override {}
    void connection_lost(std::string_view, const Error&) override {}
    void dial_failed(std::string_view, const Error&) override {}
    void order_lost(std::string_view) override {}

private:
    std::shared_ptr<RedisTracer> tracer_;
    std::string name_;
};

using ParentSource = std::function<std::optional<TraceContext>()>;

class SpanLog final : public RedisTracer {
public:
    SpanLog(Log& log, Random& random, ParentSource parent)
        : log_(&log), random_(&random), parent_(std::move(parent)) {}

    std::optional<TraceContext> parent() override {
        return log_->wants(LogLevel::debug) ? parent_() : std::nullopt;
    }
    void ended(const RedisSpan& span) override {
        const TraceContext own = span.parent->child([this] { return random_->next(); });
        std::string attributes;
        for (const SpanAttribute& attribute : span.attributes) {
            attributes.append(attributes.empty() ? "" : " ").append(attribute.name).append("=");
            if (const auto* text = std::get_if<std::string_view>(&attribute.value)) {
                attributes.append(*text);
            } else {
                attributes.append(std::to_string(std::get<std::int64_t>(attribute.value)));
            }
        }
        log_->debug(
            "redis_span",
            "a call ended",
            {{"trace_id", own.trace_id_text()},
             {"span_id", own.span_id_text()},
             {"parent_span_id", span.parent->span_id_text()},
             {"name", span.name},
             {"seconds", span.seconds},
             {"failed", span.failed},
             {"attributes", attributes}}
        );
    }

private:
    Log* log_;
    Random* random_;
    ParentSource parent_;
};

}  // namespace

RedisProbeSource trace_redis(RedisTracerSource tracer) {
    return [tracer = std::move(tracer)] {
        return std::make_shared<Tracing>(tracer());
    };
}

RedisTracerSource log_redis_spans(Log& log, Random& random, ParentSource parent) {
    return [&log, &random, parent = std::move(parent)] {
        return std::make_shared<SpanLog>(log, random, parent);
    };
}

}  // namespace holdfast::redis
