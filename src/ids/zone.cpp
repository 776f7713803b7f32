// The only file that knows the library of time zones.

#include "civil.h"
#include "zone_rule.h"

#include <holdfast/ids/zone.h>

#include <date/tz.h>

#include <exception>
#include <fstream>
#include <iterator>

namespace holdfast {

// The library knows the changes that a zone's file lists, and takes the last of them for ever; what
// comes then stands in the file's last line, which it does not read.
class ZoneData {
public:
    explicit ZoneData(const date::time_zone* zone) : changes(zone) {}

    const date::time_zone* changes;
    std::optional<ZoneRule> rule;  // none: the last change stays
    std::int64_t rule_begins = 0;  // Unix seconds
};

namespace {

using std::chrono::seconds;

constexpr std::string_view database = "/usr/share/zoneinfo/";  // where the library looks too

date::sys_seconds whole_seconds(std::int64_t milliseconds) {
    return date::sys_seconds(std::chrono::floor<seconds>(Duration(milliseconds)));
}

std::string last_line_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.empty() || bytes.back() != '\n') {
        return {};
    }
    bytes.pop_back();
    return bytes.substr(bytes.rfind('\n') + 1);
}

// Reads the zone's file now: later calls cannot fail.
std::shared_ptr<const ZoneData> load(const date::time_zone* zone) {
    const auto data = std::make_shared<ZoneData>(zone);
    const auto last = zone->get_info(whole_seconds(std::numeric_limits<std::int64_t>::max()));
    data->rule_begins = last.begin.time_since_epoch().count();
    data->rule = ZoneRule::parse(last_line_of(std::string(database) + zone->name()));
    return data;
}

Error refused(std::string_view what) {
    return {Code::invalid_argument, Effect::none, what};
}

constexpr std::string_view skipped = "the zone skipped this local time";

}  // namespace

TimeZone TimeZone::utc() {
    return TimeZone(nullptr);
}

Result<TimeZone> TimeZone::find(std::string_view name) {
    if (name == "UTC" || name == "Z") {
        return utc();
    }
    try {
        return TimeZone(load(date::locate_zone(name)));
    } catch (const std::exception&) {
        return refused("the time zone is not in the database of the host");
    }
}

const std::string& TimeZone::name() const {
    static const std::string utc_name = "UTC";
    return zone_ == nullptr ? utc_name : zone_->changes->name();
}

LocalTime TimeZone::local(WallTime time) const {
    const std::int64_t milliseconds = time.time_since_epoch().count();
    if (zone_ == nullptr) {
        return local_of(milliseconds);
    }
    const date::sys_seconds whole = whole_seconds(milliseconds);
    const std::int64_t unix_seconds = whole.time_since_epoch().count();
    const bool by_rule = zone_->rule.has_value() && unix_seconds >= zone_->rule_begins;
    const std::int64_t offset = by_rule ? zone_->rule->offset_at(unix_seconds)
                                        : zone_->changes->get_info(whole).offset.count();
    return local_of(milliseconds + offset * 1'000);
}

Result<WallTime> TimeZone::instant(const LocalTime& local) const {
    if (!in_calendar(local)) {
        return refused("the time is not in the calendar");
    }
    const std::int64_t milliseconds = milliseconds_of(local);
    if (zone_ == nullptr) {
        return WallTime(Duration(milliseconds));
    }
    const date::local_seconds asked(whole_seconds(milliseconds).time_since_epoch());
    // The last change belongs to the list: the rule answers from two days after it.
    constexpr std::int64_t two_days = 2 * day_ms / 1'000;
    const std::int64_t local_seconds = asked.time_since_epoch().count();
    if (zone_->rule.has_value() && local_seconds >= zone_->rule_begins + two_days) {
        const auto instant = zone_->rule->instant(local_seconds);
        if (!instant.has_value()) {
            return refused(skipped);
        }
        return WallTime(Duration(milliseconds + (*instant - local_seconds) * 1'000));
    }
    const date::local_info info = zone_->changes->get_info(asked);
    if (info.result == date::local_info::nonexistent) {
        return refused(skipped);
    }
    return WallTime(Duration(milliseconds) - info.first.offset);
}

}  // namespace holdfast
