// What a mux says of itself.

#include "mux.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace holdfast::redis {
namespace {

// The server's own are short words of capitals; a script may answer anything.
std::string_view status_of(RespView reply) {
    constexpr std::size_t longest = 32;
    const std::string_view text = reply.text();
    const std::string_view word = text.substr(0, text.find(' '));
    const bool own = !word.empty() && word.size() <= longest &&
                     std::ranges::all_of(word, [](char c) { return c >= 'A' && c <= 'Z'; });
    return own ? word : "_OTHER";
}

bool nearly_full(std::size_t part, std::size_t most) {
    return static_cast<double>(part) * 100 >= static_cast<double>(most) * queue_warned_percent;
}

}  // namespace

void Mux::watch(Operation& operation) {
    operation.submitted_ = watch_.seconds();
    operation.written_ = 0;
    if (operation.resends_ == 0) {
        operation.parent_.set(options_.probe->trace_parent());
    }
    if (!up_) {
        tell_queue();  // no write does it
    }
}

CallReport Mux::report_of(const Operation& operation, double ended) const {
    CallReport report;
    report.command = operation.name_;
    report.node = options_.node;
    report.database = options_.database;
    const std::string_view key = operation.first_key();
    if (options_.key_hash != nullptr && !key.empty()) {
        report.key_hash = options_.key_hash->of(key);
    }
    report.attempt = operation.resends_ + 1U;
    report.commands = operation.replies_due_;
    report.bytes = operation.bytes_.size();
    report.parent = operation.parent_.get();
    const bool was_written = operation.written_ != 0;
    report.queue_seconds = (was_written ? operation.written_ : ended) - operation.submitted_;
    report.wire_seconds = was_written ? ended - operation.written_ : 0;
    return report;
}

void Mux::tell_answered(const Operation& operation, RespView reply) const {
    CallReport report = report_of(operation, read_at_);
    if (reply.is_error()) {
        report.outcome = CallReport::Outcome::error_reply;
        report.status = status_of(reply);
    }
    options_.probe->call_ended(report);
}

void Mux::tell_unanswered(const Operation& operation, const Error& error) const {
    if (options_.probe == nullptr) {
        return;
    }
    CallReport report = report_of(operation, watch_.seconds());
    report.outcome = CallReport::Outcome::failed;
    report.effect = error.effect();
    report.code = error.code();
    options_.probe->call_ended(report);
}

void Mux::tell_abandoned(const Operation& operation, Effect effect) const {
    CallReport report = report_of(operation, watch_.seconds());
    report.outcome = CallReport::Outcome::abandoned;
    report.effect = effect;
    options_.probe->call_ended(report);
}

void Mux::tell_queue_changed() {
    if (in_flight_ == told_in_flight_ && queued_bytes_ == told_bytes_) {
        return;
    }
    QueueReport report;
    report.node = options_.node;
    report.calls = in_flight_;
    report.calls_before = std::exchange(told_in_flight_, in_flight_);
    report.calls_max = options_.in_flight_max;
    report.bytes = queued_bytes_;
    report.bytes_before = std::exchange(told_bytes_, queued_bytes_);
    report.bytes_max = options_.queue_bytes_max;
    const bool full = nearly_full(in_flight_, options_.in_flight_max) ||
                      nearly_full(queued_bytes_, options_.queue_bytes_max);
    report.gets_full = full && !std::exchange(told_full_, full);
    told_full_ = full;
    options_.probe->queue_changed(report);
}

// The connection that gave this reply is not to be trusted.
bool Mux::order_lost() const {
    if (options_.probe != nullptr) {
        options_.probe->order_lost(options_.node);
    }
    return false;
}

std::string Mux::dump(SteadyTime now) const {
    std::string text;
    const auto add = [&](std::string_view name, std::uint64_t value) {
        std::array<char, 24> digits{};
        text.append(text.empty() ? "" : " ").append(name).append("=");
        text.append(
            digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr
        );
    };
    add("connected", up_ ? 1 : 0);
    add("queued", in_flight_ - written_count_);
    add("queued_bytes", queued_bytes_);
    add("written", written_count_);
    add("abandoned", tombstone_count_);
    add("out_bytes", filled_);
    add("unsent_bytes", filled_ - sent_);
    add("in_bytes", bytes_read_);
    add("round_trip_ms", static_cast<std::uint64_t>(round_trip_.count()));
    if (bytes_read_ != 0) {
        add("last_read_ms", static_cast<std::uint64_t>((now - last_read_).count()));
    }
    return text;
}

}  // namespace holdfast::redis
