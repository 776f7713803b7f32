#pragma once
// Which nodes (tables, databases) hold an id or a time: by remainder, or by intervals of time. The
// nodes of a range are exactly those of all its points. Names as CosId's ModCycle and
// IntervalTimeline.

#include <holdfast/base/result.h>
#include <holdfast/ids/zone.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

// Between two bounds, each of which may be missing: RoutingRange<std::int64_t>().from(3).before(9).
template <class T>
class RoutingRange {
public:
    class Bound {
    public:
        Bound(T at, bool excluded) : value(std::move(at)), open(excluded) {}
        T value;
        bool open;  // the value itself is outside
    };

    RoutingRange() {}  // NOLINT(modernize-use-equals-default): no aggregate (g++ 12)
    RoutingRange from(T value) && { return std::move(*this).lower_bound(std::move(value), false); }
    RoutingRange after(T value) && { return std::move(*this).lower_bound(std::move(value), true); }
    RoutingRange to(T value) && { return std::move(*this).upper_bound(std::move(value), false); }
    RoutingRange before(T value) && { return std::move(*this).upper_bound(std::move(value), true); }

    const std::optional<Bound>& lower() const { return lower_; }
    const std::optional<Bound>& upper() const { return upper_; }

private:
    RoutingRange lower_bound(T value, bool open) && {
        lower_.emplace(std::move(value), open);
        return std::move(*this);
    }
    RoutingRange upper_bound(T value, bool open) && {
        upper_.emplace(std::move(value), open);
        return std::move(*this);
    }

    std::optional<Bound> lower_;
    std::optional<Bound> upper_;
};

// prefix0 .. prefix(n-1), by the remainder of the id: the one that is never negative, so that
// negative ids have a node too. Immutable; any thread.
class ModCycle {
public:
    // invalid_argument, none: the divisor is not from 1 to limits::nodes_max.
    static Result<ModCycle> make(std::int64_t divisor, std::string prefix);

    const std::vector<std::string>& nodes() const { return nodes_; }
    const std::string& node_of(std::int64_t id) const;
    // In the order of their first ids in the range, all of them in their own order. A missing bound
    // is the first or last int64. The caller's own list.
    std::vector<std::string> nodes_of(const RoutingRange<std::int64_t>& range) const;

private:
    explicit ModCycle(std::vector<std::string> nodes) : nodes_(std::move(nodes)) {}
    std::size_t remainder(std::int64_t id) const;

    std::vector<std::string> nodes_;
};

enum class IntervalUnit : std::uint8_t { year, month, day, hour, minute, second };

class IntervalStep {
public:
    explicit IntervalStep(IntervalUnit of, std::int64_t times = 1) : amount(times), unit(of) {}
    std::int64_t amount;
    IntervalUnit unit;
};

// The begin of the year, month, .. that holds the time.
LocalTime floor_to(IntervalUnit unit, const LocalTime& time);
// How many whole steps lie between; below zero where the time comes first, rounded towards zero.
std::int64_t steps_between(const IntervalStep& step, const LocalTime& start, const LocalTime& time);

// One node per step from the step that holds `first` on; `prefix` and the begin of the step, as the
// pattern says (yyyyMM, see PrefixOptions). Local times, milliseconds. Immutable; any thread.
class IntervalTimeline {
public:
    // invalid_argument, none: last is before first, or one of them not in the calendar; an amount
    // below 1; more than limits::nodes_max nodes; a bad pattern, or one that gives two nodes the
    // same name.
    static Result<IntervalTimeline> make(
        const LocalTime& first,
        const LocalTime& last,
        const IntervalStep& step,
        const std::string& prefix,
        const std::string& pattern
    );

    const std::vector<std::string>& nodes() const { return nodes_; }
    // invalid_argument, none: not in the calendar, before `first` or after `last`.
    Result<std::string> node_of(const LocalTime& time) const;
    // In the order of time; empty where the range has no point between `first` and `last`. The
    // caller's own list. invalid_argument, none: a bound is not in the calendar.
    Result<std::vector<std::string>> nodes_of(const RoutingRange<LocalTime>& range) const;

private:
    IntervalTimeline(const LocalTime& first, const LocalTime& last, const IntervalStep& step)
        : first_(first), last_(last), step_(step) {}
    std::size_t index_of(const LocalTime& time) const;

    LocalTime first_;
    LocalTime last_;
    IntervalStep step_;
    std::vector<std::string> nodes_;
};

}  // namespace holdfast
