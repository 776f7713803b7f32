// URIs against servers that ask for what they say: TLS, passwords that change, sockets; and what a
// server says of its durability.

#include "faults_scene.h"

#include <holdfast/redis/from_uri.h>
#include <holdfast/redis/inspect.h>

#include <fstream>

namespace holdfast::redis {
namespace {

using holdfast::testing::TemporaryFolder;

class UriScene {
public:
    explicit UriScene(
        const std::string& text,
        const TlsClientOptions& tls = TlsClientOptions(),
        const RedisOptions::CredentialsSource& credentials = {}
    )
        : runtime(std::move(open_runtime(RuntimeOptions().loops(1))).value()) {
        auto options = options_from(RedisUri::parse(text).value(), tls);
        EXPECT_TRUE(options.ok());
        if (credentials) {
            options.value().credentials(credentials);
        }
        client = std::move(open_redis(*runtime, std::move(options).value())).value();
    }
    // Of a PING.
    Result<Done> ping_once(Duration time = patience) {
        return client->wait(ping(), Deadline::in(time, runtime->clock()));
    }

    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<Client> client;
};

TEST(RedisUriLive, tls_is_checked_as_far_as_the_uri_says) {
    RedisServer server(RedisServerOptions().memory_only().tls());
    const TlsClientOptions ca = TlsClientOptions().ca(server.authority_file());
    EXPECT_TRUE(UriScene(server.tls_uri(), ca).ping_once().ok());
    auto stranger = UriScene(server.tls_uri()).ping_once();
    ASSERT_FALSE(stranger.ok());
    EXPECT_EQ(stranger.error().code(), Code::denied);
    EXPECT_EQ(stranger.error().effect(), Effect::none);
    EXPECT_TRUE(UriScene(server.tls_uri() + "?verifyPeer=none").ping_once().ok());
}

TEST(RedisUriLive, a_client_certificate_is_shown_where_it_is_asked_for) {
    RedisServer server(RedisServerOptions().memory_only().tls_client_certificates());
    const TlsClientOptions ca = TlsClientOptions().ca(server.authority_file());
    EXPECT_FALSE(UriScene(server.tls_uri(), ca).ping_once(Duration(2'000)).ok());
    const auto shown = server.client_certificate("app");
    const TlsClientOptions both =
        TlsClientOptions(ca).certificate(shown.certificate).key(shown.key);
    EXPECT_TRUE(UriScene(server.tls_uri(), both).ping_once().ok());
}

TEST(RedisUriLive, a_password_that_changes_in_its_file_is_used_by_the_next_connection) {
    RedisServer server(RedisServerOptions().memory_only().acl("user app on >first ~* +@all"));
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "password").string();
    std::ofstream(path) << "first\n";
    UriScene scene(server.uri(), TlsClientOptions(), credentials_from_file("app", path));
    ASSERT_TRUE(scene.ping_once().ok());
    RawRedis admin = server.raw();
    admin.call({"ACL", "SETUSER", "app", "resetpass", ">second"});
    std::ofstream(path) << "second\n";
    admin.call({"CLIENT", "KILL", "USER", "app"});
    EXPECT_TRUE(eventually([&] { return scene.ping_once().ok(); }));
    EXPECT_EQ(in_words(admin.call({"ACL", "LOG"})), "[]");
}

TEST(RedisUriLive, a_unix_socket_is_a_way_in) {
    RedisServer server(RedisServerOptions().memory_only());
    EXPECT_TRUE(UriScene("redis-socket://" + server.socket_path()).ping_once().ok());
}

std::vector<DurabilityFault> faults_of(const std::string& uri, std::uint32_t waited_for = 0) {
    UriScene scene(uri);
    const Deadline deadline = Deadline::in(patience, scene.runtime->clock());
    auto found = wait(*scene.runtime, inspect_durability(*scene.client, waited_for, deadline));
    EXPECT_TRUE(found.ok());
    std::vector<DurabilityFault> faults;
    for (const DurabilityFinding& finding : found.value()) {
        faults.push_back(finding.fault);
    }
    return faults;
}

TEST(RedisDurabilityLive, a_server_that_keeps_what_it_acknowledges_has_no_finding) {
    RedisServer server;
    EXPECT_EQ(faults_of(server.uri()), std::vector<DurabilityFault>());
}

TEST(RedisDurabilityLive, settings_that_lose_writes_are_found) {
    RedisServer server(RedisServerOptions()
                           .option("appendfsync", "everysec")
                           .option("maxmemory-policy", "allkeys-lru"));
    const std::vector<DurabilityFault> found = faults_of(server.uri());
    EXPECT_EQ(found, (std::vector{DurabilityFault::fsync_not_always, DurabilityFault::eviction}));
}

TEST(RedisDurabilityLive, a_server_that_tells_no_settings_cannot_be_verified) {
    RedisServer server(RedisServerOptions().acl("user app on >word ~* +@all -config"));
    const std::string uri = "redis://app:word@127.0.0.1:" + std::to_string(server.port());
    EXPECT_EQ(faults_of(uri), std::vector{DurabilityFault::cannot_verify});
}

}  // namespace
}  // namespace holdfast::redis
