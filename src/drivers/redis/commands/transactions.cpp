#include "build.h"

#include <holdfast/redis/commands/transactions.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

Command<Done> leased(AnyCommand any) {
    any.set_lane(Lane::lease);
    return {std::move(any), read_ok};
}

Result<std::optional<OwnedReply>> read_answers(RespView reply) {
    if (!reply.is_null() && reply.type() != RespType::array) {
        return wrong_shape();
    }
    return read_optional<read_reply>(reply);
}

}  // namespace

Command<Done> discard() {
    return leased(build("DISCARD", Repeat::once));
}

Command<std::optional<OwnedReply>> exec() {
    AnyCommand any("EXEC");
    any.set_lane(Lane::lease).set_on_error(OnError::maybe_done);
    return {std::move(any), read_answers};
}

Command<Done> multi() {
    return leased(build("MULTI", Repeat::once));
}

Command<Done> unwatch() {
    return leased(build("UNWATCH", Repeat::once));
}

Command<Done> watch(Words keys) {
    return leased(build_on_all("WATCH", Repeat::once, keys));
}

}  // namespace holdfast::redis
