#pragma once
// A Redis Cluster for one test.
//
//   RedisCluster cluster;                                  // 3 primaries with a replica each
//   RedisCluster cluster(RedisClusterOptions().primaries(1).replicas(0));
//   const std::size_t owner = cluster.owner_of("key");     // a number of node()
//   cluster.kill(owner);
//   cluster.wait_until_ok();                               // about 2 s: a replica took its slots
//   cluster.promote(cluster.replicas_of(0).front());       // CLUSTER FAILOVER, has happened
//
// Slots move under load from a thread of their own, by the numbers of nodes alone:
//
//   std::jthread moves([&] { cluster.migration(0, 1).move(slots, [](std::uint16_t slot) {}); });
//
// At first nodes 0 .. n-1 are the primaries, with an equal share of the slots each in this order,
// and the replicas of primary i follow as n + i*r, n + i*r + 1, ..

#include <live/redis_server.h>
#include <live/slot_migration.h>

#include <memory>
#include <vector>

namespace holdfast::testing {

inline constexpr std::uint16_t cluster_slots = 16'384;

// The slot of a key as the cluster specification has it: CRC16 of the hash tag, or of the key.
std::uint16_t slot_of(std::string_view key);

// Without more: three primaries, a replica each, cluster-node-timeout 1000 ms.
class RedisClusterOptions {
public:
    RedisClusterOptions& primaries(std::size_t count);
    RedisClusterOptions& replicas(std::size_t of_each);
    // Of all nodes: .option("cluster-require-full-coverage", "no"), a password. With tls() nodes
    // reach each other by it too; the authority is that of node 0.
    RedisClusterOptions& servers(RedisServerOptions each);
    RedisClusterOptions& node_timeout(Duration time);
    // What clients are told as the host of all nodes, as cluster-announce-hostname has it: of
    // letters, digits, dots and hyphens, "localhost". Nodes reach each other at 127.0.0.1.
    RedisClusterOptions& client_host(std::string name);

private:
    friend class RedisCluster;
    std::size_t primaries_ = 3;
    std::size_t replicas_ = 1;
    Duration node_timeout_ = std::chrono::seconds(1);
    RedisServerOptions each_;
};

// Ready on return: all nodes agree on all slots, replicas are linked. What takes too long throws
// RawFailure. One thread at a time, but for migrations.
class RedisCluster {
public:
    explicit RedisCluster(const RedisClusterOptions& options = RedisClusterOptions());
    RedisCluster(const RedisCluster&) = delete;
    RedisCluster& operator=(const RedisCluster&) = delete;
    ~RedisCluster();

    std::size_t size() const { return nodes_.size(); }
    RedisServer& node(std::size_t number) const { return *nodes_.at(number).server; }
    const std::string& id_of(std::size_t number) const { return nodes_.at(number).id; }
    std::vector<std::uint16_t> ports() const;

    // As the primaries that answer say of themselves; waits until one does.
    std::size_t owner_of(std::string_view key) const;
    std::size_t owner_of_slot(std::uint16_t slot) const;
    std::vector<std::uint16_t> slots_of(std::size_t number) const;
    bool is_primary(std::size_t number) const;  // of a node that answers
    std::vector<std::size_t> replicas_of(std::size_t primary) const;

    void kill(std::size_t number) { node(number).kill(); }
    void pause(std::size_t number) { node(number).stop(); }
    void resume(std::size_t number) { node(number).resume(); }
    void restart(std::size_t number) { node(number).restart(); }
    // CLUSTER FAILOVER: on return it is the primary, and all nodes that answer say so.
    void promote(std::size_t replica);
    // All nodes that answer say "ok" of the cluster and agree who has which slots, and their
    // replicas are linked.
    void wait_until_ok() const;

    // Any thread, at any time; it may not outlive the cluster.
    SlotMigration migration(std::size_t from, std::size_t to) const;

private:
    struct Node {
        std::unique_ptr<RedisServer> server;
        std::string id;
    };

    void form(const RedisClusterOptions& options);
    bool all_agree() const;
    std::string map_of(std::size_t number) const;
    std::size_t number_of(std::string_view id) const;

    std::vector<Node> nodes_;
};

}  // namespace holdfast::testing
