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

// A usual request and a handshake message fit; a full record takes five reads. It is most of what
// an idle TLS connection costs beside OpenSSL's own record of it.
inline constexpr std::size_t tls_read_bytes = std::size_t{4} * 1024;
// The most that a TLS record holds (RFC 8446, 5.1): no write encrypts more before it looks whether
// the connection takes it.
inline constexpr std::size_t tls_record_bytes = std::size_t{16} * 1024;
// Encrypted and unsent: with more nothing is encrypted, and nothing is read that could ask for an
// answer. One record more may come on top.
inline constexpr std::size_t tls_unsent_max = tls_record_bytes;
// A larger buffer of unsent bytes is given back when it is empty.
inline constexpr std::size_t tls_out_bytes_kept = std::size_t{4} * 1024;
// How long a destroyed TLS stream stays for what its peer has not taken, as the system does for
// TCP.
inline constexpr Duration tls_goodbye_time{5'000};
// After a refused handshake the peer may still be sending; closing at once could make its system
// drop the alert that says why.
inline constexpr Duration tls_linger_time{1'000};
inline constexpr std::size_t tls_linger_bytes_max = std::size_t{64} * 1024;

}  // namespace holdfast
