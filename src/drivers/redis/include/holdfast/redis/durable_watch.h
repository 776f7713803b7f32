#pragma once
// Keeps what is known of a primary's replicas fresh, also while nothing is written: lost replicas
// are noticed before the next write, and recovery while writes are refused.

#include <holdfast/io/task.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/required_copies.h>

#include <cstdint>

namespace holdfast::redis {

class Client;

// Asks ROLE every role_poll_pause and tells `required`, until the scope is cancelled; then
// `cancelled`. `slot`: of a cluster's shard. A server that does not answer is asked again: what it
// said before goes out of date by itself. Client and `required` outlive it.
Task<> watch_copies(Client& client, RequiredCopies& required, std::int32_t slot = slot_of_no_key);

}  // namespace holdfast::redis
