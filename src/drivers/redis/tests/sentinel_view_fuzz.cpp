// Whatever sentinels say, a refused answer changes nothing, what is published is whole, and the
// number of sentinels is bounded.
//
// Input: commands of one byte. 'S': the size of a payload of +switch-master (1 byte) and the
// payload; 'T': seconds pass (1 byte). Anything else: who answers (1 byte) and three replies.

#include "sentinel_view.h"

#include <holdfast/redis/client_limits.h>
#include <holdfast/resp/parser.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace holdfast;
using namespace holdfast::redis;

void require(bool holds) {
    if (!holds) {
        std::abort();
    }
}

std::uint8_t take_byte(std::string_view& left) {
    const std::uint8_t first = left.empty() ? 0 : static_cast<std::uint8_t>(left.front());
    left.remove_prefix(left.empty() ? 0 : 1);
    return first;
}

Endpoint sentinel(std::uint8_t number) {
    Endpoint endpoint;
    endpoint.host = "s" + std::to_string(number % 32);
    endpoint.port = sentinel_port_default;
    return endpoint;
}

bool learn(SentinelView& view, std::string_view& left, SteadyTime now) {
    const Endpoint by = sentinel(take_byte(left));
    std::array<RespParser, 3> parsers;
    for (RespParser& parser : parsers) {
        if (parser.parse(left) != RespStatus::complete) {
            return false;
        }
        left.remove_prefix(parser.consumed());
    }
    const auto before = view.topology();
    RespParser id;  // half of them by two names
    const std::string named = "$1\r\n" + std::string(1, by.host.back()) + "\r\n";
    require(id.parse(named) == RespStatus::complete);
    auto result =
        view.learn(by, id.reply(), parsers[0].reply(), parsers[1].reply(), parsers[2].reply(), now);
    require(result.ok() || view.topology() == before);
    require(
        !result.ok() || (result.value() ? view.topology() != before : view.topology() == before)
    );
    return true;
}

void check_whole(const SentinelView& view) {
    require(view.sentinels().size() <= sentinels_max);
    if (view.topology() == nullptr) {
        return;
    }
    require(view.topology()->shape() == Shape::sentinel && view.topology()->shards().size() == 1);
    const ShardNodes& nodes = view.topology()->shards().front();
    require(!nodes.primary.host.empty() && nodes.primary.port != 0);
    require(nodes.replicas.size() <= sentinel_replicas_max);
    require(nodes.replicas_known >= nodes.replicas.size());
    for (const Endpoint& replica : nodes.replicas) {
        require(replica != nodes.primary && !replica.host.empty() && replica.port != 0);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view left(reinterpret_cast<const char*>(data), size);
    SentinelView view("shop", {sentinel(0)});
    SteadyTime now(Duration(1'000'000));
    for (int steps = 0; !left.empty() && steps < 64; ++steps) {
        const std::uint8_t command = take_byte(left);
        if (command == 'S') {
            const std::size_t length = take_byte(left);
            const std::string_view payload = left.substr(0, length);
            left.remove_prefix(payload.size());
            const auto before = view.topology();
            auto result = view.switched(payload);
            require((result.ok() && result.value()) == (view.topology() != before));
        } else if (command == 'T') {
            now += Duration(1'000) * take_byte(left);
        } else if (!learn(view, left, now)) {
            break;
        }
        check_whole(view);
    }
    return 0;
}
