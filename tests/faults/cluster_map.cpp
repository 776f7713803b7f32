#include "node_script.h"

#include <faults/cluster_map.h>

#include <algorithm>

namespace holdfast::testing {
namespace {

constexpr unsigned bus_above = 10'000;

std::string host_of(const ClusterMember& member, bool third) {
    return member.host.has_value() ? bulk(*member.host) : third ? "_\r\n" : "$-1\r\n";
}

}  // namespace

void ClusterMap::drop(std::uint16_t first, std::uint16_t last) {
    std::vector<Range> left;
    for (const Range& range : ranges) {
        if (range.last < first || range.first > last) {
            left.push_back(range);
            continue;
        }
        if (range.first < first) {
            left.push_back({range.first, static_cast<std::uint16_t>(first - 1), range.member});
        }
        if (range.last > last) {
            left.push_back({static_cast<std::uint16_t>(last + 1), range.last, range.member});
        }
    }
    ranges = std::move(left);
}

void ClusterMap::move(std::uint16_t first, std::uint16_t last, std::size_t to) {
    drop(first, last);
    ranges.push_back({first, last, to});
    std::ranges::sort(ranges, {}, &Range::first);
}

void ClusterMap::promote(std::size_t replica) {
    const std::size_t old = member(replica).primary.value();
    for (ClusterMember& one : members) {
        if (one.primary == old) {
            one.primary = replica;
        }
    }
    member(old).primary = replica;
    member(replica).primary.reset();
    const auto highest = std::ranges::max_element(members, {}, &ClusterMember::epoch);
    member(replica).epoch = highest->epoch + 1;
    for (Range& range : ranges) {
        if (range.member == old) {
            range.member = replica;
        }
    }
}

std::optional<std::size_t> ClusterMap::owner(std::uint16_t slot) const {
    for (const Range& range : ranges) {
        if (range.first <= slot && slot <= range.last) {
            return range.member;
        }
    }
    return std::nullopt;
}

// A host that is not known is "?" there.
std::string ClusterMap::address(std::size_t number) const {
    const ClusterMember& member = members.at(number);
    return member.host.value_or("?") + ":" + std::to_string(member.port);
}

std::string ClusterMap::cluster_slots(bool third) const {
    std::vector<std::string> out;
    const auto node = [&](const ClusterMember& one) {
        return array({host_of(one, third), integer(one.port), bulk(one.id), pairs({}, third)});
    };
    for (const Range& range : ranges) {
        std::vector<std::string> entry{
            integer(range.first), integer(range.last), node(members.at(range.member))
        };
        for (const ClusterMember& one : members) {
            if (one.primary == range.member && one.health != "fail") {
                entry.push_back(node(one));
            }
        }
        out.push_back(array(entry));
    }
    return array(out);
}

std::string ClusterMap::cluster_nodes(std::size_t own) const {
    std::string out;
    for (std::size_t i = 0; i < members.size(); ++i) {
        const ClusterMember& one = members[i];
        const std::string primary = one.primary.has_value() ? members.at(*one.primary).id : "-";
        // A replica has the epoch of its primary.
        const std::uint64_t epoch =
            one.primary.has_value() ? members.at(*one.primary).epoch : one.epoch;
        out += one.id + " " + one.host.value_or("") + ":" + std::to_string(one.port) + "@" +
               std::to_string(one.port + bus_above) + " " + (i == own ? "myself," : "") +
               (one.primary.has_value() ? "slave" : "master") +
               (one.health == "fail" ? ",fail" : "") + " " + primary + " 0 0 " +
               std::to_string(epoch) + " " + (one.health == "fail" ? "disconnected" : "connected");
        for (const Range& range : ranges) {
            if (range.member == i) {
                out += " " + std::to_string(range.first);
                out += range.last == range.first ? "" : "-" + std::to_string(range.last);
            }
        }
        out += "\n";
    }
    return bulk(out);
}

std::string ClusterMap::cluster_shards(bool third) const {
    std::vector<std::string> shards;
    const auto node = [&](const ClusterMember& one) {
        const std::string host = one.host.value_or("");
        return pairs(
            {bulk("id"),
             bulk(one.id),
             bulk("port"),
             integer(one.port),
             bulk("ip"),
             bulk(host),
             bulk("endpoint"),
             host_of(one, third),
             bulk("role"),
             bulk(one.primary.has_value() ? "replica" : "master"),
             bulk("replication-offset"),
             integer(0),
             bulk("health"),
             bulk(one.health)},
            third
        );
    };
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (members[i].primary.has_value()) {
            continue;
        }
        std::vector<std::string> slots;
        for (const Range& range : ranges) {
            if (range.member == i) {
                slots.push_back(integer(range.first));
                slots.push_back(integer(range.last));
            }
        }
        std::vector<std::string> nodes{node(members[i])};
        for (const ClusterMember& one : members) {
            if (one.primary == i) {
                nodes.push_back(node(one));
            }
        }
        shards.push_back(pairs({bulk("slots"), array(slots), bulk("nodes"), array(nodes)}, third));
    }
    return array(shards);
}

}  // namespace holdfast::testing
