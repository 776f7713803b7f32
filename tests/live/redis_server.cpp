#include <live/ports.h>
#include <live/redis_server.h>
#include <support/certificates.h>

#include <fstream>
#include <iterator>

namespace holdfast::testing {
namespace {

constexpr int starts_max = 10;  // another process may take a port before the server does
constexpr Duration look = std::chrono::milliseconds(2);
constexpr std::size_t log_bytes_shown = 2000;
constexpr const char* own_user = "holdfast-test";  // of raw() where there is an ACL file

// A word of redis.conf, whatever it holds.
std::string as_word(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        out += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
    }
    return out + "\"";
}

}  // namespace

RawRedis logged_in(std::uint16_t port, const RedisLogin& login) {
    RawRedis redis(port);
    if (!login.user.empty()) {
        redis.call({"AUTH", login.user, login.password});
    } else if (!login.password.empty()) {
        redis.call({"AUTH", login.password});
    }
    return redis;
}

RedisServerOptions& RedisServerOptions::option(std::string name, std::string value) {
    lines_.push_back(std::move(name) + " " + as_word(value));
    return *this;
}
RedisServerOptions& RedisServerOptions::line(std::string words) {
    lines_.push_back(std::move(words));
    return *this;
}
RedisServerOptions& RedisServerOptions::memory_only() {
    return option("appendonly", "no");
}
RedisServerOptions& RedisServerOptions::password(std::string text) {
    password_ = std::move(text);
    return option("requirepass", password_);
}
RedisServerOptions& RedisServerOptions::acl(std::string line) {
    acl_.push_back(std::move(line));
    return *this;
}
RedisServerOptions& RedisServerOptions::tls() {
    tls_ = true;
    return *this;
}
RedisServerOptions& RedisServerOptions::tls_as(const RedisServer& other) {
    authorities_ = other.authorities_;
    return tls();
}
RedisServerOptions& RedisServerOptions::tls_client_certificates() {
    client_certificates_ = true;
    return tls();
}
RedisServerOptions& RedisServerOptions::old_protocol() {
    lines_.emplace_back("rename-command HELLO \"\"");
    return *this;
}
RedisServerOptions& RedisServerOptions::cluster() {
    cluster_ = true;
    return *this;
}

struct RedisAuthorities {
    explicit RedisAuthorities(const std::filesystem::path& folder)
        : ours(folder, "authority"), foreign(folder, "foreign-authority") {}
    CertificateAuthority ours;
    CertificateAuthority foreign;
    int issued = 0;
};

RedisServer::RedisServer(const RedisServerOptions& options) : options_(options) {
    if (options_.tls_) {
        authorities_ = options_.authorities_;
        if (authorities_ == nullptr) {
            authorities_ = std::make_shared<RedisAuthorities>(folder_.path());
        }
        const std::string name = "server-" + std::to_string(++authorities_->issued);
        const CertificateFiles files = authorities_->ours.issue(name, "DNS:localhost,IP:127.0.0.1");
        certificate_ = {files.certificate, files.key};
    }
    for (int i = 0; i < starts_max; ++i) {
        port_ = free_port();
        tls_port_ = options_.tls_ ? free_port() : std::uint16_t{0};
        bus_port_ = options_.cluster_ ? free_port() : std::uint16_t{0};
        write_configuration();
        if (started()) {
            return;
        }
    }
    throw RawFailure("redis-server does not start: " + log_end());
}

RedisServer::~RedisServer() = default;

