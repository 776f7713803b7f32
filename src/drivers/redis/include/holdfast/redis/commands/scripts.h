#pragma once
// Lua on the server. An error says effect unknown: what the script wrote before it stays written.
//
// What a script answers has the shape that it gives: `eval(..).as(read_integer)`. Numbers above
// 2^53 do not survive Lua: send and answer them as texts. A script that is safe to repeat is the
// caller's to know: `.repeat(Repeat::idempotent)`.

#include <holdfast/redis/command.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

enum class FlushMode : std::uint8_t { server_default, sync, async };

Command<OwnedReply> eval(std::string_view script, Words keys = {}, Words arguments = {});
// Read-only ones, also on replicas; a script that writes is refused.
Command<OwnedReply> eval_ro(std::string_view script, Words keys = {}, Words arguments = {});
// NOSCRIPT (effect none): this server does not know the script.
Command<OwnedReply> evalsha(std::string_view sha1, Words keys = {}, Words arguments = {});
Command<OwnedReply> evalsha_ro(std::string_view sha1, Words keys = {}, Words arguments = {});

Command<std::vector<bool>> script_exists(Words sha1s);
Command<Done> script_flush(FlushMode mode = FlushMode::server_default);
Command<Done> script_kill();
Command<std::string> script_load(std::string_view script);  // its SHA-1

}  // namespace holdfast::redis
