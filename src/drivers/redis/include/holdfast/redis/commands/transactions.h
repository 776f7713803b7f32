#pragma once
// Several commands as one step, on a leased connection alone.

#include <holdfast/redis/command.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <optional>

namespace holdfast::redis {

Command<Done> discard();
// The answers in order; each may be an error of its own. Null: a watched key had changed, nothing
// was done. EXECABORT (effect none): a command was refused while it was queued.
Command<std::optional<OwnedReply>> exec();
Command<Done> multi();
Command<Done> unwatch();
Command<Done> watch(Words keys);

}  // namespace holdfast::redis
