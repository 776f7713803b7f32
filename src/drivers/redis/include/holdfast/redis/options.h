#pragma once
// Where a server is, who we are there, and the bounds of a client.

#include <holdfast/base/secret.h>
#include <holdfast/io/tls.h>
#include <holdfast/redis/client_limits.h>
#include <holdfast/redis/probe.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

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
    // Asked at each dial, on its loop: it must not block.
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
    RedisOptions& in_flight_max(std::size_t calls) {
        in_flight_max_ = calls;
        return *this;
    }
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

    // Who watches; see watch_redis(). Not heard by a BlockingClient.
    RedisOptions& probe(RedisProbeSource source) {
        probe_ = std::move(source);
        return *this;
    }

    const std::string& host() const { return host_; }
    std::uint16_t port() const { return port_; }
    const std::string& unix_path() const { return unix_path_; }
    const TlsSource& tls() const { return tls_; }
    const std::string& tls_name() const { return tls_name_.empty() ? host_ : tls_name_; }
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
    // "host:port" or the path, for logs and errors.
    std::string node() const {
        return unix_path_.empty() ? host_ + ":" + std::to_string(port_) : unix_path_;
    }

private:
    std::string host_ = "127.0.0.1";
    std::uint16_t port_ = 6379;
    std::string unix_path_;
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
};

}  // namespace holdfast::redis
