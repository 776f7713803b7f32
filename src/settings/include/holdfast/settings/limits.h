#pragma once
// What the service's settings may ask for, where the store contract has no bound of its own.

#include <holdfast/base/time.h>

#include <cstddef>
#include <cstdint>

namespace holdfast {

// 2 MiB of JSON: longer answers keep other requests of the loop waiting.
inline constexpr std::int64_t ids_count_setting_max = 100'000;
inline constexpr std::size_t token_characters_min = 16;  // 16 random base64 characters have 96 bits
inline constexpr std::int64_t counted_names_max =
    10'000'000;  // some 43 bytes each in the tables behind 429
inline constexpr Duration key_idle_timeout_max =
    std::chrono::hours(24 * 365);  // longer is for ever, which 0 says
inline constexpr std::int64_t loops_max =
    256;  // past the cores of any one host that this service needs
inline constexpr std::int64_t blocking_threads_max =
    1'024;  // each has a stack and a connection of the store
inline constexpr std::int64_t blocking_queue_max =
    1'000'000;  // waiting calls are a few hundred bytes each
inline constexpr std::int64_t connections_setting_max =
    1'000'000;  // of one process, past any file limit in use
inline constexpr Duration stop_grace_max = std::chrono::minutes(10);
// Below this a client on the same host would be cut off now and then.
inline constexpr Duration http_time_min{100};
// The listener gives no body more than this in all: a longer start would be none.
inline constexpr Duration body_time_setting_max = std::chrono::seconds(30);
inline constexpr Duration http_time_setting_max =
    std::chrono::hours(1);  // longer is no limit: a connection is held for nothing
inline constexpr Duration store_timeout_max =
    std::chrono::minutes(1);  // the longest tolerance of a lease

}  // namespace holdfast
