#pragma once

#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/scripts.h>

namespace holdfast::redis {

inline AnyCommand flushing(std::string_view name, FlushMode mode) {
    AnyCommand any(name);
    if (mode != FlushMode::server_default) {
        any.add(mode == FlushMode::sync ? "SYNC" : "ASYNC");
    }
    return any;
}

}  // namespace holdfast::redis
