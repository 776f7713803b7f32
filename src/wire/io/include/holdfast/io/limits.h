#pragma once
// The bounds of this room, each with its reason.

#include <holdfast/base/time.h>

#include <cstddef>

namespace holdfast {

// Blocking calls wait for disks and databases, not for cores: 64 of them fill the connection pool
// of a usual database. Threads are started on demand, so the number costs nothing where it is not
// used.
inline constexpr std::size_t pool_threads_default = 64;
// At 1 ms a call and 64 threads, 1024 calls wait 16 ms: a longer queue would only hide an overload.
inline constexpr std::size_t pool_queue_default = 1024;
// Shorter than the 10 s after which service managers kill.
inline constexpr Duration stop_grace_default{5000};
// The pause after an accept found no descriptors: long enough for others to give some back, short
// for a client.
inline constexpr Duration accept_pause{100};

}  // namespace holdfast
