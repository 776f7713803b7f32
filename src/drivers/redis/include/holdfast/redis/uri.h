#pragma once
// Where a Redis deployment is and how to enter it, in one line. The grammar is Lettuce's, so that
// one setting serves C++ and JVM services:
//
//   redis://[[user:]password@]host[:port][/database][?options]        rediss:// the same over TLS
//   redis://..host,host:port,..?cluster=true                          several: seeds of a cluster
//   redis-socket://[[user:]password@]/path[?options]                  a unix socket
//   redis-sentinel://[[user:]password@]host[:port],..[/database][?options][#master]
//   rediss-sentinel://                                                the same over TLS
//
// Options: timeout (units d h m s ms us ns; plain numbers are milliseconds), database, clientName,
// libraryName, libraryVersion, sentinelMasterId, verifyPeer; ours: cluster, wait, sentinelUsername,
// sentinelPassword, readFrom (primary, preferReplica, nearest, zone), zone, inFlight, protocol.
// User, password, path and values are percent-decoded.
//
// readFrom takes the names of Lettuce's ReadFrom.valueOf() too, in capitals or not, where they mean
// one of ours: upstream, master; replicaPreferred, slavePreferred; lowestLatency.

#include <holdfast/base/result.h>
#include <holdfast/base/secret.h>
#include <holdfast/base/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::redis {

inline constexpr std::uint16_t port_default = 6'379;
inline constexpr std::uint16_t sentinel_port_default = 26'379;

struct Endpoint {
    std::string host;  // a name or an address without brackets; a path where port is 0
    std::uint16_t port = port_default;

    bool is_unix_socket() const { return port == 0; }
    std::string text() const;  // host:port, [v6]:port, or the path
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

enum class Shape : std::uint8_t { single, cluster, sentinel };

// Who answers a command that changes nothing.
enum class ReadFrom : std::uint8_t {
    primary,
    prefer_replica,  // a replica; the primary where none answers
    nearest,         // replica or primary, by the shortest measured round trip
    zone,            // a replica in our zone, else the primary there, else as prefer_replica
};

enum class VerifyPeer : std::uint8_t {
    full,  // certificate and name
    ca,    // certificate alone
    none,  // anybody: for tests
};

// A class with a constructor (g++ 12 destroys aggregates in co_await expressions twice).
class RedisUri {
public:
    RedisUri() {}  // NOLINT(modernize-use-equals-default): no aggregate

    // invalid_argument, none. what() says what kind of fault it is; the context's server_text which
    // option or part, with the nearest known name of an unknown option. Neither ever holds a
    // password.
    static Result<RedisUri> parse(std::string_view text);

    // The same without secrets and options, for banners and logs.
    std::string shown() const;

    Shape shape = Shape::single;
    bool tls = false;
    VerifyPeer verify_peer = VerifyPeer::full;
    std::vector<Endpoint> endpoints;  // at least one; of sentinels in that shape
    std::string user;                 // empty: the default user
    Secret password;
    std::uint32_t database = 0;
    std::optional<Duration> timeout;
    std::string client_name;
    std::string library_name;
    std::string library_version;
    std::string sentinel_master;
    std::string sentinel_user;
    Secret sentinel_password;
    ReadFrom read_from = ReadFrom::primary;  // of clusters and sentinels
    std::string zone;                        // of ReadFrom::zone
    std::string wait;                        // of stores: auto, off, a number; empty: not said
    std::optional<std::uint32_t> in_flight;  // commands under way on one connection
    std::optional<std::uint32_t> protocol;   // 2 or 3; not said: 3, and 2 where 3 is refused
    std::vector<std::string> ignored;        // options of Lettuce that mean nothing here
};

}  // namespace holdfast::redis
