#pragma once
// What the service refuses before it does any work.

#include <holdfast/base/time.h>

#include <cstddef>

namespace holdfast::limits {

inline constexpr std::size_t token_bytes_min =
    16;  // shorter ones can be guessed (contract of the service)
inline constexpr std::size_t token_bytes_max =
    512;  // longer ones are refused before they are hashed: no work for strangers
inline constexpr std::size_t basic_bytes_max =
    1'024;  // base64 of the longest token and of a user name beside it
inline constexpr Duration anonymous_warning_period =
    std::chrono::hours(1);  // often enough to be seen in any day's log, too rare to fill one

// A stop goes on serving this long after readiness has turned 503, each answer closing its
// connection: a proxy that asks every 100 ms has noticed by then and sends nothing into the end.
inline constexpr Duration stop_notice{500};

}  // namespace holdfast::limits
