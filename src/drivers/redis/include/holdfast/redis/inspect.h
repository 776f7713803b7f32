#pragma once
// Asks a server for the settings that decide whether it keeps what it has acknowledged.

#include <holdfast/redis/client.h>
#include <holdfast/redis/durability.h>
#include <holdfast/redis/nodes.h>

namespace holdfast::redis {

// One write: INFO and the settings of durability_settings(). A server that does not tell its
// settings to this user (`denied`), or has no CONFIG (as managed ones), is judged as
// `cannot_verify`; one that does not answer INFO is an error. Effect none always: it only reads.
Task<DurabilityFacts>
ask_durability(Client& client, std::uint32_t replicas_waited_for, Deadline deadline);

// Of one node of a cluster, or what sentinels watch. In a cluster the Client's answers would be one
// node's.
Task<DurabilityFacts>
ask_durability(OneNode node, std::uint32_t replicas_waited_for, Deadline deadline);

// The same, judged. Empty: nothing that is known to lose an acknowledged write.
Task<std::vector<DurabilityFinding>>
inspect_durability(Client& client, std::uint32_t replicas_waited_for, Deadline deadline);

}  // namespace holdfast::redis
