// Promises of TLS handshakes and of the files behind them.
#include "tests/tls_scene.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <fstream>

namespace holdfast {
namespace {

Code code_of(const std::optional<Error>& error) {
    EXPECT_TRUE(error.has_value());
    EXPECT_EQ(error.has_value() ? error->effect() : Effect::unknown, Effect::none);
    return error.has_value() ? error->code() : Code::internal;
}

class TlsHandshake : public ::testing::Test {
protected:
    const TlsFiles& files = TlsFiles::get();
    TlsScene scene;
};

TEST_F(TlsHandshake, a_name_and_an_address_of_the_certificate_are_both_taken) {
    scene.shake(files.server_options(), files.client_options(), "127.0.0.1");
    EXPECT_TRUE(scene.server && scene.client);
    TlsScene second;
    second.shake(files.server_options(), files.client_options(), "localhost");
    EXPECT_TRUE(second.server && second.client);
}

TEST_F(TlsHandshake, a_certificate_for_another_host_is_refused) {
    for (const std::string host : {"example.test", "127.0.0.2", "localhost.example.test"}) {
        TlsScene one;
        one.shake(files.server_options(), files.client_options(), host);
        EXPECT_EQ(code_of(one.client_error), Code::denied) << host;
        EXPECT_EQ(one.client_error->what(), "the peer's certificate is for another host");
        EXPECT_EQ(code_of(one.server_error), Code::denied) << host;
    }
}

TEST_F(TlsHandshake, a_client_without_a_host_name_does_not_begin) {
    scene.shake(files.server_options(), files.client_options(), "");
    EXPECT_EQ(code_of(scene.client_error), Code::invalid_argument);
}

TEST_F(TlsHandshake, a_certificate_of_a_stranger_is_refused) {
    scene.shake(files.server_options(), TlsClientOptions().ca(files.other_ca.file()));
    EXPECT_EQ(code_of(scene.client_error), Code::denied);
    EXPECT_EQ(code_of(scene.server_error), Code::denied);
}

TEST_F(TlsHandshake, a_client_that_checks_the_chain_alone_takes_any_name_but_no_stranger) {
    const TlsClientOptions chain = files.client_options().verify(TlsVerify::chain);
    scene.shake(files.server_options(), chain, "example.test");
    EXPECT_TRUE(scene.server && scene.client);
    TlsScene strange;
    TlsClientOptions other = TlsClientOptions().ca(files.other_ca.file()).verify(TlsVerify::chain);
    strange.shake(files.server_options(), other, "localhost");
    EXPECT_EQ(code_of(strange.client_error), Code::denied);
}

TEST_F(TlsHandshake, a_client_that_checks_nothing_takes_anybody) {
    TlsClientOptions any = TlsClientOptions().ca(files.other_ca.file()).verify(TlsVerify::none);
    scene.shake(
        TlsServerOptions().certificate(files.expired.certificate).key(files.expired.key),
        any,
        "127.0.0.9"
    );
    EXPECT_TRUE(scene.server && scene.client);
}

TEST_F(TlsHandshake, an_expired_certificate_is_refused) {
    scene.shake(
        TlsServerOptions().certificate(files.expired.certificate).key(files.expired.key),
        files.client_options()
    );
    EXPECT_EQ(code_of(scene.client_error), Code::denied);
    EXPECT_EQ(scene.client_error->what(), "the peer's certificate does not hold at this time");
}

TEST_F(TlsHandshake, a_client_certificate_that_is_asked_for_is_taken) {
    scene.shake(
        files.asking_options(),
        files.client_options().certificate(files.client.certificate).key(files.client.key)
    );
    EXPECT_TRUE(scene.server && scene.client);
}

TEST_F(TlsHandshake, a_client_without_the_certificate_that_is_asked_for_is_refused_and_told) {
    scene.shake(files.asking_options(), files.client_options());
    EXPECT_EQ(code_of(scene.server_error), Code::denied);
    EXPECT_EQ(scene.server_error->what(), "the peer shows no certificate");
    ASSERT_TRUE(scene.client);  // in TLS 1.3 the client is ready first
    EXPECT_EQ(scene.run(reading_all(scene.client.get())).error().code(), Code::denied);
}

TEST_F(TlsHandshake, a_client_certificate_of_a_stranger_is_refused) {
    scene.shake(
        files.asking_options(),
        files.client_options().certificate(files.stranger.certificate).key(files.stranger.key)
    );
    EXPECT_EQ(code_of(scene.server_error), Code::denied);
}

TEST_F(TlsHandshake, of_the_protocols_inside_only_the_one_is_spoken) {
    auto server = files.server_options().protocol("http/1.1");
    scene.shake(server, files.client_options().protocol("http/1.1"));
    EXPECT_TRUE(scene.server && scene.client);
    TlsScene silent;
    silent.shake(server, files.client_options());
    EXPECT_TRUE(silent.server && silent.client);
    TlsScene other;
    other.shake(server, files.client_options().protocol("h2"));
    EXPECT_EQ(code_of(other.server_error), Code::unsupported);
    EXPECT_EQ(code_of(other.client_error), Code::unsupported);
}

// The first bytes of a client that knows nothing later than TLS 1.1.
std::string old_hello() {
    const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(
        SSL_CTX_new(TLS_client_method()), SSL_CTX_free
    );
    SSL_CTX_set_security_level(context.get(), 0);
    SSL_CTX_set_min_proto_version(context.get(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context.get(), TLS1_1_VERSION);
    SSL_CTX_set_cipher_list(context.get(), "ALL:@SECLEVEL=0");
    const std::unique_ptr<SSL, void (*)(SSL*)> ssl(SSL_new(context.get()), SSL_free);
    BIO* const out = BIO_new(BIO_s_mem());
    SSL_set_bio(ssl.get(), BIO_new(BIO_s_mem()), out);
    SSL_connect(ssl.get());
    std::string hello(4096, ' ');
    hello.resize(static_cast<std::size_t>(BIO_read(out, hello.data(), 4096)));
    return hello;
}

Task<std::string> speak(std::unique_ptr<Stream> stream, std::string text, Deadline end) {
    auto sent = co_await write_all(*stream, text, end);
    if (!sent.ok()) {
        co_return std::move(sent).error();
    }
    co_return co_await reading_all(stream.get());
}

TEST_F(TlsHandshake, tls_1_1_is_refused_by_an_alert) {
    auto context = open_tls_server(files.server_options());
    auto both = scene.run(when_all(
        accept_tls(std::move(scene.near), context.value(), scene.in(10'000)),
        speak(std::move(scene.far), old_hello(), scene.in(10'000))
    ));
    EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::unsupported);
    const std::string answer = std::get<1>(both.value()).value();
    ASSERT_EQ(answer.size(), 7U);
    EXPECT_EQ(answer[0], 21);  // an alert
    EXPECT_EQ(answer[5], 2);   // fatal
    EXPECT_EQ(answer[6], 70);  // protocol version
}

TEST_F(TlsHandshake, plain_text_is_refused) {
    auto context = open_tls_server(files.server_options());
    for (const std::string text :
         {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n\r\n\r\n", "hello there"}) {
        TlsScene one;
        auto both = one.run(when_all(
            accept_tls(std::move(one.near), context.value(), one.in(10'000)),
            speak(std::move(one.far), text, one.in(10'000))
        ));
        EXPECT_EQ(std::get<0>(both.value()).error().code(), Code::corrupt) << text;
    }
}

TEST_F(TlsHandshake, a_peer_that_says_nothing_is_dropped_at_the_deadline) {
    auto context = open_tls_server(files.server_options());
    const SteadyTime begin = scene.now();
    auto outcome = scene.run(accept_tls(std::move(scene.near), context.value(), scene.in(500)));
    EXPECT_EQ(outcome.error().code(), Code::timed_out);
    EXPECT_EQ(outcome.error().effect(), Effect::none);
    EXPECT_LE(scene.now() - begin, Duration(600));
}

TEST_F(TlsHandshake, a_peer_that_leaves_is_not_waited_for) {
    auto context = open_tls_server(files.server_options());
    scene.far.reset();
    auto outcome = scene.run(accept_tls(std::move(scene.near), context.value(), scene.in(500)));
    EXPECT_EQ(outcome.error().code(), Code::unreachable);
}

TEST_F(TlsHandshake, files_that_are_reloaded_hold_for_new_connections_and_old_ones_go_on) {
    TlsServerContexts contexts(open_tls_server(files.server_options()).value());
    auto shake = [&](TlsScene& on, const std::string& ca) {
        auto client = open_tls_client(TlsClientOptions().ca(ca));
        auto both = on.run(when_all(
            accept_tls(std::move(on.near), contexts.current(), on.in(10'000)),
            connect_tls(std::move(on.far), client.value(), "localhost", on.in(10'000))
        ));
        auto& [accepted, connected] = both.value();
        if (accepted.ok() && connected.ok()) {
            on.server = std::move(accepted).value();
            on.client = std::move(connected).value();
        }
        return on.server != nullptr;
    };
    ASSERT_TRUE(shake(scene, files.ca.file()));
    ASSERT_TRUE(contexts
                    .reload(TlsServerOptions()
                                .certificate(files.second_server.certificate)
                                .key(files.second_server.key))
                    .ok());
    TlsScene second;
    EXPECT_TRUE(shake(second, files.other_ca.file()));
    TlsScene third;
    EXPECT_FALSE(shake(third, files.ca.file()));
    auto still = scene.run(when_all(
        writing_all(scene.server.get(), "still", scene.in(1'000)),
        [](Stream* from) -> Task<int> {
            std::array<std::byte, 16> space;
            auto got = co_await from->read_some(space);
            co_return got.ok() ? static_cast<int>(got.value()) : -1;
        }(scene.client.get())
    ));
    EXPECT_EQ(std::get<1>(still.value()).value(), 5);
}

TEST_F(TlsHandshake, a_reload_of_bad_files_is_refused_and_the_old_ones_stay) {
    TlsServerContexts contexts(open_tls_server(files.server_options()).value());
    const auto before = contexts.current();
    EXPECT_FALSE(contexts.reload(files.server_options().key(files.client.key)).ok());
    EXPECT_FALSE(contexts.reload(files.server_options().certificate("/nowhere.crt")).ok());
    EXPECT_EQ(contexts.current(), before);
}

void expect_refused(
    const TlsServerOptions& options, std::string_view option, const std::string& file
) {
    const auto opened = open_tls_server(options);
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code(), Code::invalid_argument);
    ASSERT_NE(opened.error().context(), nullptr);
    EXPECT_EQ(opened.error().context()->command, option);
    EXPECT_TRUE(opened.error().context()->server_text.starts_with(file + ": "))
        << opened.error().context()->server_text;
}

TEST_F(TlsHandshake, a_file_that_cannot_be_used_is_named) {
    const std::string missing = (files.folder / "missing.pem").string();
    const std::string empty = (files.folder / "empty.pem").string();
    std::ofstream(empty) << "no PEM here\n";
    for (const std::string& file : {missing, empty}) {
        expect_refused(files.server_options().certificate(file), "certificate", file);
        expect_refused(files.server_options().key(file), "key", file);
        expect_refused(files.server_options().client_ca(file), "client-ca", file);
    }
    expect_refused(files.server_options().key(files.client.key), "key", files.client.key);
}

TEST_F(TlsHandshake, a_key_with_a_password_is_refused_and_nobody_is_asked) {
    const std::string locked = (files.folder / "locked.key").string();
    EVP_PKEY* const key = EVP_EC_gen("P-256");
    std::FILE* const to = std::fopen(locked.c_str(), "w");
    PEM_write_PrivateKey(
        to,
        key,
        EVP_aes_128_cbc(),
        reinterpret_cast<const unsigned char*>("secret"),
        6,
        nullptr,
        nullptr
    );
    std::fclose(to);
    EVP_PKEY_free(key);
    expect_refused(files.server_options().key(locked), "key", locked);
}

}  // namespace
}  // namespace holdfast
