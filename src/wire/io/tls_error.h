#pragma once
// What OpenSSL's error queue says, in our codes. The queue belongs to the thread: clear it before
// the call, read it right after.

#include <holdfast/base/result.h>

#include <openssl/ssl.h>

#include <string>

namespace holdfast {

// Why a handshake or a connection failed; effect none.
Error tls_failure(const SSL* ssl);
// The oldest entry, for people.
std::string tls_reason();

}  // namespace holdfast
