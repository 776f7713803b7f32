// A session of ours before OpenSSL's own server side, bytes handed over by the test.
#include "tests/tls_scene.h"

#include <holdfast/io/tls_session.h>

#include <gtest/gtest.h>
#include <openssl/ssl.h>

namespace holdfast {
namespace {

class TlsSessionTest : public ::testing::Test {
protected:
    TlsSessionTest() {
        SSL_CTX_use_certificate_chain_file(context.get(), files.server.certificate.c_str());
        SSL_CTX_use_PrivateKey_file(context.get(), files.server.key.c_str(), SSL_FILETYPE_PEM);
        server.reset(SSL_new(context.get()));
        BIO_new_bio_pair(&inner, 0, &outer, 0);
        SSL_set_bio(server.get(), inner, inner);
        SSL_set_accept_state(server.get());
    }
    ~TlsSessionTest() override { BIO_free(outer); }

    void open(const TlsClientOptions& options, const std::string& host = "localhost") {
        client = std::move(TlsSession::open(open_tls_client(options).value(), host)).value();
    }
    // What the client has made goes to the server.
    void to_server() {
        while (!client->unsent().empty()) {
            std::size_t moved = 0;
            ASSERT_EQ(
                BIO_write_ex(outer, client->unsent().data(), client->unsent().size(), &moved), 1
            );
            client->sent(moved);
        }
    }
    // False: the server has made nothing.
    bool to_client() {
        std::size_t moved = 0;
        const std::span<std::byte> space = client->space();
        if (BIO_read_ex(outer, space.data(), space.size(), &moved) != 1) {
            return false;
        }
        client->received(moved);
        return true;
    }
    Result<bool> shake() {
        for (;;) {
            auto done = client->shake();
            to_server();
            (void)SSL_do_handshake(server.get());
            if (!done.ok() || done.value()) {
                return done;
            }
            if (!to_client()) {
                return false;
            }
        }
    }
    void server_says(std::string_view text) {
        ASSERT_EQ(
            SSL_write(server.get(), text.data(), static_cast<int>(text.size())),
            static_cast<int>(text.size())
        );
    }
    Result<std::string> client_hears() {
        std::array<std::byte, 64> space{};
        for (;;) {
            auto got = client->decrypt(space);
            if (!got.ok()) {
                return std::move(got).error();
            }
            if (got.value() != 0 || client->ended() || !to_client()) {
                return std::string(reinterpret_cast<const char*>(space.data()), got.value());
            }
        }
    }
    std::string server_hears() {
        to_server();
        std::array<char, 64> space{};
        const int got = SSL_read(server.get(), space.data(), space.size());
        return std::string(space.data(), static_cast<std::size_t>(std::max(got, 0)));
    }

    struct Free {
        void operator()(SSL_CTX* it) const { SSL_CTX_free(it); }
        void operator()(SSL* it) const { SSL_free(it); }
    };
    const TlsFiles& files = TlsFiles::get();
    std::unique_ptr<SSL_CTX, Free> context{SSL_CTX_new(TLS_server_method())};
    std::unique_ptr<SSL, Free> server;
    BIO* inner = nullptr;
    BIO* outer = nullptr;
    std::unique_ptr<TlsSession> client;
};

std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

TEST_F(TlsSessionTest, what_one_side_says_the_other_hears) {
    open(files.client_options());
    ASSERT_TRUE(shake().value());
    EXPECT_EQ(client->encrypt(bytes("hello")).value(), 5U);
    EXPECT_EQ(server_hears(), "hello");
    server_says("good day");
    EXPECT_EQ(client_hears().value(), "good day");
}

TEST_F(TlsSessionTest, a_server_that_is_not_trusted_is_told_why) {
    open(TlsClientOptions().ca(files.other_ca.file()));
    auto refused = shake();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), Code::denied);
    EXPECT_EQ(refused.error().effect(), Effect::none);
    EXPECT_NE(SSL_do_handshake(server.get()), 1);
}

TEST_F(TlsSessionTest, a_name_that_the_certificate_has_not_is_refused) {
    open(files.client_options(), "example.test");
    EXPECT_EQ(shake().error().code(), Code::denied);
}

TEST_F(TlsSessionTest, new_keys_that_the_server_asks_for_are_answered_and_nothing_is_lost) {
    open(files.client_options());
    ASSERT_TRUE(shake().value());
    EXPECT_EQ(client->encrypt(bytes("with ours")).value(), 9U);
    const std::size_t one_record = client->unsent().size();
    EXPECT_EQ(server_hears(), "with ours");
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(SSL_key_update(server.get(), SSL_KEY_UPDATE_REQUESTED), 1);
        server_says("after new keys");
        EXPECT_EQ(client_hears().value(), "after new keys");
        EXPECT_EQ(client->encrypt(bytes("with ours")).value(), 9U);
        EXPECT_GT(client->unsent().size(), one_record);  // our new keys go before it
        EXPECT_EQ(server_hears(), "with ours");
    }
}

TEST_F(TlsSessionTest, looking_takes_nothing) {
    open(files.client_options());
    ASSERT_TRUE(shake().value());
    EXPECT_FALSE(client->readable().value());
    server_says("x");
    EXPECT_TRUE(to_client());
    EXPECT_TRUE(client->readable().value());
    EXPECT_TRUE(client->readable().value());
    EXPECT_EQ(client_hears().value(), "x");
}

TEST_F(TlsSessionTest, an_end_is_said_and_heard) {
    open(files.client_options());
    ASSERT_TRUE(shake().value());
    client->say_end();
    EXPECT_EQ(server_hears(), "");
    EXPECT_EQ(SSL_get_shutdown(server.get()) & SSL_RECEIVED_SHUTDOWN, SSL_RECEIVED_SHUTDOWN);
    SSL_shutdown(server.get());
    EXPECT_FALSE(client->ended());
    EXPECT_EQ(client_hears().value(), "");
    EXPECT_TRUE(client->ended());
}

TEST_F(TlsSessionTest, changed_bytes_are_corrupt) {
    open(files.client_options());
    ASSERT_TRUE(shake().value());
    server_says("x");
    std::size_t moved = 0;
    const std::span<std::byte> space = client->space();
    ASSERT_EQ(BIO_read_ex(outer, space.data(), space.size(), &moved), 1);
    space[moved - 1] ^= std::byte{1};
    client->received(moved);
    EXPECT_EQ(client_hears().error().code(), Code::corrupt);
}

TEST_F(TlsSessionTest, without_certificates_or_a_name_there_is_none) {
    EXPECT_EQ(TlsSession::open(nullptr, "localhost").error().code(), Code::invalid_argument);
    auto nameless = TlsSession::open(open_tls_client(files.client_options()).value(), "");
    EXPECT_EQ(nameless.error().code(), Code::invalid_argument);
}

}  // namespace
}  // namespace holdfast
