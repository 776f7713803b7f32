// The servers' TLS, seen through OpenSSL alone.
#include <gtest/gtest.h>
#include <live/redis_server.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <unistd.h>

namespace holdfast::testing {
namespace {

struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* connection) const { SSL_free(connection); }
};

// What PING over TLS is answered, or "refused".
std::string ping(const RedisServer& server, const CertificatePaths* own = nullptr) {
    const std::unique_ptr<SSL_CTX, Free> context(SSL_CTX_new(TLS_client_method()));
    SSL_CTX_load_verify_locations(context.get(), server.authority_file().c_str(), nullptr);
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    if (own != nullptr) {
        SSL_CTX_use_certificate_file(context.get(), own->certificate.c_str(), SSL_FILETYPE_PEM);
        SSL_CTX_use_PrivateKey_file(context.get(), own->key.c_str(), SSL_FILETYPE_PEM);
    }
    const int fd = dial(server.tls_port());
    const std::unique_ptr<SSL, Free> connection(SSL_new(context.get()));
    SSL_set_fd(connection.get(), fd);
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection.get()), "127.0.0.1");
    std::string answer = "refused";
    char bytes[64];
    if (SSL_connect(connection.get()) == 1 && SSL_write(connection.get(), "PING\r\n", 6) == 6) {
        const int got = SSL_read(connection.get(), bytes, sizeof bytes);
        answer = got > 0 ? std::string(bytes, static_cast<std::size_t>(got)) : "refused";
    }
    ERR_clear_error();
    close(fd);
    return answer;
}

TEST(RedisServerTls, serves_clients_that_trust_its_authority) {
    const RedisServer server(RedisServerOptions().memory_only().tls());
    EXPECT_EQ(ping(server), "+PONG\r\n");
}

TEST(RedisServerTls, takes_clients_with_a_certificate_alone_if_told_to) {
    RedisServer server(RedisServerOptions().memory_only().tls_client_certificates());
    const CertificatePaths good = server.client_certificate("app");
    const CertificatePaths expired = server.client_certificate("old", true);
    EXPECT_EQ(ping(server, &good), "+PONG\r\n");
    EXPECT_EQ(ping(server), "refused");
    EXPECT_EQ(ping(server, &expired), "refused");
}

TEST(RedisServerTls, changes_its_certificate_while_it_runs) {
    RedisServer server(RedisServerOptions().memory_only().tls());
    server.change_certificate(RedisServer::Certificate::foreign);
    EXPECT_EQ(ping(server), "refused");
    server.change_certificate(RedisServer::Certificate::expired);
    EXPECT_EQ(ping(server), "refused");
    server.change_certificate(RedisServer::Certificate::good);
    EXPECT_EQ(ping(server), "+PONG\r\n");
    server.restart();
    EXPECT_EQ(ping(server), "+PONG\r\n");
}

}  // namespace
}  // namespace holdfast::testing
