#include "escape.h"

#include <holdfast/observe/log.h>

#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <charconv>
#include <cmath>

namespace holdfast {
namespace {

constexpr std::string_view names[] = {"debug", "info", "warn", "error"};
constexpr spdlog::level::level_enum spdlog_levels[] = {
    spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err
};

class MemorySink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit MemorySink(LogLines& lines) : lines_(lines) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        lines_.append(std::string(message.payload.data(), message.payload.size()));
    }
    void flush_() override {}

    LogLines& lines_;
};

template <class Number>
void append_number(std::string& out, Number value) {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_padded(std::string& out, int value, std::size_t width) {
    const std::string digits = std::to_string(value);
    out.append(width - std::min(width, digits.size()), '0');
    out += digits;
}

// RFC 3339 in UTC with milliseconds.
void append_time(std::string& out, WallTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    append_padded(out, static_cast<int>(date.year()), 4);
    out += '-';
    append_padded(out, static_cast<int>(static_cast<unsigned>(date.month())), 2);
    out += '-';
    append_padded(out, static_cast<int>(static_cast<unsigned>(date.day())), 2);
    out += 'T';
    append_padded(out, static_cast<int>(clock.hours().count()), 2);
    out += ':';
    append_padded(out, static_cast<int>(clock.minutes().count()), 2);
    out += ':';
    append_padded(out, static_cast<int>(clock.seconds().count()), 2);
    out += '.';
    append_padded(out, static_cast<int>(clock.subseconds().count()), 3);
    out += 'Z';
}

void append_value(std::string& out, const LogField::Value& value, LogFormat format) {
    if (const auto* text = std::get_if<std::string_view>(&value)) {
        format == LogFormat::json ? append_quoted(out, *text) : append_word(out, *text);
    } else if (const auto* flag = std::get_if<bool>(&value)) {
        out += *flag ? "true" : "false";
    } else if (const auto* real = std::get_if<double>(&value)) {
        if (std::isfinite(*real)) {
            append_number(out, *real);
        } else {
            out += "null";  // JSON has no other word for it
        }
    } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
        append_number(out, *number);
    } else {
        append_number(out, std::get<std::uint64_t>(value));
    }
}

std::string
text_line(WallTime time, LogLevel level, LogName event, LogText message, Log::Fields fields) {
    std::string out;
    append_time(out, time);
    out += ' ';
    out += names[static_cast<std::size_t>(level)];
    out += ' ';
    out += event.text();
    out += ": ";
    out += message.text();
    for (const LogField& field : fields) {
        out += ' ';
        out += field.name();
        out += '=';
        append_value(out, field.value(), LogFormat::text);
    }
    return out;
}

std::string
json_line(WallTime time, LogLevel level, LogName event, LogText message, Log::Fields fields) {
    std::string out = "{\"time\":\"";
    append_time(out, time);
    out += "\",\"level\":\"";
    out += names[static_cast<std::size_t>(level)];
    out += "\",\"event\":\"";
    out += event.text();
    out += "\",\"message\":";
    append_quoted(out, message.text());
    for (const LogField& field : fields) {
        out += ",\"";
        out += field.name();
        out += "\":";
        append_value(out, field.value(), LogFormat::json);
    }
    out += '}';
    return out;
}

}  // namespace

void LogLines::append(std::string line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(std::move(line));
}

std::vector<std::string> LogLines::lines() const {
    const std::lock_guard lock(mutex_);
    return lines_;
}

bool LogLines::contains(std::string_view part) const {
    const std::lock_guard lock(mutex_);
    for (const std::string& line : lines_) {
        if (line.find(part) != std::string::npos) {
            return true;
        }
    }
    return false;
}

struct Log::Sink {
    explicit Sink(spdlog::sink_ptr sink) : logger("holdfast", std::move(sink)) {
        logger.set_pattern("%v");
        logger.set_level(spdlog::level::trace);  // ours decides
        logger.flush_on(spdlog::level::trace);
        logger.set_error_handler([this](const std::string&) {
            lost.fetch_add(1, std::memory_order_relaxed);
        });
    }

    spdlog::logger logger;
    std::atomic<std::uint64_t> lost = 0;
};

Log::Log(LogFormat format, LogLevel level, const Clock& clock)
    : Log(format,
          level,
          clock,
          std::make_unique<Sink>(std::make_shared<spdlog::sinks::stderr_sink_mt>())) {}

Log::Log(LogFormat format, LogLevel level, const Clock& clock, LogLines& lines)
    : Log(format, level, clock, std::make_unique<Sink>(std::make_shared<MemorySink>(lines))) {}

Log::Log(LogFormat format, LogLevel level, const Clock& clock, std::unique_ptr<Sink> sink)
    : clock_(clock), format_(format), level_(level), sink_(std::move(sink)) {}

Log::~Log() = default;

std::uint64_t Log::lost() const {
    return sink_->lost.load(std::memory_order_relaxed);
}

void Log::put(LogLevel level, LogName event, LogText message, Fields fields) {
    const WallTime time = clock_.wall_now();
    const std::string line = format_ == LogFormat::json
                                 ? json_line(time, level, event, message, fields)
                                 : text_line(time, level, event, message, fields);
    sink_->logger.log(
        spdlog::log_clock::time_point(time.time_since_epoch()),
        spdlog::source_loc{},
        spdlog_levels[static_cast<std::size_t>(level)],
        line
    );
}

}  // namespace holdfast
