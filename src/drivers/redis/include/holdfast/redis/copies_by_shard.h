#pragma once
// How many replicas must have a write, for each primary of a deployment by itself: of a cluster one
// number a shard, of a Sentinel's group and of a single server one in all.
//
//   CopiesByShard shards(WaitRule::automatic());       // as long as the program runs
//   spawn(loop, watch_copies(client, shards), ..);     // loops, clients: as many as there are
//   co_await client.run_durable(set("k", "v"), Copies(shards, Duration(1'000)), deadline);

#include <holdfast/io/task.h>
#include <holdfast/redis/required_copies.h>
#include <holdfast/redis/uri.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace holdfast::redis {

class Client;
class ShardNodes;
class Topology;

// A shard is known again by its primary, by one of its replicas that was promoted, by a primary
// that has become a replica of it, or, where all addresses are others, by its slots. What it must
// reach goes on with it: a failover lowers nothing. Any thread.
class CopiesByShard {
public:
    explicit CopiesByShard(WaitRule rule);
    ~CopiesByShard();
    CopiesByShard(const CopiesByShard&) = delete;
    CopiesByShard& operator=(const CopiesByShard&) = delete;

    // Of the shard whose primary this node is, by the newest topology that came here. `topology`:
    // of the loop that asks; null: a single server. Null: it is not known yet, because no
    // topology has that node, or because it is a primary of a cluster without a replica of which
    // nobody has told yet whether it flushes each write. Lives as long as this does.
    RequiredCopies* at(const Endpoint& primary, const std::shared_ptr<const Topology>& topology);
    // Each answer of that node to ROLE.
    void role_said(const Endpoint& primary, ReplicasSeen seen, SteadyTime now);
    // What its settings say: appendonly, and appendfsync always.
    void flushes_always(const Endpoint& primary, bool yes);

private:
    struct Shard;

    void adopt(const std::shared_ptr<const Topology>& topology);
    void describe(Shard& shard, const ShardNodes& nodes);
    Shard* known_again(const ShardNodes& nodes) const;
    Shard*
    had_slots(const Topology& topology, std::size_t number, const std::vector<Shard*>& found) const;
    Shard* at_primary(const Endpoint& primary) const;
    Shard* make(bool in_cluster);
    const std::shared_ptr<const Topology>& newest() const { return seen_.back(); }

    const WaitRule rule_;
    std::mutex mutex_;
    // The last ones: a loop that has not heard of the newest yet comes with an older one.
    std::vector<std::shared_ptr<const Topology>> seen_;
    std::vector<std::unique_ptr<Shard>> shards_;  // also those that are gone
    std::vector<Shard*> present_;                 // of each shard of the newest
};

// Asks every primary ROLE each role_poll_pause, and those without replicas for their settings, and
// tells `shards`, until the scope is cancelled; then `cancelled`. One that does not answer delays
// no other. Client and `shards` outlive it.
Task<> watch_copies(Client& client, CopiesByShard& shards);

}  // namespace holdfast::redis
