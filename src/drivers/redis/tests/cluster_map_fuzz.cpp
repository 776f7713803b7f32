// Whatever nodes say, the map stays whole and bounded: every slot is a known shard's or nobody's, a
// refused answer changes nothing, and the same answer twice changes nothing the second time.
//
// Input: commands of one byte. 'M': a slot (2 bytes) and a node (1 byte) as MOVED says them; 'T':
// seconds pass (1 byte). Anything else: who is asked (1 byte), the size of the nodes' text (2
// bytes), that text, and one reply to CLUSTER SLOTS.

#include "cluster_map.h"

#include <holdfast/redis/client_limits.h>
#include <holdfast/resp/parser.h>

#include <cstdint>
#include <cstdlib>

namespace {

using namespace holdfast;
using namespace holdfast::redis;

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

class Input {
public:
    explicit Input(std::string_view bytes) : left_(bytes) {}
    bool empty() const { return left_.empty(); }
    std::uint8_t byte() {
        const std::uint8_t first = left_.empty() ? 0 : static_cast<std::uint8_t>(left_.front());
        drop(1);
        return first;
    }
    std::uint16_t number() {
        const int high = byte();
        return static_cast<std::uint16_t>(high * 256 + byte());
    }
    std::string_view text(std::size_t size) {
        const std::string_view taken = left_.substr(0, size);
        drop(size);
        return taken;
    }
    std::string_view left() const { return left_; }
    void drop(std::size_t size) { left_.remove_prefix(std::min(size, left_.size())); }

private:
    std::string_view left_;
};

Endpoint node(std::uint8_t number) {
    Endpoint endpoint;
    endpoint.host = "h" + std::to_string(number % 8);
    endpoint.port = 7000;
    return endpoint;
}

void check_whole(const ClusterMap& map) {
    const auto topology = map.topology();
    if (topology == nullptr) {
        return;
    }
    std::vector<std::size_t> slots(topology->shards().size());
    for (std::int32_t slot = 0; slot < static_cast<std::int32_t>(cluster_slots_count); ++slot) {
        const std::uint16_t shard = topology->shard_of(slot);
        require(shard == Topology::no_shard || shard < slots.size());
        if (shard != Topology::no_shard) {
            ++slots[shard];
        }
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const ShardNodes& shard = topology->shards()[i];
        require(slots[i] != 0 && !shard.primary.host.empty() && shard.primary.port != 0);
        require(shard.primary.host.size() <= node_host_bytes_max);
        require(shard.replicas.size() <= cluster_nodes_max && map.knows(shard.primary));
        require(shard.replicas_known >= shard.replicas.size());
        for (std::size_t k = 0; k < i; ++k) {
            require(topology->shards()[k].primary != shard.primary);
        }
    }
}

bool learn(ClusterMap& map, Input& input, SteadyTime now) {
    const Endpoint asked = node(input.byte());
    const std::string_view text = input.text(input.number());
    RespParser parser;
    if (parser.parse(input.left()) != RespStatus::complete) {
        return false;
    }
    const auto before = map.topology();
    auto first = map.learn(parser.reply(), text, asked, now);
    require(first.ok() ? first.value() != (before == map.topology()) : before == map.topology());
    if (first.ok()) {
        require(map.topology() != nullptr);
        auto second = map.learn(parser.reply(), text, asked, now);
        require(second.ok());
    }
    input.drop(parser.consumed());
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input({reinterpret_cast<const char*>(data), size});
    ClusterMap map({node(0)});
    SteadyTime now(Duration(1'000'000));
    for (int steps = 0; !input.empty() && steps < 16; ++steps) {
        const std::uint8_t command = input.byte();
        if (command == 'M') {
            const std::uint16_t slot = input.number();
            const auto before = map.topology();
            const bool changed = map.moved(slot, node(input.byte()), now);
            require(changed == (before != map.topology()));
        } else if (command == 'T') {
            now += Duration(1'000) * input.byte();
        } else if (!learn(map, input, now)) {
            break;
        }
    }
    check_whole(map);
    return 0;
}
