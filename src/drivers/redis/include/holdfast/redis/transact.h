#pragma once
// A transaction that depends on what it reads: watched, tried, and tried again while others are
// faster.

#include <holdfast/redis/client.h>

#include <string>
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

// The node is not the one any more, or is gone, and nothing was done on this lease.
bool may_transact_elsewhere(const Error& error, const Lease& lease);
// Before the next attempt elsewhere; longer each time.
Duration pause_before_transacting(int lost);

// The same on the node that has `key`, as the attempt's keys do: in a cluster, over sentinels, and
// on one server. A lease that was lost, or whose node has lost the key, before anything was done is
// no attempt: it is followed by one elsewhere, as long as the deadline allows. `unknown` is never
// tried again.
template <class Attempt>
Task<TransactionEnd>
transact(Client* client, std::string key, int attempts_max, Deadline deadline, Attempt attempt) {
    const Scope& scope = co_await this_scope();
    Loop& loop = scope.loop();
    int aborted = 0;
    int lost = 0;
    while (aborted < attempts_max && !deadline.passed(loop.now())) {
        auto lease = co_await client->lease_of(key, deadline);
        if (!lease.ok()) {
            co_return std::move(lease).error();
        }
        auto end = co_await attempt(lease.value());
        if (end.ok() && end.value() == TransactionEnd::committed) {
            co_return std::move(end);
        }
        if (end.ok()) {
            ++aborted;
            continue;
        }
        const SteadyTime next = loop.now() + pause_before_transacting(lost++);
        if (!may_transact_elsewhere(end.error(), lease.value()) || deadline.passed(next)) {
            co_return std::move(end);
        }
        auto slept = co_await sleep(next);
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
    }
    co_return TransactionEnd::aborted;
}

}  // namespace holdfast::redis
