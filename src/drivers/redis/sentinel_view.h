#pragma once
// Who the primary of a Sentinel's group is, from the answers of sentinels of which any may be old.
//
// Each failover raises the epoch of the group's configuration, so that the higher one is the newer.

#include "topology.h"

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>
#include <holdfast/resp/reply.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

struct SentinelAnswer;

class SentinelView {
public:
    // `given`: sentinels of the URI, which stay the first of sentinels().
    SentinelView(std::string name, std::vector<Endpoint> given);

    // The answers of `sentinel` to SENTINEL MYID and to MASTER, REPLICAS and SENTINELS of this name
    // (MYID may be refused: then it is who its address says). True: the topology is another. Effect
    // none, and nothing changed: corrupt, invalid_argument (it knows no such master; the context's
    // server_text names the setting), or the code of an error reply to SENTINEL MASTER. Where the
    // others are refused, what was known before stays. A replica can be read from as long as one of
    // the sentinels that name this primary says so.
    //
    // A newer epoch counts at once. Another primary of the same epoch counts when most of the
    // sentinels that answered in the last sentinel_said_kept say so; of an older epoch (the master
    // was removed and entered anew) if moreover they are more than one, or all that there are, and
    // none named ours in that time.
    Result<bool> learn(
        const Endpoint& sentinel,
        RespView id_reply,
        RespView master_reply,
        RespView replicas_reply,
        RespView sentinels_reply,
        SteadyTime now
    );

    // What a sentinel announced as +switch-master: "name old-host old-port new-host new-port".
    // True: the topology is another. False: of another master, or not from the primary that is
    // known. corrupt, none: anything else. For switch_trusted from the next answer on it stands
    // against answers that know no newer epoch.
    Result<bool> switched(std::string_view payload);

    // Null: nothing is known yet. The same object until something changes.
    std::shared_ptr<const Topology> topology() const { return topology_; }
    // The given ones, then those that they named; at most sentinels_max.
    std::vector<Endpoint> sentinels() const;
    // The last answer named another primary than topology(), which stands.
    bool is_disputed() const { return disputed_; }

private:
    // The last answer of a sentinel.
    struct Said {
        Endpoint by;
        std::string id;  // empty: not told
        Endpoint primary;
        std::uint64_t epoch = 0;
        std::optional<std::vector<Endpoint>> replicas;
        std::size_t replicas_listed = 0;
        std::vector<Endpoint> sentinels;
        SteadyTime at{};
    };

    void keep(const Endpoint& sentinel, const SentinelAnswer& answer, SteadyTime now);
    bool wins(const SentinelAnswer& answer, SteadyTime now);
    std::size_t say(const Endpoint& primary) const;  // of said_
    std::optional<std::vector<Endpoint>> replicas_of(const SentinelAnswer& answer) const;
    bool adopt(const SentinelAnswer& answer, bool same_primary);
    bool publish(ShardNodes nodes);

    std::string name_;
    std::vector<Endpoint> given_;
    std::vector<Said> said_;  // the oldest first
    std::uint64_t epoch_ = 0;
    bool announced_ = false;                  // the primary is known from an announcement alone
    std::optional<SteadyTime> announced_at_;  // when the first answer after it came
    bool disputed_ = false;
    std::shared_ptr<const Topology> topology_;
};

}  // namespace holdfast::redis
