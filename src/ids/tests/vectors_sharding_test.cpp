// Sharding helpers against what CosId 3.2.1 answered.

#include "tests/vector_answers.h"

#include <holdfast/ids/sharding.h>

namespace holdfast {
namespace {

using testing::Answer;
using testing::CosIdExceptions;
using testing::CosIdVector;
using testing::difference;

LocalTime local(const std::string& text) {
    return TimeZone::utc().local(testing::wall_time(text));
}

std::string compare_nodes(const CosIdVector& vector, const std::vector<std::string>& ours) {
    if (vector.threw()) {
        return "answered";
    }
    std::vector<std::string> theirs;
    for (const JsonValue node : vector.out()->children()) {
        theirs.emplace_back(*node.text());
    }
    std::string all;
    for (const std::string& node : ours) {
        all += node + " ";
    }
    return theirs == ours ? "" : "answered " + all;
}

// [3..5), (-inf..1] and the like, with any text between the two bounds.
template <class T>
RoutingRange<T> parse_range(
    const std::string& text,
    std::string_view between,
    const std::function<T(const std::string&)>& value
) {
    RoutingRange<T> range;
    const std::size_t middle = text.find(between);
    const std::string lower = text.substr(1, middle - 1);
    const std::size_t upper_at = middle + between.size();
    const std::string upper = text.substr(upper_at, text.size() - upper_at - 1);
    if (lower != "-inf") {
        range = text.front() == '(' ? std::move(range).after(value(lower))
                                    : std::move(range).from(value(lower));
    }
    if (upper != "+inf") {
        range = text.back() == ')' ? std::move(range).before(value(upper))
                                   : std::move(range).to(value(upper));
    }
    return range;
}

std::string mod_holds(const CosIdVector& vector) {
    if (vector.in().integer("divisor").ok()) {
        const auto cycle = ModCycle::make(vector.integer("divisor"), "t_");
        if (!cycle.ok()) {
            return vector.threw() ? "" : std::string(cycle.error().what());
        }
        return compare_nodes(vector, cycle.value().nodes());
    }
    const auto cycle = ModCycle::make(4, "t_");
    if (vector.in().text("value").ok()) {
        return difference(vector, Answer(cycle.value().node_of(vector.integer("value"))));
    }
    return compare_nodes(
        vector,
        cycle.value().nodes_of(parse_range<std::int64_t>(
            vector.text("range"), "..", [](const std::string& text) { return std::stoll(text); }
        ))
    );
}

TEST(CosIdVectors, mod_cycle) {
    CosIdExceptions exceptions;
    for (const std::int64_t number : {2044, 2045, 2047, 2065, 2066, 2067}) {
        exceptions.emplace(number, "negative ids have a node");
    }
    for (const std::int64_t number : {2061, 2062, 2063, 2064}) {
        exceptions.emplace(number, "below every number are numbers of all nodes");
    }
    for (const std::int64_t number : {2072, 2073}) {
        exceptions.emplace(number, "the last int64 has a node");
    }
    exceptions.emplace(2074, "no number is above the last int64");
    testing::check_cosid_vectors({"mod_cycle"}, exceptions, mod_holds);
}

std::optional<IntervalUnit> unit_named(const std::string& name) {
    const std::map<std::string, IntervalUnit> units{
        {"YEARS", IntervalUnit::year},
        {"MONTHS", IntervalUnit::month},
        {"DAYS", IntervalUnit::day},
        {"HOURS", IntervalUnit::hour},
        {"MINUTES", IntervalUnit::minute},
        {"SECONDS", IntervalUnit::second},
    };
    const auto found = units.find(name);
    return found == units.end() ? std::nullopt : std::optional(found->second);
}

// The local time of what Java prints without trailing zeros.
std::string compare_time(const CosIdVector& vector, const LocalTime& ours) {
    const bool same = local(std::string(*vector.out()->text())) == ours;
    return same ? "" : "another time";
}

std::string compare_timeline(const CosIdVector& vector, const IntervalTimeline& timeline) {
    if (vector.in().text("time").ok()) {
        const std::string text = vector.text("time");
        const auto node = timeline.node_of(local(text));
        return difference(vector, node.ok() ? Answer(node.value()) : Answer(node.error()));
    }
    if (vector.in().text("range").ok()) {
        const auto nodes =
            timeline.nodes_of(parse_range<LocalTime>(vector.text("range"), " , ", local));
        return compare_nodes(vector, nodes.value());
    }
    return compare_nodes(vector, timeline.nodes());
}

std::string step_holds(const CosIdVector& vector) {
    const auto unit = unit_named(vector.text("unit"));
    if (!unit.has_value()) {
        return vector.threw() ? "" : "no such unit";
    }
    if (!vector.in().integer("amount").ok()) {
        return compare_time(vector, floor_to(*unit, local(vector.text("time"))));
    }
    const std::int64_t steps = steps_between(
        IntervalStep(*unit, vector.integer("amount")),
        local(vector.text("start")),
        local(vector.text("time"))
    );
    return difference(vector, Answer(std::to_string(steps)));
}

std::string ends_hold(const CosIdVector& vector) {
    const LocalTime last = local(vector.text("upper"));
    const auto timeline = IntervalTimeline::make(
        local(vector.text("lower")),
        last,
        IntervalStep(*unit_named(vector.text("unit"))),
        "x_",
        vector.text("pattern")
    );
    const JsonObject theirs = *vector.out()->object();
    std::vector<std::string> nodes;
    for (const JsonValue node : theirs.array("nodes").value()) {
        nodes.emplace_back(*node.text());
    }
    const bool same = nodes == timeline.value().nodes() &&
                      timeline.value().node_of(last).value() == theirs.text("upperNode").value();
    return same ? "" : "other nodes";
}

std::string snowflake_time_holds(const CosIdVector& vector) {
    const IdLayout layout = IdLayout::milliseconds();
    const auto codec = make_codec(CodecOptions());
    const std::int64_t id = vector.in().text("text").ok()
                                ? codec.value()->parse(vector.text("text")).value()
                                : vector.integer("id");
    return compare_time(
        vector, TimeZone::utc().local(time_of(layout, decompose(layout, id).value()))
    );
}

std::string interval_holds(const CosIdVector& vector) {
    const std::string_view call = vector.call();
    if (call.starts_with("SnowflakeLocalDateTimeConvertor")) {
        return snowflake_time_holds(vector);
    }
    if (call.starts_with("IntervalTimeline nodes and point")) {
        return ends_hold(vector);
    }
    if (vector.in().text("effective").ok()) {
        const auto [first, last] = [&vector] {
            const auto range = parse_range<LocalTime>(vector.text("effective"), " , ", local);
            return std::pair(range.lower()->value, range.upper()->value);
        }();
        const IntervalStep step(*unit_named(vector.text("unit")), vector.integer("amount"));
        return compare_timeline(
            vector,
            IntervalTimeline::make(first, last, step, vector.text("prefix"), vector.text("pattern"))
                .value()
        );
    }
    if (!vector.in().text("unit").ok()) {
        const auto timeline = IntervalTimeline::make(
            LocalTime{},
            LocalTime{},
            IntervalStep(IntervalUnit::day, vector.integer("amount")),
            "",
            "dd"
        );
        return vector.threw() != timeline.ok() ? "" : "accepted";
    }
    return step_holds(vector);
}

TEST(CosIdVectors, intervals) {
    CosIdExceptions exceptions;
    for (std::int64_t number = 2155; number <= 2166; ++number) {
        exceptions.emplace(number, "no unit of weeks: there their begin is refused");
    }
    for (const std::int64_t number : {2177, 2202}) {
        exceptions.emplace(
            number, "a nanosecond after the end is the end: times have milliseconds"
        );
    }
    for (const std::int64_t number : {2184, 2209, 2189, 2214, 2191, 2216}) {
        exceptions.emplace(number, "a range without a point has no node");
    }
    testing::check_cosid_vectors({"interval"}, exceptions, interval_holds);
}

}  // namespace
}  // namespace holdfast
