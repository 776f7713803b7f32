#pragma once
// Members with scores, as commands and answers of sorted sets carry them.

#include "fields.h"

#include <holdfast/redis/commands/sorted_sets.h>

namespace holdfast::redis {

Result<std::vector<ScoredMember>> read_scored(RespView reply);
Result<Popped<ScoredMember>> read_popped_members(RespView reply);
Result<PoppedMember> read_popped_member(RespView reply);

}  // namespace holdfast::redis
