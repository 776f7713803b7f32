#pragma once
// Where a server is, who we are there, and the bounds of a client.

#include <holdfast/base/secret.h>
#include <holdfast/io/keyed_hash.h>
#include <holdfast/io/tls.h>
#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/probe.h>
#include <holdfast/redis/uri.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::redis {

// What a call does when a queue is full.
enum class WhenFull : std::uint8_t {
    fail,  // `overloaded`, none, at once
    wait,  // until there is room or its deadline has come
};

class Credentials {
public:
    Credentials() = default;
    Credentials(std::string name, Secret word) : user(std::move(name)), password(std::move(word)) {}
    std::string user;  // empty: "default"
    Secret password;   // empty: none is sent
};

class RedisOptions {
public:
    RedisOptions& host(std::string name) {
        host_ = std::move(name);
        return *this;
    }
    RedisOptions& port(std::uint16_t number) {
        port_ = number;
        return *this;
    }
    // Instead of host and port.
    RedisOptions& unix_socket(std::string path) {
        unix_path_ = std::move(path);
        return *this;
    }
    // A cluster instead: the nodes to ask first.
    RedisOptions& cluster(std::vector<Endpoint> seeds) {
        shape_ = Shape::cluster;
        endpoints_ = std::move(seeds);
        return *this;
    }
    // What these sentinels watch by this name instead.
    RedisOptions& sentinels(std::vector<Endpoint> sentinels, std::string master) {
        shape_ = Shape::sentinel;
        endpoints_ = std::move(sentinels);
        sentinel_master_ = std::move(master);
        return *this;
    }
    // Of the sentinels themselves; none is sent without this.
    RedisOptions& sentinel_credentials(std::function<Result<Credentials>()> source) {
        sentinel_credentials_ = std::move(source);
        return *this;
    }
    // Which nodes answer reads, where there are replicas. Others than `primary` may answer with an
    // older value, also one that is older than what this caller wrote.
    RedisOptions& read_from(ReadFrom policy) {
        read_from_ = policy;
        return *this;
    }
    // The availability zone that we are in, for ReadFrom::zone.
    RedisOptions& zone(std::string name) {
        zone_ = std::move(name);
        return *this;
    }
    // TLS, with this context of the moment: asked at each dial, so that certificates may change.
    using TlsSource = std::function<std::shared_ptr<const TlsContext>()>;
    RedisOptions& tls(TlsSource source) {
        tls_ = std::move(source);
        return *this;
    }
    RedisOptions& tls(std::shared_ptr<const TlsContext> context) {
        tls_ = [context = std::move(context)] {
            return context;
        };
        return *this;
    }
    // The name in the server's certificate, where it is not the host.
    RedisOptions& tls_name(std::string name) {
        tls_name_ = std::move(name);
        return *this;
    }
    RedisOptions& credentials(std::string user, Secret password) {
        return credentials(
            [held = Credentials(std::move(user), std::move(password))]() -> Result<Credentials> {
                return held;
            }
        );
    }
    // Asked at each dial, on its loop: it must not block. By a BlockingClient on a caller's thread.
    using CredentialsSource = std::function<Result<Credentials>()>;
    RedisOptions& credentials(CredentialsSource source) {
        credentials_ = std::move(source);
        return *this;
    }
    RedisOptions& database(int number) {
        database_ = number;
        return *this;
    }
    RedisOptions& client_name(std::string name) {
        client_name_ = std::move(name);
        return *this;
    }
    // 3: RESP3 or nothing; 2: RESP2; 0 (default): RESP3, and RESP2 where the server knows no other.
    RedisOptions& protocol(int version) {
        protocol_ = version;
        return *this;
    }
    // Of each connection: a loop has one that is shared for each node, and others for its lanes.
    RedisOptions& in_flight_max(std::size_t calls) {
        in_flight_max_ = calls;
        return *this;
    }
    // Of each connection, not written yet.
    RedisOptions& queue_bytes_max(std::size_t bytes) {
        queue_bytes_max_ = bytes;
        return *this;
    }
    RedisOptions& when_full(WhenFull what) {
        when_full_ = what;
        return *this;
    }
    RedisOptions& dial_time(Duration most) {
        dial_time_ = most;
        return *this;
    }
    RedisOptions& silent_max(Duration most) {
        silent_max_ = most;
        return *this;
    }
    RedisOptions& unacknowledged_max(Duration most) {
        unacknowledged_max_ = most;
        return *this;
    }
    RedisOptions& blocking_connections_max(std::size_t most) {
        blocking_connections_max_ = most;
        return *this;
    }
    RedisOptions& leases_max(std::size_t most) {
        leases_max_ = most;
        return *this;
    }

