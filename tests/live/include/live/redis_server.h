#pragma once
// A Redis server of its own for one test, on free ports of 127.0.0.1 and in a temporary folder. It
// is stopped when the test ends, however it ends.
//
//   RedisServer server;                                     // as most tests need it
//   RedisServer server(RedisServerOptions().tls().acl("user app on >secret ~* +@all"));
//   RawRedis redis = server.raw();                          // looks past the driver
//   redis.call({"SET", "a", "1"});

#include <live/child.h>
#include <live/raw_redis.h>
#include <support/temporary_folder.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::testing {

class RedisServer;
struct RedisAuthorities;

// Without more: persistent as stores ask for it (appendonly, appendfsync always, no eviction),
// DEBUG allowed, plain TCP and a unix socket.
class RedisServerOptions {
public:
    // A line of redis.conf; the last of a name wins.
    RedisServerOptions& option(std::string name, std::string value);
    RedisServerOptions& line(std::string words);  // of several words, as it will stand there
    RedisServerOptions& memory_only();
    RedisServerOptions& password(std::string text);  // of the default user
    // A line of an ACL file: "user app on >secret ~app:* &* +@all". The default user is then off;
    // raw() comes in as a user of its own.
    RedisServerOptions& acl(std::string line);
    RedisServerOptions& tls();  // beside the plain port
    // With the authorities of a server that stands as long: nodes trust each other.
    RedisServerOptions& tls_as(const RedisServer& other);
    RedisServerOptions& tls_client_certificates();  // and asks clients for theirs
    // HELLO is an unknown command, as in servers before 6.0: RESP2 is all it speaks.
    RedisServerOptions& old_protocol();
    // A node of a cluster that knows no other yet (see redis_cluster.h), its bus on a free port.
    RedisServerOptions& cluster();

    bool has_tls() const { return tls_; }

private:
    friend class RedisServer;
    std::vector<std::string> lines_;
    std::vector<std::string> acl_;
    std::string password_;
    bool tls_ = false;
    std::shared_ptr<RedisAuthorities> authorities_;  // null: its own
    bool client_certificates_ = false;
    bool cluster_ = false;
};

struct CertificatePaths {
    std::string certificate;
    std::string key;
};

// How one server, or a sentinel, comes in at another.
struct RedisLogin {
    std::string user;      // empty: the default user
    std::string password;  // empty: none is asked for
};

RawRedis logged_in(std::uint16_t port, const RedisLogin& login);

// Starts it, and has it answer, in the constructor; a server that cannot be started throws
// RawFailure with the end of its log. Make it on a thread that lives as long as it is needed.
class RedisServer {
public:
    explicit RedisServer(const RedisServerOptions& options = RedisServerOptions());
    RedisServer(const RedisServer&) = delete;
    RedisServer& operator=(const RedisServer&) = delete;
    ~RedisServer();

    std::uint16_t port() const { return port_; }
    std::uint16_t tls_port() const { return tls_port_; }  // 0: no TLS
    // Where nodes of a cluster reach it.
    std::uint16_t peer_port() const { return tls_port_ != 0 ? tls_port_ : port_; }
    std::uint16_t bus_port() const { return bus_port_; }  // of the cluster; 0: none
    RedisLogin login() const;                             // with all rights
    std::string socket_path() const;
    std::string uri() const;      // redis://127.0.0.1:port
    std::string tls_uri() const;  // rediss://
    std::string log() const;
    const std::filesystem::path& folder() const;

    // Connected over TCP, with all rights, whatever the server asks of others.
    RawRedis raw() const;

    // Certificates of this test. The server's is for 127.0.0.1 and localhost.
    std::string authority_file() const;
    CertificatePaths client_certificate(const std::string& name, bool expired = false);
    // Gives the server another certificate for new connections: an expired one, or of an authority
    // that clients do not know, or a good one again.
    enum class Certificate { good, expired, foreign };
    void change_certificate(Certificate which);

    void kill();     // kill -9; nothing listens on return
    void stop();     // SIGSTOP: connections are accepted by the kernel, nothing is answered
    void resume();   // SIGCONT
    void restart();  // kill -9 if it runs, then again on the same ports and the same data; answers
    void start();    // after kill()
    void shut_down();  // SIGTERM, its own way out
    bool runs() const { return child_ != nullptr; }
    bool answers() const { return runs() && !stopped_; }  // neither killed nor stopped

private:
    friend class RedisServerOptions;

    void write_configuration();
    bool started();
    std::string log_end() const;

    RedisServerOptions options_;
    TemporaryFolder folder_;
    std::uint16_t port_ = 0;
    std::uint16_t tls_port_ = 0;
    std::uint16_t bus_port_ = 0;
    bool stopped_ = false;
    std::shared_ptr<RedisAuthorities> authorities_;
    CertificatePaths certificate_;
    std::unique_ptr<Child> child_;
};

}  // namespace holdfast::testing
