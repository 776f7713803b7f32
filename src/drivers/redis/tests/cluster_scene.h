#pragma once
// Clusters as their nodes tell them, right and wrong.

#include "cluster_map.h"
#include "reply_of.h"

#include <string>
#include <vector>

namespace holdfast::redis {

inline Endpoint at(std::string_view host, std::uint16_t port) {
    Endpoint node;
    node.host = host;
    node.port = port;
    return node;
}

inline SteadyTime after(std::int64_t ms) {
    return SteadyTime(Duration(1'000'000 + ms));
}

// A node in an answer to CLUSTER SLOTS; ids have 40 characters.
inline std::string id_of(char letter) {
    return std::string(40, letter);
}
inline std::string node_said(std::string_view host, std::int64_t port, char id) {
    return list({bulk(host), number(port), bulk(id_of(id)), list({})});
}

// One node's view, made row by row.
class Told {
public:
    // Nodes: the primary first.
    Told& slots(std::int64_t first, std::int64_t last, std::vector<std::string> nodes) {
        std::vector<std::string> row{number(first), number(last)};
        row.insert(row.end(), nodes.begin(), nodes.end());
        rows_.push_back(list(row));
        return *this;
    }
    Told& primary(char id, std::uint64_t epoch, std::string_view slots = "0") {
        return line(id, "master", "-", epoch, slots);
    }
    Told& replica(char id, char of, std::uint64_t epoch, const std::string& flags = "slave") {
        return line(id, flags, id_of(of), epoch, "");
    }
    Told& line(
        char id,
        const std::string& flags,
        const std::string& of,
        std::uint64_t epoch,
        std::string_view slots
    ) {
        text_ += id_of(id) + " 10.0.0.1:7000@17000 " + flags + " " + of + " 0 1 " +
                 std::to_string(epoch) + " connected";
        if (!slots.empty()) {
            text_ += " ";
            text_ += slots;
        }
        text_ += "\n";
        return *this;
    }

    std::string bytes() const { return list(rows_); }
    const std::string& text() const { return text_; }
    Result<bool> to(ClusterMap& map, const Endpoint& asked, SteadyTime now) const {
        const ReplyOf reply(bytes());
        return map.learn(reply.view(), text_, asked, now);
    }

private:
    std::vector<std::string> rows_;
    std::string text_;
};

// Owner of a slot as host:port; empty: nobody.
inline std::string owner(const ClusterMap& map, std::int32_t slot) {
    const auto topology = map.topology();
    if (topology == nullptr || topology->shard_of(slot) == Topology::no_shard) {
        return {};
    }
    return topology->shards()[topology->shard_of(slot)].primary.text();
}

}  // namespace holdfast::redis
