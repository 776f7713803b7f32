#pragma once
// The server itself: its state, settings, data files and replication.

#include <holdfast/base/time.h>
#include <holdfast/redis/command.h>
#include <holdfast/redis/commands/named_values.h>
#include <holdfast/redis/commands/scripts.h>
#include <holdfast/redis/owned_reply.h>
#include <holdfast/redis/words.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::redis {

using ServerTime = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

enum class ServerKind : std::uint8_t { primary, replica, sentinel };

struct ReplicaRole {
    std::string host;
    std::uint16_t port = 0;
    std::int64_t offset = 0;  // what it has acknowledged

    friend bool operator==(const ReplicaRole&, const ReplicaRole&) = default;
};

struct ServerRole {
    ServerKind kind = ServerKind::primary;
    std::int64_t offset = 0;            // of the primary; of a replica: what it has received
    std::vector<ReplicaRole> replicas;  // of a primary: those that are connected
    std::string primary_host;           // of a replica
    std::uint16_t primary_port = 0;
    std::string link;                    // of a replica: connect, connecting, sync, connected
    std::vector<std::string> monitored;  // of a sentinel: the names of its primaries

    friend bool operator==(const ServerRole&, const ServerRole&) = default;
};

// What is on this server's disk, and on that of so many replicas.
struct Synced {
    bool here = false;
    std::int64_t replicas = 0;

    friend bool operator==(const Synced&, const Synced&) = default;
};

Command<Done> bgrewriteaof();
Command<Done> bgsave();
Command<std::vector<std::pair<std::string, std::string>>> config_get(Words patterns);
Command<Done> config_resetstat();
Command<Done> config_rewrite();
Command<Done> config_set(WordPairs settings);  // all or none
Command<std::int64_t> dbsize();
Command<Done> flushall(FlushMode mode = FlushMode::server_default);
Command<Done> flushdb(FlushMode mode = FlushMode::server_default);
Command<NamedValues> info(Words sections = {});
Command<ServerTime> lastsave();
Command<std::vector<std::pair<std::string, std::string>>> module_list();  // names and versions
Command<Done> replicaof(std::string_view host, std::uint16_t port);
Command<Done> replicaof_no_one();
Command<ServerRole> role();
Command<Done> save();
Command<Done> swapdb(std::uint32_t one, std::uint32_t other);
Command<ServerTime> time();

// How many replicas have all that this connection has written: on a leased connection alone. It
// answers when there are as many as asked for, or after `wait`; zero: no end.
Command<std::int64_t> wait(std::uint32_t replicas, Duration wait);
// The same for files with fsync; from 7.2.
Command<Synced> waitaof(bool here, std::uint32_t replicas, Duration wait);

}  // namespace holdfast::redis
