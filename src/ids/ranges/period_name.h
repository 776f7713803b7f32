#pragma once
// What a period is called: 2026, 2026-11, 2026-11-05, 2026-11-05T13. Names sort as periods do.

#include <holdfast/ids/options.h>
#include <holdfast/ids/zone.h>

#include <string>

namespace holdfast {

// An hour that comes twice, when a zone leaves its summer time, is one period.
std::string period_name(Period period, const LocalTime& time);

}  // namespace holdfast
