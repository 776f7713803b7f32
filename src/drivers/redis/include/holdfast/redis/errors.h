#pragma once
// What an error reply means in our words.
//
// invalid_argument: the call is wrong (WRONGTYPE, syntax, NOSCRIPT, NOGROUP, CROSSSLOT, ..);
// denied: NOAUTH, WRONGPASS, NOPERM; overloaded: OOM, too many clients; unreachable: this node
// cannot serve it now (BUSY, LOADING, MASTERDOWN, CLUSTERDOWN, TRYAGAIN, READONLY, NOREPLICAS,
// MISCONF, UNBLOCKED); moved: MOVED, ASK; unsupported: a command or protocol that this server does
// not have; internal: all others.

#include <holdfast/base/result.h>
#include <holdfast/redis/command.h>
#include <holdfast/resp/reply.h>

#include <string_view>

namespace holdfast::redis {

// `reply` is an error. Effect none for a command that is refused as a whole; unknown for a script,
// EXEC or what else may have done a part, unless the server refused it before it began. The
// server's words, cut at server_text_bytes_max, are in the context alone.
//
// `before`: what is known of earlier attempts, whose answers were lost. Unknown stays unknown, but
// for a command that only reads.
Error error_of(RespView reply, const AnyCommand& command, Effect before = Effect::none);

// For one that ends several calls.
Error copy_of(const Error& error);

// The first word of what the server said, for example "NOGROUP"; empty if it said nothing.
std::string_view server_word(std::string_view text);
std::string_view server_word(const Error& error);

}  // namespace holdfast::redis
