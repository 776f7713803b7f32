#pragma once
// The bounds of this room, each with its reason.

#include <cstddef>

namespace holdfast::redis {

// Of the server's words in an error: enough for any message of the server itself with a key in it;
// scripts may answer megabytes.
inline constexpr std::size_t server_text_bytes_max = 512;

// Of a password in a file: an ACL's are hashes or made by machines, a token of a cloud is below 4
// KB. More is another file.
inline constexpr std::size_t password_bytes_max = std::size_t{16} * 1024;

}  // namespace holdfast::redis
