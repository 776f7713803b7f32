#pragma once
// Structured records: an event and a message that are literals, and typed fields that cannot forge
// a line.

#include <holdfast/base/time.h>

#include <atomic>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace holdfast {

enum class LogLevel : std::uint8_t { debug, info, warn, error };
enum class LogFormat : std::uint8_t {
    text,  // for people
    json,  // one object a line
};

// A literal of the program: the compiler refuses everything else, so no user data gets into it.
class LogText {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): a literal is one
    consteval LogText(const char* text) : text_(text) {}
    constexpr std::string_view text() const { return text_; }

private:
    std::string_view text_;
};

// A literal that names an event or a field: [a-z][a-z0-9_]*, and none of the names every record
// has.
class LogName {
public:
    // NOLINTNEXTLINE(google-explicit-constructor): a literal is one
    consteval LogName(const char* name) : name_(name) {
        bool good = !name_.empty() && name_[0] >= 'a' && name_[0] <= 'z';
        for (char c : name_) {
            good = good && ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_');
        }
        if (!good || name_ == "time" || name_ == "level" || name_ == "event" ||
            name_ == "message") {
            not_a_log_name();
        }
    }
    constexpr std::string_view text() const { return name_; }

private:
    static void not_a_log_name() {}  // not constexpr: naming it is the compile error
    std::string_view name_;
};

// A field of one record; texts are borrowed for the call. Takes no Secret, no pointer and nothing
// that converts by accident.
class LogField {
public:
    using Value = std::variant<bool, std::int64_t, std::uint64_t, double, std::string_view>;

    template <std::same_as<bool> T>
    LogField(LogName name, T value) : name_(name), value_(value) {}
    template <std::signed_integral T>
    LogField(LogName name, T value) : name_(name), value_(static_cast<std::int64_t>(value)) {}
    template <std::unsigned_integral T>
        requires(!std::same_as<T, bool>)
    LogField(LogName name, T value) : name_(name), value_(static_cast<std::uint64_t>(value)) {}
    template <std::floating_point T>
    LogField(LogName name, T value) : name_(name), value_(static_cast<double>(value)) {}
    // Milliseconds: end the name with `_ms`.
    LogField(LogName name, Duration value)
        : name_(name), value_(static_cast<std::int64_t>(value.count())) {}
    LogField(LogName name, std::string_view value) : name_(name), value_(value) {}
    LogField(LogName name, const std::string& value) : LogField(name, std::string_view(value)) {}
    LogField(LogName name, const char* value) : LogField(name, std::string_view(value)) {}

    std::string_view name() const { return name_.text(); }
    const Value& value() const { return value_; }

private:
    LogName name_;
    Value value_;
};

// Where tests look: keeps every line. Any thread.
class LogLines {
public:
    void append(std::string line);
    std::vector<std::string> lines() const;
    // Whether some line contains `part`.
    bool contains(std::string_view part) const;

private:
    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
};

// Any thread; one per program or test, passed down by reference. Writing never fails the caller:
// see lost().
class Log {
public:
    // To standard error, each line flushed.
    Log(LogFormat format, LogLevel level, const Clock& clock);
    // To memory; `lines` outlives the log.
    Log(LogFormat format, LogLevel level, const Clock& clock, LogLines& lines);
    ~Log();
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    using Fields = std::initializer_list<LogField>;
    void debug(LogName event, LogText message, Fields fields = {}) {
        write(LogLevel::debug, event, message, fields);
    }
    void info(LogName event, LogText message, Fields fields = {}) {
        write(LogLevel::info, event, message, fields);
    }
    void warn(LogName event, LogText message, Fields fields = {}) {
        write(LogLevel::warn, event, message, fields);
    }
    void error(LogName event, LogText message, Fields fields = {}) {
        write(LogLevel::error, event, message, fields);
    }
    // Costs one load when the level is not wanted.
    void write(LogLevel level, LogName event, LogText message, Fields fields) {
        if (wants(level)) {
            put(level, event, message, fields);
        }
    }

    bool wants(LogLevel level) const { return level >= level_.load(std::memory_order_relaxed); }
    LogLevel level() const { return level_.load(std::memory_order_relaxed); }
    void set_level(LogLevel level) { level_.store(level, std::memory_order_relaxed); }

    // Records that could not be written.
    std::uint64_t lost() const;

private:
    struct Sink;

    Log(LogFormat format, LogLevel level, const Clock& clock, std::unique_ptr<Sink> sink);
    void put(LogLevel level, LogName event, LogText message, Fields fields);

    const Clock& clock_;
    const LogFormat format_;
    std::atomic<LogLevel> level_;
    std::unique_ptr<Sink> sink_;
};

}  // namespace holdfast
