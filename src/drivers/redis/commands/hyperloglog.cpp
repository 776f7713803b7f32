#include "build.h"

#include <holdfast/redis/commands/hyperloglog.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

Command<bool> pfadd(std::string_view key, Words elements) {
    return {build_on("PFADD", Repeat::once, key, elements), read_boolean};
}

Command<std::int64_t> pfcount(Words keys) {
    return {build_on_all("PFCOUNT", Repeat::read, keys), read_integer};
}

Command<Done> pfmerge(std::string_view to, Words from) {
    AnyCommand any = build_on("PFMERGE", Repeat::once, to);
    any.add_keys(from);
    return {std::move(any), read_ok};
}

}  // namespace holdfast::redis
