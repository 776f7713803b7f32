#pragma once
// What a store accepts. Both sides of each number are tested by the conformance kit.

#include <holdfast/base/time.h>

#include <cstdint>

namespace holdfast::limits {

inline constexpr std::size_t range_key_bytes_max = 200;   // fits varchar(200) of the SQL tables
inline constexpr std::size_t name_bytes_max = 100;        // namespaces and owner keys: varchar(100)
inline constexpr std::size_t incarnation_bytes_max = 64;  // 128 random bits in any usual encoding
inline constexpr std::int64_t reserve_size_max = 1'000'000'000'000;
inline constexpr std::uint32_t slot_limit_max = 65'536;
inline constexpr Duration ttl_min{100};  // shorter leases die of scheduling alone
inline constexpr Duration ttl_max =
    std::chrono::hours(1);  // the longest time a crash may keep a slot
inline constexpr Duration tolerance_max = std::chrono::minutes(1);
inline constexpr std::int64_t stored_time_max =
    (std::int64_t{1} << 53) - 1;                // exact in every store's numbers
inline constexpr int slot_candidates_max = 16;  // rows looked at by one acquire
inline constexpr int slot_sweep_default = 16;   // expired leases freed by one acquire
inline constexpr int slot_sweep_max = 64;

}  // namespace holdfast::limits
