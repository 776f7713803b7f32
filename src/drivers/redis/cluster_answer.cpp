#include "cluster_answer.h"

#include "cluster_nodes_text.h"
#include "node_address.h"
#include "topology.h"

#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/errors.h>
#include <holdfast/redis/read.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <set>

namespace holdfast::redis {
namespace {

constexpr std::size_t parts_max = 16;  // of one node: four today

// A node as CLUSTER SLOTS shows it: host, port, id, names of the node.
struct SlotsNode {
    std::string_view id;
    Endpoint endpoint;
};

class Reading {
public:
    Reading(std::string_view nodes_text, const Endpoint& asked)
        : asked_(&asked), text_(nodes_text) {}

    bool read(RespView slots) {
        auto lines = read_cluster_nodes(text_);
        if (!lines.has_value() || !is_list(slots) || slots.size() > cluster_slots_count) {
            return false;
        }
        lines_ = std::move(*lines);
        out_.has_nodes = !lines_.empty();
        for (const RespView row : slots) {
            if (!read_row(row)) {
                return false;
            }
        }
        collect_lines();
        return true;
    }
    ClusterAnswer take() { return std::move(out_); }

private:
    bool read_row(RespView row) {
        if (!is_list(row) || row.size() < 3 || row.size() > cluster_nodes_max) {
            return false;
        }
        auto at = row.begin();
        const auto first = slot(*at);
        const auto last = slot(*++at);
        if (!first.has_value() || !last.has_value() || *first > *last ||
            !take_range(*first, *last)) {
            return false;
        }
        const auto primary = node(*++at);
        if (!primary.has_value()) {
            return false;
        }
        const auto shard = shard_of(*primary, row);
        if (!shard.has_value()) {
            return false;
        }
        out_.ranges.push_back(AnsweredRange{*first, *last, *shard});
        return true;
    }

    static std::optional<std::uint16_t> slot(RespView number) {
        const bool fits = number.type() == RespType::integer && number.number() >= 0 &&
                          number.number() < static_cast<std::int64_t>(cluster_slots_count);
        return fits ? std::optional(static_cast<std::uint16_t>(number.number())) : std::nullopt;
    }

    bool take_range(std::size_t first, std::size_t last) {
        for (std::size_t i = first; i <= last; ++i) {
            if (taken_[i]) {
                return false;
            }
            taken_[i] = true;
        }
        return true;
    }

    std::optional<SlotsNode> node(RespView row) {
        if (!is_list(row) || row.size() < 2 || row.size() > parts_max) {
            return std::nullopt;
        }
        auto at = row.begin();
        const RespView host = *at;
        const RespView port = *++at;
        if (!(host.is_null() || is_text(host)) || port.type() != RespType::integer) {
            return std::nullopt;
        }
        SlotsNode node;
        if (++at != row.end()) {
            if (!is_text(*at) || (*at).text().size() > node_id_bytes_max) {
                return std::nullopt;
            }
            node.id = (*at).text();
        }
        auto endpoint = said_endpoint(
            host.is_null() ? std::string_view() : host.text(), port.number(), *asked_
        );
        if (!endpoint.has_value()) {
            return std::nullopt;
        }
        node.endpoint = std::move(*endpoint);
        return node;
    }

    static bool is_text(RespView reply) {
        return reply.type() == RespType::bulk || reply.type() == RespType::simple;
    }

    // The primary's shard; its replicas are read with its first range. Nothing: malformed.
    std::optional<std::uint16_t> shard_of(const SlotsNode& primary, RespView row) {
        std::string key = primary.id.empty() ? primary.endpoint.text() : std::string(primary.id);
        const auto [at, fresh] = shards_.try_emplace(std::move(key), out_.shards.size());
        if (!fresh) {
            const bool same = out_.shards[at->second].primary == primary.endpoint;
            return same ? std::optional(static_cast<std::uint16_t>(at->second)) : std::nullopt;
        }
        if (out_.shards.size() == cluster_shards_max) {
            return std::nullopt;
        }
        AnsweredShard shard;
        shard.id = primary.id;
        shard.primary = primary.endpoint;
        if (const ClusterLine* line = line_of(lines_, primary.id)) {
            shard.epoch = line->epoch;
        }
        auto child = row.begin();
        for (int skipped = 0; skipped < 3; ++skipped) {
            ++child;
        }
        for (; child != row.end(); ++child) {
            auto replica = node(*child);
            if (!replica.has_value() || !note(replica->id)) {
                return std::nullopt;
            }
            ++shard.replicas_listed;
            const ClusterLine* line = line_of(lines_, replica->id);
            if (line == nullptr || !line->down) {
                shard.replicas.push_back(std::move(replica->endpoint));
            }
        }
        put_in_order(shard.replicas);  // each node lists them as it met them
        if (!note(primary.id)) {
            return std::nullopt;
        }
        out_.shards.push_back(std::move(shard));
        return static_cast<std::uint16_t>(at->second);
    }

    bool note(std::string_view id) {
        nodes_seen_ += 1;
        if (!id.empty()) {
            ids_.insert(id);
        }
        return nodes_seen_ <= cluster_nodes_max;
    }

    // What CLUSTER NODES alone knows: replicas that are down, primaries without slots.
    void collect_lines() {
        std::map<std::string_view, std::size_t> replicas;
        for (const ClusterLine& line : lines_) {
            if (line.joining) {
                continue;
            }
            ids_.insert(line.id);
            if (!line.primary.empty()) {
                ++replicas[line.primary];
            } else if (!line.has_slots) {
                out_.idle.emplace_back(line.id);
            }
        }
        for (AnsweredShard& shard : out_.shards) {
            const auto at = replicas.find(shard.id);
            if (at != replicas.end()) {
                shard.replicas_listed = std::max(shard.replicas_listed, at->second);
            }
        }
        out_.ids.assign(ids_.begin(), ids_.end());
    }

    const Endpoint* asked_;
    std::string_view text_;
    std::vector<ClusterLine> lines_;
    std::bitset<cluster_slots_count> taken_;
    std::map<std::string, std::size_t> shards_;  // by id, or by address
    std::set<std::string_view> ids_;
    std::size_t nodes_seen_ = 0;
    ClusterAnswer out_;
};

}  // namespace

Result<ClusterAnswer>
read_cluster_answer(RespView slots_reply, std::string_view nodes_text, const Endpoint& asked) {
    ErrorContext context;
    context.node = asked.text();
    if (slots_reply.is_error()) {
        const Error refused = error_of(slots_reply, AnyCommand("CLUSTER|SLOTS", Repeat::read));
        context.server_text = refused.context()->server_text;
        return Error(refused.code(), Effect::none, refused.what()).with(std::move(context));
    }
    Reading reading(nodes_text, asked);
    if (!reading.read(slots_reply)) {
        return Error(Code::corrupt, Effect::none, "the node's answer is no map of a cluster")
            .with(std::move(context));
    }
    return reading.take();
}

}  // namespace holdfast::redis
