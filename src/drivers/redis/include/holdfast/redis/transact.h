#pragma once
// A transaction that depends on what it reads: watched, tried, and tried again while others are
// faster.

#include <holdfast/redis/client.h>

#include <utility>

namespace holdfast::redis {

// `attempt` gets a Lease& and returns a Task<TransactionEnd>: it watches, reads, and runs a
// Transaction on the lease; also one that decides to do nothing may say `committed`. `aborted`
// makes it be called again, with another lease, at most `attempts_max` times in all and not after
// the deadline: then `aborted` is the answer. Any error ends it.
template <class Attempt>
Task<TransactionEnd>
transact(Client* client, int attempts_max, Deadline deadline, Attempt attempt) {
    const Scope& scope = co_await this_scope();
    Loop& loop = scope.loop();
    for (int i = 0; i < attempts_max && !deadline.passed(loop.now()); ++i) {
        auto lease = client->lease(loop);
        if (!lease.ok()) {
            co_return std::move(lease).error();
        }
        auto end = co_await attempt(lease.value());
        if (!end.ok() || end.value() == TransactionEnd::committed) {
            co_return std::move(end);
        }
    }
    co_return TransactionEnd::aborted;
}

}  // namespace holdfast::redis
