#pragma once
// What EVAL, FCALL and their kin have in common.

#include "build.h"

#include <holdfast/redis/owned_reply.h>

namespace holdfast::redis {

inline Command<OwnedReply>
script_call(std::string_view name, std::string_view what, Words keys, Words arguments) {
    AnyCommand any = build(name, Repeat::once, what);
    put_counted_keys(any, keys);
    any.add_words(arguments).set_on_error(OnError::maybe_done);
    return {std::move(any), read_reply};
}

inline Command<OwnedReply>
read_only_call(std::string_view name, std::string_view what, Words keys, Words arguments) {
    AnyCommand any = build(name, Repeat::read, what);
    put_counted_keys(any, keys);
    any.add_words(arguments);
    return {std::move(any), read_reply};
}

}  // namespace holdfast::redis
