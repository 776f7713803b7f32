// The only file that knows the library of time zones.

#include "civil.h"

#include <holdfast/ids/zone.h>

#include <date/tz.h>

#include <exception>

namespace holdfast {
namespace {

using std::chrono::seconds;

const date::time_zone* library_zone(const void* zone) {
    return static_cast<const date::time_zone*>(zone);
}

date::sys_seconds whole_seconds(std::int64_t milliseconds) {
    return date::sys_seconds(std::chrono::floor<seconds>(Duration(milliseconds)));
}

Error refused(std::string_view what) {
    return {Code::invalid_argument, Effect::none, what};
}

}  // namespace

TimeZone TimeZone::utc() {
    return TimeZone(nullptr);
}

Result<TimeZone> TimeZone::find(std::string_view name) {
    constexpr std::string_view unknown = "the time zone is not in the database of the host";
    if (name == "UTC" || name == "Z") {
        return utc();
    }
    try {
        const date::time_zone* zone = date::locate_zone(name);
        zone->get_info(date::sys_seconds{});  // reads its file now: later calls cannot fail
        return TimeZone(zone);
    } catch (const std::exception&) {
        return refused(unknown);
    }
}

const std::string& TimeZone::name() const {
    static const std::string utc_name = "UTC";
    return zone_ == nullptr ? utc_name : library_zone(zone_)->name();
}

LocalTime TimeZone::local(WallTime time) const {
    const std::int64_t milliseconds = time.time_since_epoch().count();
    if (zone_ == nullptr) {
        return local_of(milliseconds);
    }
    const date::sys_info info = library_zone(zone_)->get_info(whole_seconds(milliseconds));
    return local_of(milliseconds + Duration(info.offset).count());
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
    const date::local_info info = library_zone(zone_)->get_info(asked);
    if (info.result == date::local_info::nonexistent) {
        return refused("the zone skipped this local time");
    }
    return WallTime(Duration(milliseconds) - info.first.offset);
}

}  // namespace holdfast
