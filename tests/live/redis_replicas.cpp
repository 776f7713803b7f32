#include "await.h"

#include <live/redis_replicas.h>

namespace holdfast::testing {
namespace {

// So many lines of INFO replication: slave0:ip=127.0.0.1,port=1,state=online,offset=..
std::size_t online_replicas(RawRedis& primary) {
    const std::string text = primary.call({"INFO", "replication"}).text;
    constexpr std::string_view mark = "state=online";
    std::size_t count = 0;
    for (std::size_t at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + mark.size())) {
        ++count;
    }
    return count;
}

}  // namespace

RedisReplicas::RedisReplicas(std::size_t replicas, const RedisServerOptions& each) {
    nodes_.push_back(std::make_unique<RedisServer>(each));
    const std::string port = std::to_string(primary().port());
    for (std::size_t i = 0; i < replicas; ++i) {
        RedisServerOptions of_replica = each;
        of_replica.line("replicaof 127.0.0.1 " + port);
        nodes_.push_back(std::make_unique<RedisServer>(of_replica));
    }
    wait_until_online(replicas);
}

void RedisReplicas::wait_until_online(std::size_t replicas) const {
    RawRedis redis = primary().raw();
    await([&] { return online_replicas(redis) == replicas; }, "not all replicas are online");
}

}  // namespace holdfast::testing
