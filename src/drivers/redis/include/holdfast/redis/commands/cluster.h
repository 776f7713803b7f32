#pragma once
// CLUSTER: what one node of a cluster knows, and how a cluster is put together. unsupported: from a
// server that is in none.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/named_values.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

using SlotRange = std::pair<std::uint16_t, std::uint16_t>;  // both belong to it

struct SlotNode {
    // Null, empty or "?": the node does not know; the host that was asked is meant.
    std::optional<std::string> host;
    std::uint16_t port = 0;
    std::string id;
    std::vector<std::pair<std::string, std::string>> metadata;  // "hostname", "ip"

    friend bool operator==(const SlotNode&, const SlotNode&) = default;
};

struct SlotOwners {
    SlotRange slots;
    std::vector<SlotNode> nodes;  // the primary first

    friend bool operator==(const SlotOwners&, const SlotOwners&) = default;
};

struct ShardNode {
    std::string id;
    std::optional<std::uint16_t> port;
    std::optional<std::uint16_t> tls_port;
    std::string ip;
    std::optional<std::string> endpoint;  // as SlotNode::host
    std::optional<std::string> hostname;
    std::string role;
    std::int64_t replication_offset = 0;
    std::string health;  // online, failed, loading

    friend bool operator==(const ShardNode&, const ShardNode&) = default;
};

struct Shard {
    std::vector<SlotRange> slots;
    std::vector<ShardNode> nodes;

    friend bool operator==(const Shard&, const Shard&) = default;
};

struct ClusterLink {
    std::string direction;  // to, from
    std::string node;
    WallTime created{};
    std::string events;
    std::uint64_t send_buffer_allocated = 0;
    std::uint64_t send_buffer_used = 0;

    friend bool operator==(const ClusterLink&, const ClusterLink&) = default;
};

enum class SlotState : std::uint8_t { importing, migrating, node };
enum class FailoverMode : std::uint8_t { agreed, force, takeover };

Command<Done> cluster_addslots(std::span<const std::uint16_t> slots);
Command<Done> cluster_addslotsrange(std::span<const SlotRange> ranges);
Command<std::string> cluster_bumpepoch();
Command<std::int64_t> cluster_count_failure_reports(std::string_view node);
Command<std::int64_t> cluster_countkeysinslot(std::uint16_t slot);
Command<Done> cluster_delslots(std::span<const std::uint16_t> slots);
Command<Done> cluster_delslotsrange(std::span<const SlotRange> ranges);
Command<Done> cluster_failover(FailoverMode mode = FailoverMode::agreed);  // to a replica
Command<Done> cluster_flushslots();
Command<Done> cluster_forget(std::string_view node);
Command<std::vector<std::string>> cluster_getkeysinslot(std::uint16_t slot, std::uint64_t count);
Command<NamedValues> cluster_info();
Command<std::int64_t> cluster_keyslot(std::string_view key);
Command<std::vector<ClusterLink>> cluster_links();
Command<Done> cluster_meet(std::string_view ip, std::uint16_t port);
Command<std::string> cluster_myid();
Command<std::string> cluster_nodes();  // a line for each
Command<std::vector<std::string>> cluster_replicas(std::string_view node);
Command<Done> cluster_replicate(std::string_view node);
Command<Done> cluster_reset(bool hard = false);
Command<Done> cluster_saveconfig();
Command<Done> cluster_set_config_epoch(std::uint64_t epoch);
Command<Done> cluster_setslot(std::uint16_t slot, SlotState state, std::string_view node);
Command<Done> cluster_setslot_stable(std::uint16_t slot);
Command<std::vector<Shard>> cluster_shards();
Command<std::vector<SlotOwners>> cluster_slots();

}  // namespace holdfast::redis
