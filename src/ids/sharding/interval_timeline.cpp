#include "civil.h"
#include "codecs/date_pattern.h"

#include <holdfast/base/fault_switch.h>
#include <holdfast/ids/limits.h>
#include <holdfast/ids/sharding.h>

#include <algorithm>
#include <unordered_set>

namespace holdfast {
namespace {

Error refused(std::string_view what) {
    return {Code::invalid_argument, Effect::none, what};
}

// Of the units that have one length; 0 of years and months.
std::int64_t length_ms(IntervalUnit unit) {
    switch (unit) {
    case IntervalUnit::day:
        return day_ms;
    case IntervalUnit::hour:
        return 3'600'000;
    case IntervalUnit::minute:
        return 60'000;
    case IntervalUnit::second:
        return 1'000;
    default:
        return 0;
    }
}

std::int64_t months_of(const IntervalStep& step) {
    return step.unit == IntervalUnit::year ? 12 * step.amount : step.amount;
}

std::int64_t month_number(const LocalTime& time) {
    return std::int64_t{12} * time.year + time.month - 1;
}

std::int64_t ms_of_day(const LocalTime& time) {
    return milliseconds_of(time) - milliseconds_of(LocalTime{time.year, time.month, time.day});
}

// As Java's ChronoUnit.between: a time of day that is not reached yet takes a day off, and days
// count within their months.
std::int64_t whole_months(const LocalTime& start, const LocalTime& time) {
    const std::int64_t of_day = ms_of_day(time) - ms_of_day(start);
    LocalTime date = time;
    if (start < time && of_day < 0) {
        date = local_of(milliseconds_of(time) - day_ms);
    } else if (time < start && of_day > 0) {
        date = local_of(milliseconds_of(time) + day_ms);
    }
    constexpr std::int64_t days_max = 32;
    return ((month_number(date) - month_number(start)) * days_max + date.day - start.day) /
           days_max;
}

LocalTime begin_of(const LocalTime& floored, const IntervalStep& step, std::int64_t index) {
    if (const std::int64_t length = length_ms(step.unit); length != 0) {
        return local_of(milliseconds_of(floored) + index * step.amount * length);
    }
    const std::int64_t month = month_number(floored) + index * months_of(step);
    return {static_cast<int>(month / 12), static_cast<int>(month % 12) + 1, 1};
}

}  // namespace

LocalTime floor_to(IntervalUnit unit, const LocalTime& time) {
    LocalTime floored = time;
    floored.millisecond = 0;
    switch (unit) {
    case IntervalUnit::year:
        floored.month = 1;
        [[fallthrough]];
    case IntervalUnit::month:
        floored.day = 1;
        [[fallthrough]];
    case IntervalUnit::day:
        floored.hour = 0;
        [[fallthrough]];
    case IntervalUnit::hour:
        floored.minute = 0;
        [[fallthrough]];
    case IntervalUnit::minute:
        floored.second = 0;
        [[fallthrough]];
    case IntervalUnit::second:
        break;
    }
    return floored;
}

std::int64_t
steps_between(const IntervalStep& step, const LocalTime& start, const LocalTime& time) {
    if (const std::int64_t length = length_ms(step.unit); length != 0) {
        const LocalTime& at = fault("ids.9") ? floor_to(IntervalUnit::day, time) : time;
        return (milliseconds_of(at) - milliseconds_of(start)) / length / step.amount;
    }
    return whole_months(start, time) / months_of(step);
}

Result<IntervalTimeline> IntervalTimeline::make(
    const LocalTime& first,
    const LocalTime& last,
    const IntervalStep& step,
    const std::string& prefix,
    const std::string& pattern
) {
    if (!in_calendar(first) || !in_calendar(last) || last < first) {
        return refused("a timeline begins and ends in the calendar, and begins first");
    }
    if (step.amount < 1 || step.amount > limits::interval_amount_max) {
        return refused("the amount of an interval is from 1 to 1000000");
    }
    auto parsed = DatePattern::parse(pattern);
    if (!parsed.ok()) {
        return std::move(parsed).error();
    }
    IntervalTimeline timeline(first, last, step);
    const LocalTime begin = floor_to(step.unit, first);
    const std::int64_t count = steps_between(step, begin, last) + 1;
    if (count > limits::nodes_max) {
        return refused("a timeline has at most 65536 nodes");
    }
    std::unordered_set<std::string> names;
    for (std::int64_t index = 0; index < count; ++index) {
        std::string name = prefix;
        parsed.value().append(name, begin_of(begin, step, index));
        if (!names.insert(name).second) {
            return refused("the pattern gives two nodes of the timeline the same name");
        }
        timeline.nodes_.push_back(std::move(name));
    }
    return timeline;
}

std::size_t IntervalTimeline::index_of(const LocalTime& time) const {
    return static_cast<std::size_t>(steps_between(step_, floor_to(step_.unit, first_), time));
}

Result<std::string> IntervalTimeline::node_of(const LocalTime& time) const {
    if (!in_calendar(time) || time < first_ || time > last_) {
        return refused("the time is outside of the timeline");
    }
    return nodes_[index_of(time)];
}

Result<std::vector<std::string>> IntervalTimeline::nodes_of(const RoutingRange<LocalTime>& range
) const {
    std::int64_t first = milliseconds_of(first_);
    std::int64_t last = milliseconds_of(last_);
    for (const auto& bound : {range.lower(), range.upper()}) {
        if (bound.has_value() && !in_calendar(bound->value)) {
            return refused("a bound of the range is not in the calendar");
        }
    }
    if (const auto& lower = range.lower(); lower.has_value()) {
        first = std::max(first, milliseconds_of(lower->value) + (lower->open ? 1 : 0));
    }
    if (const auto& upper = range.upper(); upper.has_value()) {
        last = std::min(last, milliseconds_of(upper->value) - (upper->open ? 1 : 0));
    }
    std::vector<std::string> found;
    if (first <= last) {
        const auto from = static_cast<std::ptrdiff_t>(index_of(local_of(first)));
        const auto to = static_cast<std::ptrdiff_t>(index_of(local_of(last)));
        found.assign(nodes_.begin() + from, nodes_.begin() + to + 1);
    }
    return found;
}

}  // namespace holdfast
