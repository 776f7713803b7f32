#pragma once

#include <holdfast/redis/commands/cluster.h>

namespace holdfast::redis {

Result<SlotOwners> read_slot_owners(RespView reply);
Result<Shard> read_shard(RespView reply);
Result<ClusterLink> read_cluster_link(RespView reply);

}  // namespace holdfast::redis
