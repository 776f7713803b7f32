#include "build.h"
#include "cluster_read.h"

#include <holdfast/redis/commands/cluster.h>
#include <holdfast/redis/read.h>

namespace holdfast::redis {

namespace {

template <class... Each>
Command<Done> changing(std::string_view name, const Each&... each) {
    return {build(name, Repeat::once, each...), read_ok};
}

Command<Done> changing_slots(std::string_view name, std::span<const std::uint16_t> slots) {
    AnyCommand any(name);
    for (const std::uint16_t slot : slots) {
        any.add(slot);
    }
    return {std::move(any), read_ok};
}

Command<Done> changing_ranges(std::string_view name, std::span<const SlotRange> ranges) {
    AnyCommand any(name);
    for (const auto& [first, last] : ranges) {
        any.add(first).add(last);
    }
    return {std::move(any), read_ok};
}

std::string_view word_of(SlotState state) {
    switch (state) {
    case SlotState::importing:
        return "IMPORTING";
    case SlotState::migrating:
        return "MIGRATING";
    case SlotState::node:
        break;
    }
    return "NODE";
}

}  // namespace

Command<Done> cluster_addslots(std::span<const std::uint16_t> slots) {
    return changing_slots("CLUSTER|ADDSLOTS", slots);
}

Command<Done> cluster_addslotsrange(std::span<const SlotRange> ranges) {
    return changing_ranges("CLUSTER|ADDSLOTSRANGE", ranges);
}

Command<std::string> cluster_bumpepoch() {
    return {build("CLUSTER|BUMPEPOCH", Repeat::once), read_text};
}

Command<std::int64_t> cluster_count_failure_reports(std::string_view node) {
    return {build("CLUSTER|COUNT-FAILURE-REPORTS", Repeat::read, node), read_integer};
}

Command<std::int64_t> cluster_countkeysinslot(std::uint16_t slot) {
    return {build("CLUSTER|COUNTKEYSINSLOT", Repeat::read, slot), read_integer};
}

Command<Done> cluster_delslots(std::span<const std::uint16_t> slots) {
    return changing_slots("CLUSTER|DELSLOTS", slots);
}

Command<Done> cluster_delslotsrange(std::span<const SlotRange> ranges) {
    return changing_ranges("CLUSTER|DELSLOTSRANGE", ranges);
}

Command<Done> cluster_failover(FailoverMode mode) {
    AnyCommand any("CLUSTER|FAILOVER");
    if (mode != FailoverMode::agreed) {
        any.add(mode == FailoverMode::force ? "FORCE" : "TAKEOVER");
    }
    return {std::move(any), read_ok};
}

Command<Done> cluster_flushslots() {
    return changing("CLUSTER|FLUSHSLOTS");
}

Command<Done> cluster_forget(std::string_view node) {
    return changing("CLUSTER|FORGET", node);
}

Command<std::vector<std::string>> cluster_getkeysinslot(std::uint16_t slot, std::uint64_t count) {
    return {build("CLUSTER|GETKEYSINSLOT", Repeat::read, slot, count), read_texts};
}

Command<NamedValues> cluster_info() {
    return {build("CLUSTER|INFO", Repeat::read), read_info};
}

Command<std::int64_t> cluster_keyslot(std::string_view key) {
    return {build("CLUSTER|KEYSLOT", Repeat::read, key), read_integer};
}

Command<std::vector<ClusterLink>> cluster_links() {
    return {build("CLUSTER|LINKS", Repeat::read), read_list<read_cluster_link>};
}

Command<Done> cluster_meet(std::string_view ip, std::uint16_t port) {
    return changing("CLUSTER|MEET", ip, port);
}

Command<std::string> cluster_myid() {
    return {build("CLUSTER|MYID", Repeat::read), read_text};
}

Command<std::string> cluster_nodes() {
    return {build("CLUSTER|NODES", Repeat::read), read_text};
}

Command<std::vector<std::string>> cluster_replicas(std::string_view node) {
    return {build("CLUSTER|REPLICAS", Repeat::read, node), read_texts};
}

Command<Done> cluster_replicate(std::string_view node) {
    return changing("CLUSTER|REPLICATE", node);
}

Command<Done> cluster_reset(bool hard) {
    return changing("CLUSTER|RESET", std::string_view(hard ? "HARD" : "SOFT"));
}

Command<Done> cluster_saveconfig() {
    return changing("CLUSTER|SAVECONFIG");
}

Command<Done> cluster_set_config_epoch(std::uint64_t epoch) {
    return changing("CLUSTER|SET-CONFIG-EPOCH", epoch);
}

Command<Done> cluster_setslot(std::uint16_t slot, SlotState state, std::string_view node) {
    return changing("CLUSTER|SETSLOT", slot, word_of(state), node);
}

Command<Done> cluster_setslot_stable(std::uint16_t slot) {
    return changing("CLUSTER|SETSLOT", slot, std::string_view("STABLE"));
}

Command<std::vector<Shard>> cluster_shards() {
    return {build("CLUSTER|SHARDS", Repeat::read), read_list<read_shard>};
}

Command<std::vector<SlotOwners>> cluster_slots() {
    return {build("CLUSTER|SLOTS", Repeat::read), read_list<read_slot_owners>};
}

}  // namespace holdfast::redis
