#pragma once
// What a node says when it is not the one, or cannot be now.

#include <holdfast/redis/uri.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace holdfast::redis {

// Who has a slot: for good (MOVED), or for this one call (ASK).
class Redirect {
public:
    Redirect(bool once, std::uint16_t slot_, Endpoint node_)
        : ask(once), slot(slot_), node(std::move(node_)) {}
    bool ask;
    std::uint16_t slot;
    Endpoint node;
};

// Of "MOVED 3999 127.0.0.1:6381" and "ASK ..". An IPv6 address stands bare or in brackets; what is
// behind the last colon is the port. `asked`: whose host is meant by an empty one and "?". Nothing:
// any other text.
std::optional<Redirect> parse_redirect(std::string_view text, const Endpoint& asked);

enum class NodeAnswer : std::uint8_t {
    none,  // of the call itself: it goes to the caller
    moved,
    ask,
    try_again,     // the keys of the call are on both sides of a migration
    cluster_down,  // the cluster, or the slot, is not served
    loading,       // it reads its data
    read_only,     // it is a replica
    master_down,   // a replica without its primary
};

// Of an error reply: its first word, at the cost of looking at its first letter for most.
NodeAnswer node_answer(RespView error);

}  // namespace holdfast::redis
