#pragma once
// Which commands answer by what stands under their one key, and by nothing else.

#include <holdfast/redis/command.h>

namespace holdfast::redis {

bool answers_by_its_key_alone(const AnyCommand& command);

}  // namespace holdfast::redis
