#pragma once
// How many different things there were, within about 0.8 %, in at most 12 KB.

#include <holdfast/redis/command.h>
#include <holdfast/redis/words.h>

#include <cstdint>
#include <string_view>

namespace holdfast::redis {

Command<bool> pfadd(std::string_view key, Words elements);  // whether the count changed
// Of all keys together. It may write a cached count; that changes nothing that is seen.
Command<std::int64_t> pfcount(Words keys);
Command<Done> pfmerge(std::string_view to, Words from);

}  // namespace holdfast::redis
