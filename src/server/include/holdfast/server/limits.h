#pragma once
// What the service refuses before it does any work.

#include <cstddef>

namespace holdfast::limits {

inline constexpr std::size_t token_bytes_min =
    16;  // shorter ones can be guessed (contract of the service)
inline constexpr std::size_t token_bytes_max =
    512;  // longer ones are refused before they are hashed: no work for strangers

}  // namespace holdfast::limits
