#include "parts.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/layout.h>
#include <holdfast/ids/limits.h>

namespace holdfast {
namespace {

std::int64_t default_threshold(int sequence_bits) {
    return sequence_bits < 1 || sequence_bits > limits::sequence_bits_max
               ? 0
               : (std::int64_t{1} << (sequence_bits - 1)) - 1;
}

// The literal that says what is wrong; empty: nothing is.
std::string_view fault_of_bits(const IdLayout& layout) {
    const int time_bits_max = layout.unit() == TickUnit::second
                                  ? limits::time_bits_max_seconds
                                  : limits::time_bits_max_milliseconds;
    if (layout.time_bits() < 1 || layout.time_bits() > time_bits_max) {
        return "the time has 1 to 62 bits, 1 to 52 in seconds";
    }
    if (layout.machine_bits() < 0 || layout.machine_bits() > limits::machine_bits_max) {
        return "the machine has 0 to 31 bits";
    }
    if (layout.sequence_bits() < 0 || layout.sequence_bits() > limits::sequence_bits_max) {
        return "the sequence has 0 to 31 bits";
    }
    const int sum = layout.time_bits() + layout.machine_bits() + layout.sequence_bits();
    if (layout.is_text() && layout.is_js_safe()) {
        return "an id that is only text cannot be safe as a number of JavaScript";
    }
    if (layout.is_text()) {
        return sum > limits::id_bits_max_text ? "time, machine and sequence of a text have at most "
                                                "80 bits together"
                                              : "";
    }
    if (layout.is_js_safe() && sum > limits::id_bits_max_js && !fault("ids.49")) {
        return "time, machine and sequence have at most 53 bits together to be safe in JavaScript";
    }
    return sum > limits::id_bits_max ? "time, machine and sequence have at most 63 bits together"
                                     : "";
}

std::string_view fault_of_epoch(const IdLayout& layout) {
    const std::int64_t epoch = layout.epoch().time_since_epoch().count();
    if (epoch < 0 || epoch > limits::epoch_ms_max) {
        return "the epoch is between 1970 and the year 9999";
    }
    if (epoch != 0 && epoch < limits::epoch_ms_min && !fault("ids.4b")) {
        return "the epoch is in the year 1970: it was meant as seconds, and is read as "
               "milliseconds";
    }
    if (layout.unit() == TickUnit::second && epoch % 1'000 != 0) {
        return "the epoch of ticks of a second is a whole second";
    }
    return "";
}

Result<Done> done_or(std::string_view fault) {
    if (!fault.empty()) {
        return Error(Code::invalid_argument, Effect::none, fault);
    }
    return Done();
}

}  // namespace

IdLayout IdLayout::milliseconds() {
    return {};
}
IdLayout IdLayout::seconds() {
    return IdLayout().unit(TickUnit::second).bits(31, 10, 22);
}
IdLayout IdLayout::js_safe_milliseconds() {
    return IdLayout().bits(41, 3, 9).js_safe(true);
}
IdLayout IdLayout::js_safe_seconds() {
    return IdLayout().unit(TickUnit::second).bits(31, 3, 19).js_safe(true);
}
IdLayout IdLayout::text() {
    IdLayout layout = IdLayout().epoch(WallTime{}).bits(44, 20, 16);
    layout.text_ = true;
    return layout;
}

IdLayout IdLayout::unit(TickUnit unit) && {
    unit_ = unit;
    return *this;
}
IdLayout IdLayout::epoch(WallTime epoch) && {
    epoch_ = epoch;
    return *this;
}
IdLayout IdLayout::bits(int time, int machine, int sequence) && {
    // In whatever order the two are called, a threshold that was given stays.
    if (sequence_reset_threshold_ == default_threshold(sequence_bits_)) {
        sequence_reset_threshold_ = default_threshold(sequence);
    }
    time_bits_ = time;
    machine_bits_ = machine;
    sequence_bits_ = sequence;
    return *this;
}
IdLayout IdLayout::sequence_reset_threshold(std::int64_t threshold) && {
    sequence_reset_threshold_ = threshold;
    return *this;
}
IdLayout IdLayout::js_safe(bool wanted) && {
    js_safe_ = wanted;
    return *this;
}

Result<Done> IdLayout::check() const {
    if (const std::string_view fault = fault_of_bits(*this); !fault.empty()) {
        return done_or(fault);
    }
    if (sequence_reset_threshold_ < 0) {
        return done_or("the threshold of the sequence is not negative");
    }
    return done_or(fault_of_epoch(*this));
}

std::int64_t IdLayout::tick_of(WallTime time) const {
    const std::int64_t milliseconds = time.time_since_epoch().count();
    const std::int64_t length = unit_length().count();
    const std::int64_t tick = milliseconds / length;
    return tick - (milliseconds % length < 0 ? 1 : 0);
}

WallTime IdLayout::time_of(std::int64_t tick) const {
    return WallTime{Duration{tick * unit_length().count()}};
}

double IdLayout::years_left(WallTime now) const {
    constexpr double year_ms = 365.2425 * 86'400'000;
    // In double: the end of 62 bits lies one tick behind int64.
    const double end =
        (static_cast<double>(last_tick()) + 1) * static_cast<double>(unit_length().count());
    return (end - static_cast<double>(now.time_since_epoch().count())) / year_ms;
}

std::string_view fault_of_parts(const IdLayout& layout, const IdParts& parts) {
    if (parts.time < 0) {
        return "the time is before the epoch";
    }
    if (parts.time > layout.time_max()) {
        return "the time is past the end of its bits";
    }
    if (parts.machine < 0 || parts.machine > layout.machine_max()) {
        return "the machine does not fit its bits";
    }
    if (parts.sequence < 0 || parts.sequence > layout.sequence_max()) {
        return "the sequence does not fit its bits";
    }
    return "";
}

Result<std::int64_t> compose(const IdLayout& layout, const IdParts& parts) {
    if (layout.is_text()) {
        return Error(Code::invalid_argument, Effect::none, "an id of this layout is only text");
    }
    if (!parts_fit(layout, parts)) {
        return Error(Code::invalid_argument, Effect::none, fault_of_parts(layout, parts));
    }
    const int machine_shift = layout.sequence_bits();
    const int time_shift = machine_shift + layout.machine_bits();
    return (parts.time << time_shift) | (parts.machine << machine_shift) | parts.sequence;
}

Result<IdParts> decompose(const IdLayout& layout, std::int64_t id) {
    if (layout.is_text()) {
        return Error(Code::invalid_argument, Effect::none, "an id of this layout is only text");
    }
    const int machine_shift = layout.sequence_bits();
    const int time_shift = machine_shift + layout.machine_bits();
    if (id < 0) {
        return Error(Code::invalid_argument, Effect::none, "the id is negative");
    }
    if ((id >> time_shift) > layout.time_max()) {
        return Error(Code::invalid_argument, Effect::none, "the id is wider than its layout");
    }
    return IdParts{
        id >> time_shift, (id >> machine_shift) & layout.machine_max(), id & layout.sequence_max()
    };
}

WallTime time_of(const IdLayout& layout, const IdParts& parts) {
    return layout.time_of(layout.epoch_tick() + parts.time);
}

}  // namespace holdfast
