#include "cluster_nodes_text.h"

#include "uri_parts.h"

#include <holdfast/redis/client_limits.h>

#include <algorithm>
#include <charconv>

namespace holdfast::redis {
namespace {

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return number;
}

bool read_flags(std::string_view flags, ClusterLine& line) {
    bool replica = false;
    bool primary = false;
    while (!flags.empty()) {
        const std::string_view flag = cut(flags, ',');
        line.down = line.down || flag == "fail" || flag == "fail?" || flag == "noaddr";
        line.joining = line.joining || flag == "handshake";
        replica = replica || flag == "slave" || flag == "replica";
        primary = primary || flag == "master" || flag == "primary";
    }
    line.down = line.down || line.joining;
    return !(replica && primary);
}

std::optional<ClusterLine> read_line(std::string_view text) {
    ClusterLine line;
    line.id = cut(text, ' ');
    const std::string_view address = cut(text, ' ');
    const std::string_view flags = cut(text, ' ');
    line.primary = cut(text, ' ');
    cut(text, ' ');  // when it was pinged, and when it answered
    cut(text, ' ');
    const auto epoch = whole_number(cut(text, ' '));
    const std::string_view link = cut(text, ' ');
    if (line.primary == "-") {
        line.primary = {};
    }
    if (line.id.empty() || line.id.size() > node_id_bytes_max || address.empty() ||
        !read_flags(flags, line) || line.primary.size() > node_id_bytes_max || !epoch.has_value() ||
        link.empty()) {
        return std::nullopt;
    }
    line.epoch = *epoch;
    while (!text.empty()) {
        const std::string_view slots = cut(text, ' ');
        line.has_slots = line.has_slots || (!slots.empty() && !slots.starts_with('['));
    }
    return line;
}

}  // namespace

std::optional<std::vector<ClusterLine>> read_cluster_nodes(std::string_view text) {
    if (text.size() > cluster_nodes_text_max) {
        return std::nullopt;
    }
    std::vector<ClusterLine> lines;
    while (!text.empty()) {
        std::string_view row = cut(text, '\n');
        if (row.ends_with('\r')) {
            row.remove_suffix(1);
        }
        if (row.empty()) {
            continue;
        }
        const auto line = read_line(row);
        if (!line.has_value() || lines.size() == cluster_nodes_max) {
            return std::nullopt;
        }
        lines.push_back(*line);
    }
    std::ranges::sort(lines, {}, &ClusterLine::id);
    const auto twice = std::ranges::adjacent_find(lines, {}, &ClusterLine::id);
    return twice == lines.end() ? std::optional(std::move(lines)) : std::nullopt;
}

const ClusterLine* line_of(const std::vector<ClusterLine>& lines, std::string_view id) {
    const auto at = std::ranges::lower_bound(lines, id, {}, &ClusterLine::id);
    return at == lines.end() || at->id != id ? nullptr : &*at;
}

}  // namespace holdfast::redis
