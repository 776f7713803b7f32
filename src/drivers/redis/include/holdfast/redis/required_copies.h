#pragma once
// How many replicas must have a write before it counts as kept: of one primary and whoever may be
// promoted in its place. A count that follows the connected replicas downwards loses acknowledged
// writes: a replica drops out, writes are acknowledged without it, the primary dies, and that
// replica is promoted.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>

namespace holdfast::redis {

// What a setting says: auto | off | n.
class WaitRule {
public:
    static WaitRule automatic() { return WaitRule(true, 0); }
    static WaitRule off() { return WaitRule(false, 0); }
    static WaitRule at_least(std::int64_t replicas) { return WaitRule(true, replicas); }
    // `invalid_argument`, none: another word, or more than wait_replicas_max.
    static Result<WaitRule> parse(std::string_view text);

    bool waits() const { return waits_; }
    std::int64_t least() const { return least_; }

private:
    WaitRule(bool waits, std::int64_t least) : waits_(waits), least_(least) {}
    bool waits_;
    std::int64_t least_;
};

// What an answer to ROLE says here.
class ReplicasSeen {
public:
    ReplicasSeen(bool is_primary, std::int64_t replicas)
        : primary(is_primary), connected(replicas) {}
    bool primary;
    // Those that may be promoted: with a port (redis-cli --replica has none), also while they load
    // and have acknowledged nothing. Of a primary.
    std::int64_t connected;
};
Result<ReplicasSeen> read_replicas_seen(RespView role);  // `corrupt`, unknown: no answer to ROLE

enum class CopiesVerdict : std::uint8_t {
    kept,         // every replica that may be promoted has the write
    too_few,      // not every one confirmed it in time: the outcome is unknown
    grown,        // there are more than were waited for: WAIT again, on the same connection
    not_primary,  // the connection leads to a replica by now: the outcome is unknown
};

enum class Alone : std::uint8_t {
    may_stand,   // a primary without replicas is as the operator wants it
    must_flush,  // of a cluster: only where each write is flushed before its answer
};

// Of one shard, for all loops of a process, as long as the process runs: a restart forgets what was
// only seen, so a configured number, Sentinel or a cluster is the safe way. Any thread.
//
// required = max(configured, highest number ever connected, number that Sentinel or CLUSTER SHARDS
// knows, also of those marked down). It grows by itself and is lowered only by an operator: a
// restart with a smaller number, after SENTINEL RESET or CLUSTER FORGET where there are ghosts.
class RequiredCopies {
public:
    explicit RequiredCopies(WaitRule rule, Alone alone = Alone::may_stand)
        : rule_(rule), alone_(alone), highest_(rule.least()) {}
    RequiredCopies(const RequiredCopies&) = delete;
    RequiredCopies& operator=(const RequiredCopies&) = delete;

    // ShardNodes::replicas_known, whenever it is learnt.
    void known(std::int64_t replicas);
    // What the durability check found at the primary: appendonly, and appendfsync always.
    void flushes_always(bool yes);
    // Another node is the primary from now on: what was said of the one before does not tell
    // whether a write can be kept. How many must have it stays.
    void another_primary();
    // Each answer to ROLE.
    void seen(ReplicasSeen seen, SteadyTime now);

    std::int64_t required() const;
    // Before a write is sent: it cannot be kept, as far as a ROLE says that is not older than
    // role_trusted_max. Effect none.
    std::optional<Error> refusal(SteadyTime now) const;
    // After the answers to `WAIT waited_for ..` and, right behind it, ROLE.
    CopiesVerdict
    judge(std::int64_t waited_for, std::int64_t acknowledged, ReplicasSeen seen, SteadyTime now);

private:
    std::int64_t required_locked() const;
    void seen_locked(ReplicasSeen seen, SteadyTime now);

    const WaitRule rule_;
    const Alone alone_;
    mutable std::mutex mutex_;
    std::int64_t highest_;
    bool flushes_always_ = false;
    std::optional<ReplicasSeen> last_;
    SteadyTime last_at_{};
};

// Of what is not kept: unreachable, unknown.
Error error_of(CopiesVerdict verdict);

}  // namespace holdfast::redis
