#pragma once

#include "tests/commands_catalogue.h"

#include <holdfast/redis/commands/cluster.h>

namespace holdfast::redis::testing {

inline constexpr std::string_view all_slots = "CLUSTER ADDSLOTSRANGE 0 16383";
inline constexpr std::string_view nobody = "0123456789012345678901234567890123456789";

inline void add_cluster_samples(Samples& samples) {
    const std::vector<std::uint16_t> slots{7, 9};
    const std::vector<SlotRange> ranges{{0, 100}, {102, 16383}};
    SAMPLE(cluster_addslots(slots)).in_cluster();
    SAMPLE(cluster_addslotsrange(ranges)).in_cluster();
    SAMPLE(cluster_bumpepoch()).in_cluster().varying();
    SAMPLE(cluster_count_failure_reports(nobody)).in_cluster().refused("ERR Unknown node");
    SAMPLE(cluster_countkeysinslot(7)).in_cluster();
    SAMPLE(cluster_delslots(slots)).in_cluster().given({all_slots});
    SAMPLE(cluster_delslotsrange(ranges)).in_cluster().given({all_slots});
    SAMPLE(cluster_failover()).in_cluster().refused("ERR You should send CLUSTER FAILOVER");
    SAMPLE(cluster_failover(FailoverMode::force)).in_cluster().refused("ERR You should send");
    SAMPLE(cluster_flushslots()).in_cluster().given({all_slots});
    SAMPLE(cluster_forget(nobody)).in_cluster().refused("ERR Unknown node");
    SAMPLE(cluster_getkeysinslot(7, 10)).in_cluster();
    SAMPLE(cluster_info()).in_cluster().given({all_slots}).varying();
    SAMPLE(cluster_info()).refused("ERR This instance has cluster support disabled");
    SAMPLE(cluster_keyslot("{user1000}.following")).in_cluster();
    SAMPLE(cluster_links()).in_cluster().given({"CLUSTER MEET 127.0.0.1 1"}).varying();
    SAMPLE(cluster_meet("127.0.0.1", 1)).in_cluster();
    SAMPLE(cluster_myid()).in_cluster().varying();
    SAMPLE(cluster_nodes()).in_cluster().varying();
    SAMPLE(cluster_replicas(nobody)).in_cluster().refused("ERR Unknown node");
    SAMPLE(cluster_replicate(nobody)).in_cluster().refused("ERR Unknown node");
    SAMPLE(cluster_reset()).in_cluster();
    SAMPLE(cluster_reset(true)).in_cluster();
    SAMPLE(cluster_saveconfig()).in_cluster();
    SAMPLE(cluster_set_config_epoch(7)).in_cluster().given({"CLUSTER RESET HARD"});
    SAMPLE(cluster_setslot(7, SlotState::migrating, nobody))
        .in_cluster()
        .given({all_slots})
        .refused("ERR I don't know about node");
    SAMPLE(cluster_setslot(7, SlotState::importing, nobody))
        .in_cluster()
        .refused("ERR I don't know about node");
    SAMPLE(cluster_setslot(7, SlotState::node, nobody)).in_cluster().refused("ERR Unknown node");
    SAMPLE(cluster_setslot_stable(7)).in_cluster();
    SAMPLE(cluster_shards())
        .in_cluster()
        .given({"CLUSTER ADDSLOTSRANGE 0 100 102 16383"})
        .varying();
    SAMPLE(cluster_slots()).in_cluster().given({"CLUSTER ADDSLOTSRANGE 0 100 102 16383"}).varying();
}

}  // namespace holdfast::redis::testing
