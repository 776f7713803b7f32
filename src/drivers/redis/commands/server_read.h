#pragma once

#include <holdfast/redis/commands/server.h>

namespace holdfast::redis {

Result<ServerTime> read_time_in_seconds(RespView reply);
Result<ServerTime> read_time_in_two(RespView reply);  // seconds, and microseconds within one
Result<ServerRole> read_role(RespView reply);

}  // namespace holdfast::redis
