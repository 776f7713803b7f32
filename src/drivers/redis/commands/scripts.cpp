#include "build.h"
#include "flush_mode.h"
#include "script_call.h"

#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

Command<OwnedReply> eval(std::string_view script, Words keys, Words arguments) {
    return script_call("EVAL", script, keys, arguments);
}

Command<OwnedReply> eval_ro(std::string_view script, Words keys, Words arguments) {
    return read_only_call("EVAL_RO", script, keys, arguments);
}

Command<OwnedReply> evalsha(std::string_view sha1, Words keys, Words arguments) {
    return script_call("EVALSHA", sha1, keys, arguments);
}

Command<OwnedReply> evalsha_ro(std::string_view sha1, Words keys, Words arguments) {
    return read_only_call("EVALSHA_RO", sha1, keys, arguments);
}

Command<std::vector<bool>> script_exists(Words sha1s) {
    return {build("SCRIPT|EXISTS", Repeat::read, sha1s), read_list<read_boolean>};
}

Command<Done> script_flush(FlushMode mode) {
    return {flushing("SCRIPT|FLUSH", mode), read_ok};
}

Command<Done> script_kill() {
    return {build("SCRIPT|KILL", Repeat::once), read_ok};
}

Command<std::string> script_load(std::string_view script) {
    return {build("SCRIPT|LOAD", Repeat::idempotent, script), read_text};
}

}  // namespace holdfast::redis
