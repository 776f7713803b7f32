#include "cluster_read.h"

#include "fields.h"
#include "stream_read.h"

namespace holdfast::redis {

namespace {

constexpr std::int64_t slots = 16384;

template <std::int64_t End>
Result<std::uint16_t> read_below(RespView reply) {
    const Result<std::int64_t> number = read_integer(reply);
    if (!number.ok() || number.value() < 0 || number.value() >= End) {
        return wrong_shape();
    }
    return static_cast<std::uint16_t>(number.value());
}

constexpr auto read_port = read_below<65536>;
constexpr auto read_slot = read_below<slots>;

Result<SlotNode> read_slot_node(RespView reply) {
    SlotNode node;
    Places places(reply, 2);
    places.take(node.host, read_optional_text).take(node.port, read_port);
    if (places.more()) {
        places.take(node.id, read_text);
    }
    if (places.more()) {  // from 7.0
        places.take(node.metadata, read_pairs);
    }
    return places.give(node);
}

Result<ShardNode> read_shard_node(RespView reply) {
    ShardNode node;
    return Fields(reply)
        .take("id", node.id, read_text)
        .take_if_there("port", node.port, read_optional<read_port>)
        .take_if_there("tls-port", node.tls_port, read_optional<read_port>)
        .take("ip", node.ip, read_text)
        .take("endpoint", node.endpoint, read_optional_text)
        .take_if_there("hostname", node.hostname, read_optional_text)
        .take("role", node.role, read_text)
        .take("replication-offset", node.replication_offset, read_integer)
        .take("health", node.health, read_text)
        .give(node);
}

}  // namespace

Result<SlotOwners> read_slot_owners(RespView reply) {
    SlotOwners owners;
    Places places(reply, 3);
    places.take(owners.slots.first, read_slot).take(owners.slots.second, read_slot);
    while (places.more()) {
        SlotNode node;
        places.take(node, read_slot_node);
        owners.nodes.push_back(std::move(node));
    }
    return places.give(owners);
}

Result<Shard> read_shard(RespView reply) {
    Shard shard;
    return Fields(reply)
        .take("slots", shard.slots, read_pairs_of<read_slot, read_slot>)
        .take("nodes", shard.nodes, read_list<read_shard_node>)
        .give(shard);
}

Result<ClusterLink> read_cluster_link(RespView reply) {
    ClusterLink link;
    return Fields(reply)
        .take("direction", link.direction, read_text)
        .take("node", link.node, read_text)
        .take("create-time", link.created, read_wall_time_ms)
        .take("events", link.events, read_text)
        .take("send-buffer-allocated", link.send_buffer_allocated, read_unsigned)
        .take("send-buffer-used", link.send_buffer_used, read_unsigned)
        .give(link);
}

}  // namespace holdfast::redis
