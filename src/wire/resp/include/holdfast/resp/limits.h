#pragma once
// What the parser takes.

#include <cstddef>

namespace holdfast {

inline constexpr std::size_t resp_depth_max =
    128;  // COMMAND DOCS needs 10; deeper ones only cost stack of whoever reads them
inline constexpr std::size_t resp_line_bytes_read_max =
    std::size_t{64} << 20;  // of a status or error: Lua scripts may answer long ones
inline constexpr std::size_t resp_bulk_bytes_max =
    std::size_t{4} << 30;  // the server's own limit is 512 MB by default and configurable up
inline constexpr std::size_t resp_nodes_max =
    0xffff'0000;  // RespNode counts in 32 bits; such a reply takes 12 GB at least

// Kept from one reply to the next; what a larger reply needed is given back after it.
inline constexpr std::size_t resp_nodes_kept_max =
    4096;  // 160 KiB, a pipeline's usual MGET or SCAN
inline constexpr std::size_t resp_joined_bytes_kept_max = std::size_t{64} << 10;  // streamed text

}  // namespace holdfast