    // What the program is called in CLIENT LIST of servers from 7.2; neither is empty.
    RedisOptions& library(std::string name, std::string version) {
        library_name_ = std::move(name);
        library_version_ = std::move(version);
        return *this;
    }
    // Checks that answers are in order where many callers share a connection: each write ends with
    // an ECHO of a new number, whose answer must come in its place and in no other. Else the
    // connection is dropped, and what it has not answered ends as when a connection is lost. Such a
    // server, and the user's permissions, must have ECHO, or no connection opens. Not for
    // connections of leases, blocking commands, durable writes and subscriptions, where few calls
    // or one are under way, nor in a BlockingClient.
    RedisOptions& check_order(bool yes) {
        check_order_ = yes;
        return *this;
    }
    // For callers: what this deployment's URI says a call is worth waiting. The client has no
    // deadline of its own.
    RedisOptions& timeout(std::optional<Duration> most) {
        timeout_ = most;
        return *this;
    }
    // For stores: "auto", "off" or a number of replicas, as the URI says; empty: nothing.
    RedisOptions& wait(std::string rule) {
        wait_ = std::move(rule);
        return *this;
    }

    // Who watches; see watch_redis() and trace_redis().
    RedisOptions& probe(RedisProbeSource source) {
        probe_ = std::move(source);
        key_hash_ = probe_ ? std::make_shared<const KeyedHash>(KeyedHash::fresh()) : nullptr;
        return *this;
    }

    const std::string& host() const { return host_; }
    std::uint16_t port() const { return port_; }
    const std::string& unix_path() const { return unix_path_; }
    const TlsSource& tls() const { return tls_; }
    const std::string& tls_name() const { return tls_name(host_); }
    const std::string& tls_name(const std::string& host) const {
        return tls_name_.empty() ? host : tls_name_;
    }
    const CredentialsSource& credentials() const { return credentials_; }
    int database() const { return database_; }
    const std::string& client_name() const { return client_name_; }
    int protocol() const { return protocol_; }
    std::size_t in_flight_max() const { return in_flight_max_; }
    std::size_t queue_bytes_max() const { return queue_bytes_max_; }
    WhenFull when_full() const { return when_full_; }
    Duration dial_time() const { return dial_time_; }
    Duration silent_max() const { return silent_max_; }
    Duration unacknowledged_max() const { return unacknowledged_max_; }
    std::size_t blocking_connections_max() const { return blocking_connections_max_; }
    std::size_t leases_max() const { return leases_max_; }
    const RedisProbeSource& probe() const { return probe_; }
    const std::shared_ptr<const KeyedHash>& key_hash() const {
        return key_hash_;
    }  // null: no probe
    const std::string& library_name() const { return library_name_; }
    const std::string& library_version() const { return library_version_; }
    bool check_order() const { return check_order_; }
    std::optional<Duration> timeout() const { return timeout_; }
    const std::string& wait() const { return wait_; }
    Shape shape() const { return shape_; }
    // Of a cluster the seeds, of sentinels theirs; else the server.
    const std::vector<Endpoint>& endpoints() const { return endpoints_; }
    const std::string& sentinel_master() const { return sentinel_master_; }
    const CredentialsSource& sentinel_credentials() const { return sentinel_credentials_; }
    ReadFrom read_from() const { return read_from_; }
    const std::string& zone() const { return zone_; }
    // Of a single server.
    Endpoint endpoint() const {
        Endpoint server;
        server.host = unix_path_.empty() ? host_ : unix_path_;
        server.port = unix_path_.empty() ? port_ : std::uint16_t{0};
        return server;
    }
    // "host:port" or the path, for logs and errors.
    std::string node() const { return endpoint().text(); }

private:
    std::string host_ = "127.0.0.1";
    std::uint16_t port_ = 6379;
    std::string unix_path_;
    Shape shape_ = Shape::single;
    std::vector<Endpoint> endpoints_;
    std::string sentinel_master_;
    CredentialsSource sentinel_credentials_;
    ReadFrom read_from_ = ReadFrom::primary;
    std::string zone_;
    TlsSource tls_;
    std::string tls_name_;
    CredentialsSource credentials_;
    int database_ = 0;
    std::string client_name_;
    int protocol_ = 0;
    std::size_t in_flight_max_ = in_flight_max_default;
    std::size_t queue_bytes_max_ = queue_bytes_max_default;
    WhenFull when_full_ = WhenFull::fail;
    Duration dial_time_ = dial_time_default;
    Duration silent_max_ = silent_max_default;
    Duration unacknowledged_max_ = unacknowledged_max_default;
    std::size_t blocking_connections_max_ = blocking_connections_max_default;
    std::size_t leases_max_ = leases_max_default;
    RedisProbeSource probe_;
    std::shared_ptr<const KeyedHash> key_hash_;
    std::string library_name_;
    std::string library_version_;
    bool check_order_ = false;
    std::optional<Duration> timeout_;
    std::string wait_;
};

}  // namespace holdfast::redis
