#pragma once
// A primary and its replicas for one test.
//
//   RedisReplicas servers(2);                                   // all linked and online
//   RedisReplicas servers(1, RedisServerOptions().option("appendfsync", "everysec"));
//   servers.primary().raw().call({"WAIT", "2", "1000"});
//   servers.replica(0).stop();
//
// Who is primary() stands fast here: REPLICAOF by a test, or FAILOVER, does not change the numbers.
// A node that is killed and started again has the role that its own redis.conf gives it.

#include <live/redis_server.h>

#include <memory>
#include <vector>

namespace holdfast::testing {

class RedisReplicas {
public:
    // `each`: of all nodes. They come in at one another as RedisServer::login() says.
    explicit RedisReplicas(
        std::size_t replicas = 2, const RedisServerOptions& each = RedisServerOptions()
    );

    std::size_t size() const { return nodes_.size(); }
    RedisServer& node(std::size_t number) const { return *nodes_.at(number); }  // 0: the primary
    RedisServer& primary() const { return node(0); }
    RedisServer& replica(std::size_t number) const { return node(number + 1); }

    // Until the primary has that many replicas that are online; throws RawFailure if it has not.
    void wait_until_online(std::size_t replicas) const;

private:
    std::vector<std::unique_ptr<RedisServer>> nodes_;
};

}  // namespace holdfast::testing
