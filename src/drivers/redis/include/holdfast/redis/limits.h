#pragma once
// The bounds of this room, each with its reason.

#include <cstddef>

namespace holdfast::redis {

// Of the server's words in an error: enough for any message of the server itself with a key in it;
// scripts may answer megabytes.
inline constexpr std::size_t server_text_bytes_max = 512;

}  // namespace holdfast::redis
