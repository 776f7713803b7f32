#pragma once
// What is asked of each node of a cluster, or of what sentinels watch.

#include "redis_target.h"

#include <holdfast/codec/json_writer.h>
#include <holdfast/redis/durability.h>

#include <vector>

namespace holdfast::app {

// The exit code: `unreachable` if one of them does not answer.
int ping_nodes(RedisTarget& target, const RedisArguments& arguments);
int info_of_nodes(RedisTarget& target, const RedisArguments& arguments);

// Of one server, for people and as members of an object.
void print_facts(
    const redis::DurabilityFacts& facts, const std::vector<redis::DurabilityFinding>& findings
);
void add_facts(
    JsonWriter& writer,
    const redis::DurabilityFacts& facts,
    const std::vector<redis::DurabilityFinding>& findings
);

}  // namespace holdfast::app