void RedisServer::write_configuration() {
    std::ofstream out(folder_ / "redis.conf");
    const std::string folder = folder_.path().string();
    out << "bind 127.0.0.1\nport " << port_ << "\ndir " << as_word(folder) << "\n"
        << "unixsocket " << as_word(socket_path()) << "\n"
        << "save \"\"\nappendonly yes\nappendfsync always\nmaxmemory-policy noeviction\n"
        << "enable-debug-command local\nrepl-diskless-sync-delay 0\n";
    if (options_.tls_) {
        out << "tls-port " << tls_port_ << "\ntls-cert-file " << as_word(certificate_.certificate)
            << "\ntls-key-file " << as_word(certificate_.key) << "\ntls-ca-cert-file "
            << as_word(authority_file()) << "\ntls-auth-clients "
            << (options_.client_certificates_ ? "yes" : "no") << "\n";
    }
    if (options_.cluster_) {
        out << "cluster-enabled yes\ncluster-config-file nodes.conf\ncluster-port " << bus_port_
            << "\n";
        if (options_.tls_) {
            out << "tls-cluster yes\ntls-replication yes\n";
        }
    }
    const RedisLogin own = login();  // at its primary, if it becomes a replica
    if (!own.user.empty()) {
        out << "masteruser " << own.user << "\n";
    }
    if (!own.password.empty()) {
        out << "masterauth " << as_word(own.password) << "\n";
    }
    if (!options_.acl_.empty()) {
        std::ofstream acl(folder_ / "users.acl");
        acl << "user default off\nuser " << own_user << " on nopass ~* &* +@all\n";
        for (const std::string& line : options_.acl_) {
            acl << line << "\n";
        }
        out << "aclfile " << as_word((folder_ / "users.acl").string()) << "\n";
    }
    for (const std::string& line : options_.lines_) {
        out << line << "\n";
    }
}

// False: it ended before it answered.
bool RedisServer::started() {
    stopped_ = false;
    child_ = std::make_unique<Child>(
        std::vector<std::string>{"redis-server", (folder_ / "redis.conf").string()}, folder_ / "log"
    );
    const std::string own = std::to_string(child_->pid());
    const Deadline deadline = Deadline::in(patience, system_clock());
    while (!deadline.passed(system_clock().steady_now())) {
        if (child_->ended_within(look)) {
            break;
        }
        try {
            if (raw().info("process_id") == own && raw().info("loading") == "0") {
                return true;
            }
        } catch (const RawFailure&) {  // not yet, or this port is another server's
        }
    }
    child_.reset();
    return false;
}

RedisLogin RedisServer::login() const {
    return options_.acl_.empty() ? RedisLogin{"", options_.password_} : RedisLogin{own_user, "any"};
}

RawRedis RedisServer::raw() const {
    return logged_in(port_, login());
}

std::string RedisServer::socket_path() const {
    return (folder_ / "redis.sock").string();
}
std::string RedisServer::uri() const {
    return "redis://127.0.0.1:" + std::to_string(port_);
}
std::string RedisServer::tls_uri() const {
    return "rediss://127.0.0.1:" + std::to_string(tls_port_);
}
const std::filesystem::path& RedisServer::folder() const {
    return folder_.path();
}
std::string RedisServer::authority_file() const {
    return authorities_->ours.file();
}

std::string RedisServer::log() const {
    std::ifstream in(folder_ / "log");
    return {std::istreambuf_iterator<char>(in), {}};
}
std::string RedisServer::log_end() const {
    const std::string all = log();
    return all.substr(all.size() - std::min(all.size(), log_bytes_shown));
}

CertificatePaths RedisServer::client_certificate(const std::string& name, bool expired) {
    const CertificateFiles files = authorities_->ours.issue("client-" + name, "", expired);
    return {files.certificate, files.key};
}

void RedisServer::change_certificate(Certificate which) {
    const std::string name = "server-" + std::to_string(++authorities_->issued);
    const CertificateAuthority& authority =
        which == Certificate::foreign ? authorities_->foreign : authorities_->ours;
    const CertificateFiles files =
        authority.issue(name, "DNS:localhost,IP:127.0.0.1", which == Certificate::expired);
    certificate_ = {files.certificate, files.key};
    const RawReply reply = raw().call(
        {"CONFIG",
         "SET",
         "tls-cert-file",
         certificate_.certificate,
         "tls-key-file",
         certificate_.key}
    );
    if (reply.is_error()) {
        throw RawFailure("another certificate: " + reply.text);
    }
    write_configuration();
}

void RedisServer::kill() {
    child_.reset();
}
void RedisServer::stop() {
    child_->stop();
    stopped_ = true;
}
void RedisServer::resume() {
    child_->resume();
    stopped_ = false;
}
void RedisServer::restart() {
    kill();
    start();
}
void RedisServer::start() {
    if (!started()) {
        throw RawFailure("redis-server does not start again: " + log_end());
    }
}
void RedisServer::shut_down() {
    child_->terminate();
    child_.reset();
}

}  // namespace holdfast::testing
