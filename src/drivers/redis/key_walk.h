#pragma once
// A walk over the keys of several nodes. A slot is done when the node that serves it was walked
// from end to end and served it all the time; the walk is over when each slot was done by the node
// that serves it then. By what the nodes say of themselves: nobody knows sooner.

#include "topology.h"

#include <holdfast/redis/nodes.h>
#include <holdfast/redis/scan.h>

#include <bitset>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::redis {

// A walk over keys has no key of its own.
Command<ScanPage<std::string>>
page_of_keys(std::string_view key, std::uint64_t cursor, const ScanOptions& options);

class KeyWalk {
public:
    static bool over_nodes(const Client& client, const Scan<std::string>& scan);
    static Task<std::vector<std::string>>
    next(Client* client, Scan<std::string>* scan, Deadline deadline);

private:
    // What a node says of itself.
    class Self {
    public:
        Self() {}          // NOLINT(modernize-use-equals-default): no aggregate
        std::string name;  // its address, and the process that it is
        std::bitset<cluster_slots_count> slots;
    };
    static Task<Self> ask(OneNode node, bool cluster, Deadline deadline);
    static Task<std::vector<Self>>
    ask_all(std::vector<OneNode> nodes, bool cluster, Deadline deadline);
    static Task<> look(KeyWalk* walk, Client* client, Deadline deadline);
    // False: there is nothing left to walk.
    static Task<bool> find_next(KeyWalk* walk, Client* client, Deadline deadline);

    // Of each slot who was walked for it; 0: nobody.
    std::uint32_t number_of(const std::string& name);
    std::vector<std::uint32_t> done_by_ = std::vector<std::uint32_t>(cluster_slots_count);
    std::vector<std::string> names_;

    std::vector<OneNode> due_;
    std::optional<OneNode> node_;  // that is walked
    Self begun_;                   // what it was when that began
};

}  // namespace holdfast::redis
