#pragma once
// Readers of what streams answer.

#include "fields.h"

#include <holdfast/redis/commands/stream_records.h>

namespace holdfast::redis {

Result<StreamId> read_stream_id(RespView reply);
Result<std::vector<StreamId>> read_stream_ids(RespView reply);
Result<StreamEntry> read_stream_entry(RespView reply);
Result<std::vector<StreamEntry>> read_stream_entries(RespView reply);
Result<std::vector<StreamEntries>> read_streams(RespView reply);
Result<Duration> read_duration_ms(RespView reply);
Result<WallTime> read_wall_time_ms(RespView reply);

// The part that XINFO STREAM and its FULL form share.
void take_stream_info(Fields& fields, StreamInfo& info);

}  // namespace holdfast::redis
