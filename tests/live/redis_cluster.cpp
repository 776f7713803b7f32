#include "await.h"

#include <live/redis_cluster.h>

#include <algorithm>
#include <charconv>
#include <sstream>

namespace holdfast::testing {
namespace {

void expect_ok(const RawReply& reply, const std::string& what) {
    if (reply.is_error()) {
        throw RawFailure(what + ": " + reply.text);
    }
}

// CRC16/XMODEM, bit by bit: a test's own, not the driver's table.
std::uint16_t crc16(std::string_view bytes) {
    unsigned crc = 0;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned>(static_cast<unsigned char>(byte)) << 8U;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ 0x1021U : crc << 1U;
        }
        crc &= 0xffffU;
    }
    return static_cast<std::uint16_t>(crc);
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += word + ",";
    }
    return out;
}

// One line of CLUSTER NODES.
struct Line {
    std::string id;
    std::string flags;
    std::string primary;
    std::vector<std::string> ranges;

    bool is(std::string_view flag) const { return flags.find(flag) != std::string::npos; }
};

std::vector<Line> lines_of(const std::string& nodes) {
    std::vector<Line> lines;
    std::istringstream in(nodes);
    std::string text;
    while (std::getline(in, text)) {
        std::istringstream words(text);
        Line line;
        std::string skipped;
        words >> line.id >> skipped >> line.flags >> line.primary >> skipped >> skipped >>
            skipped >> skipped;
        for (std::string range; words >> range;) {
            if (!range.starts_with('[')) {  // one that migrates
                line.ranges.push_back(range);
            }
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

Line own_line(RawRedis redis) {
    for (const Line& line : lines_of(redis.call({"CLUSTER", "NODES"}).text)) {
        if (line.is("myself")) {
            return line;
        }
    }
    throw RawFailure("CLUSTER NODES without its own node");
}

std::pair<unsigned, unsigned> bounds(const std::string& range) {
    unsigned first = 0;
    const auto [end, problem] = std::from_chars(range.data(), range.data() + range.size(), first);
    unsigned last = first;
    if (end != range.data() + range.size()) {
        std::from_chars(end + 1, range.data() + range.size(), last);
    }
    return {first, last};
}

std::vector<std::uint16_t> slots_in(const Line& line) {
    std::vector<std::uint16_t> slots;
    for (const std::string& range : line.ranges) {
        const auto [first, last] = bounds(range);
        for (unsigned slot = first; slot <= last; ++slot) {
            slots.push_back(static_cast<std::uint16_t>(slot));
        }
    }
    return slots;
}

}  // namespace

std::uint16_t slot_of(std::string_view key) {
    const std::size_t open = key.find('{');
    if (open != std::string_view::npos) {
        const std::size_t close = key.find('}', open + 1);
        if (close != std::string_view::npos && close > open + 1) {
            key = key.substr(open + 1, close - open - 1);
        }
    }
    return crc16(key) % cluster_slots;
}

RedisClusterOptions& RedisClusterOptions::primaries(std::size_t count) {
    primaries_ = count;
    return *this;
}
RedisClusterOptions& RedisClusterOptions::replicas(std::size_t of_each) {
    replicas_ = of_each;
    return *this;
}
RedisClusterOptions& RedisClusterOptions::servers(RedisServerOptions each) {
    each_ = std::move(each);
    return *this;
}
RedisClusterOptions& RedisClusterOptions::node_timeout(Duration time) {
    node_timeout_ = time;
    return *this;
}
RedisClusterOptions& RedisClusterOptions::client_host(std::string name) {
    each_.option("cluster-announce-hostname", std::move(name));
    each_.option("cluster-preferred-endpoint-type", "hostname");
    return *this;
}

RedisCluster::RedisCluster(const RedisClusterOptions& options) {
    RedisServerOptions each = options.each_;
    each.cluster().option("cluster-node-timeout", std::to_string(options.node_timeout_.count()));
    for (std::size_t i = 0; i < options.primaries_ * (1 + options.replicas_); ++i) {
        auto server = std::make_unique<RedisServer>(each);
        std::string id = server->raw().call({"CLUSTER", "MYID"}).text;
        nodes_.push_back({std::move(server), std::move(id)});
        if (each.has_tls()) {
            each.tls_as(node(0));
        }
    }
    form(options);
}

RedisCluster::~RedisCluster() = default;

void RedisCluster::form(const RedisClusterOptions& options) {
    const std::size_t primaries = options.primaries_;
    for (std::size_t i = 0; i < size(); ++i) {  // before any of them is met
        const std::string epoch = std::to_string(i + 1);
        expect_ok(node(i).raw().call({"CLUSTER", "SET-CONFIG-EPOCH", epoch}), "SET-CONFIG-EPOCH");
    }
    for (std::size_t i = 0; i < size(); ++i) {
        RawRedis redis = node(i).raw();
        if (i < primaries) {
            const std::string first = std::to_string(cluster_slots * i / primaries);
            const std::string last = std::to_string((cluster_slots * (i + 1) / primaries) - 1);
            expect_ok(redis.call({"CLUSTER", "ADDSLOTSRANGE", first, last}), "ADDSLOTSRANGE");
        }
        for (std::size_t other = i + 1; other < size(); ++other) {
            const std::string port = std::to_string(node(other).peer_port());
            const std::string bus = std::to_string(node(other).bus_port());
            expect_ok(redis.call({"CLUSTER", "MEET", "127.0.0.1", port, bus}), "MEET");
        }
    }
    for (std::size_t i = primaries; i < size(); ++i) {
        RawRedis redis = node(i).raw();
        const std::string& primary = id_of((i - primaries) / options.replicas_);
        const auto took = [&] {
            return !redis.call({"CLUSTER", "REPLICATE", primary}).is_error();
        };
        await(took, "a replica does not meet its primary");
    }
    const auto met = [&] {
        return std::ranges::all_of(nodes_, [](const Node& one) {
            const std::string known = one.server->raw().call({"CLUSTER", "NODES"}).text;
            return known.find("handshake") == std::string::npos;
        });
    };
    await(met, "nodes do not meet");
    wait_until_ok();
}

std::vector<std::uint16_t> RedisCluster::ports() const {
    std::vector<std::uint16_t> ports;
    for (const Node& one : nodes_) {
        ports.push_back(one.server->port());
    }
    return ports;
}

std::size_t RedisCluster::number_of(std::string_view id) const {
    const auto found = std::ranges::find(nodes_, id, &Node::id);
    if (found == nodes_.end()) {
        throw RawFailure("a node that is not of this test");
    }
    return static_cast<std::size_t>(found - nodes_.begin());
}

std::size_t RedisCluster::owner_of(std::string_view key) const {
    return owner_of_slot(slot_of(key));
}

std::size_t RedisCluster::owner_of_slot(std::uint16_t slot) const {
    std::size_t owner = size();
    const auto found = [&] {
        for (owner = 0; owner < size(); ++owner) {
            if (node(owner).answers() && is_primary(owner) &&
                std::ranges::count(slots_of(owner), slot) > 0) {
                return true;
            }
        }
        return false;
    };
    await(found, "nobody has the slot");
    return owner;
}

std::vector<std::uint16_t> RedisCluster::slots_of(std::size_t number) const {
    return slots_in(own_line(node(number).raw()));
}
bool RedisCluster::is_primary(std::size_t number) const {
    return own_line(node(number).raw()).is("master");
}
std::vector<std::size_t> RedisCluster::replicas_of(std::size_t primary) const {
    std::vector<std::size_t> replicas;
    for (std::size_t i = 0; i < size(); ++i) {
        if (node(i).answers() && own_line(node(i).raw()).primary == id_of(primary)) {
            replicas.push_back(i);
        }
    }
    return replicas;
}

void RedisCluster::promote(std::size_t replica) {
    const auto became = [&] {
        if (is_primary(replica)) {
            return true;
        }
        // Refused while its link is not up, or the last one is under way.
        node(replica).raw().call({"CLUSTER", "FAILOVER"});
        return false;
    };
    await(became, "a replica does not become a primary");
    wait_until_ok();
}

// Who has which slots, as this node sees it; empty while it is not well.
std::string RedisCluster::map_of(std::size_t number) const {
    RawRedis redis = node(number).raw();
    if (redis.call({"CLUSTER", "INFO"}).text.find("cluster_state:ok") == std::string::npos) {
        return "";
    }
    std::vector<std::string> lines;
    for (const Line& line : lines_of(redis.call({"CLUSTER", "NODES"}).text)) {
        const std::size_t other = number_of(line.id);
        if (line.is("myself,slave") && redis.info("master_link_status") != "up") {
            return "";
        }
        if (line.is("fail") || !node(other).answers()) {
            if (!line.ranges.empty()) {  // the cluster still waits for it
                return "";
            }
            continue;
        }
        lines.push_back(
            line.id + (line.is("slave") ? " of " + line.primary : " has") + " " +
            joined(line.ranges)
        );
    }
    std::ranges::sort(lines);
    return joined(lines);
}

bool RedisCluster::all_agree() const {
    std::string first;
    for (std::size_t i = 0; i < size(); ++i) {
        if (node(i).answers()) {
            const std::string own = map_of(i);
            if (own.empty() || (!first.empty() && own != first)) {
                return false;
            }
            first = own;
        }
    }
    return true;
}

void RedisCluster::wait_until_ok() const {
    await([&] { return all_agree(); }, "the cluster does not become whole");
}

SlotMigration RedisCluster::migration(std::size_t from, std::size_t to) const {
    std::vector<std::uint16_t> others;
    for (std::size_t i = 0; i < size(); ++i) {
        if (i != from && i != to) {
            others.push_back(node(i).port());
        }
    }
    return {
        {node(from).port(), node(from).peer_port(), id_of(from)},
        {node(to).port(), node(to).peer_port(), id_of(to)},
        std::move(others),
        node(from).login()
    };
}

}  // namespace holdfast::testing
