#pragma once
// A time zone by its name in the IANA database, read from the host.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast {

// Calendar time without a zone, milliseconds included.
struct LocalTime {
    int year = 1970;
    int month = 1;  // 1..12
    int day = 1;    // 1..31
    int hour = 0;
    int minute = 0;
    int second = 0;
    int millisecond = 0;
    friend auto operator<=>(const LocalTime&, const LocalTime&) = default;
};

class ZoneData;

// Cheap to copy; any thread.
class TimeZone {
public:
    static TimeZone utc();
    // invalid_argument, none: the host's database has no zone of that name.
    static Result<TimeZone> find(std::string_view name);

    const std::string& name() const;
    LocalTime local(WallTime time) const;
    // invalid_argument, none: the date is not in the calendar, or the zone skipped that time. A
    // time that came twice is the first of the two.
    Result<WallTime> instant(const LocalTime& local) const;

private:
    explicit TimeZone(std::shared_ptr<const ZoneData> zone) : zone_(std::move(zone)) {}
    std::shared_ptr<const ZoneData> zone_;  // null: UTC
};

}  // namespace holdfast
