#pragma once
// The peer: hiredis as its users use it, and a bare socket as the floor.

#include "report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast::bench {

// One GET at a time, redisCommandArgv.
Run hiredis_blocking(std::uint16_t port, const std::vector<std::string>& keys, std::uint64_t count);
// `size` commands appended, then their replies taken.
Run hiredis_pipeline(
    std::uint16_t port, const std::vector<std::string>& keys, std::size_t size, std::uint64_t count
);
// So many GETs in flight on one asynchronous connection, over poll().
Run hiredis_async(
    std::uint16_t port,
    const std::vector<std::string>& keys,
    std::size_t callers,
    std::uint64_t count
);
// Bytes made before, written and read back: what the system itself costs.
Run raw_blocking(std::uint16_t port, const std::vector<std::string>& keys, std::uint64_t count);

}  // namespace holdfast::bench
