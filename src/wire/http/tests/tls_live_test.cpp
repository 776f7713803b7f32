// The listener behind TLS, on real sockets and two loops.
#include <holdfast/http/server.h>
#include <holdfast/io/compose.h>
#include <holdfast/io/tcp.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/certificates.h>
#include <support/temporary_folder.h>

#include <string>
#include <vector>

namespace holdfast {
namespace {

using ::testing::HasSubstr;

class PathHandler final : public HttpHandler {
public:
    bool admit(const HttpRequest&, HttpResponse&) override { return true; }
    Task<Done> serve(const HttpRequest& request, HttpResponse& response) override {
        response.body.append(request.path).append(request.path == "/large" ? 1'000'000 : 0, 'x');
        co_return Done();
    }
    void refuse(HttpRefusal refusal, HttpResponse& response) override {
        response.body.append(refusal.what);
    }
};
class PathHandlers final : public HttpHandlers {
public:
    std::unique_ptr<HttpHandler> open(Loop&) override { return std::make_unique<PathHandler>(); }
};

Task<std::unique_ptr<Stream>>
connect(std::uint16_t port, std::shared_ptr<const TlsContext> context) {
    const Deadline end = Deadline::in(Duration(20'000), (co_await this_scope()).loop().now());
    auto connected = co_await connect_tcp("127.0.0.1", port, end);
    if (!connected.ok() || context == nullptr) {
        co_return std::move(connected);
    }
    co_return co_await connect_tls(
        std::move(connected).value(), std::move(context), "127.0.0.1", end
    );
}

// Until `enough` has come, or the end.
Task<std::string> exchange(Stream* stream, std::string text, std::string enough) {
    const Deadline end = Deadline::in(Duration(20'000), (co_await this_scope()).loop().now());
    auto wrote = co_await write_all(*stream, text, end);
    if (!wrote.ok()) {
        co_return std::move(wrote).error();
    }
    std::string received;
    std::vector<std::byte> bytes(4096);
    while (enough.empty() || received.find(enough) == std::string::npos) {
        auto got = co_await stream->read_some(bytes);
        if (!got.ok()) {
            co_return std::move(got).error();
        }
        if (got.value() == 0) {
            break;
        }
        received.append(reinterpret_cast<const char*>(bytes.data()), got.value());
    }
    co_return received;
}

std::string get(std::string_view path, std::string_view fields = {}) {
    return std::string("GET ")
        .append(path)
        .append(" HTTP/1.1\r\nHost: a\r\n")
        .append(fields)
        .append("\r\n");
}

class HttpsServerLive : public ::testing::Test {
protected:
    ~HttpsServerLive() override {
        streams.clear();
        server.reset();
    }

    void open(HttpLimits limits = {}) {
        server = open_http_server(
                     *runtime, HttpServerOptions().port(0).limits(limits).tls(contexts), handlers
        )
                     .value();
    }
    Result<Stream*> connected(const std::shared_ptr<const TlsContext>& context) {
        auto made = wait(*runtime, loop, connect(server->port(), context));
        if (!made.ok()) {
            return std::move(made).error();
        }
        streams.push_back(std::move(made).value());
        return streams.back().get();
    }
    Result<std::string> ask(Stream* stream, std::string text, std::string enough = "") {
        return wait(*runtime, loop, exchange(stream, std::move(text), std::move(enough)));
    }
    template <class Condition>
    void until(Condition holds) {
        auto pause = []() -> Task<> {
            Scope& scope = co_await this_scope();
            (void)co_await sleep(scope.loop().now() + Duration(2));
            co_return Done();
        };
        while (!holds()) {
            (void)wait(*runtime, pause());
        }
    }

    testing::TemporaryFolder folder;
    testing::CertificateAuthority ca{folder.path(), "ca"};
    testing::CertificateFiles files = ca.issue("server", "IP:127.0.0.1");
    TlsServerOptions options =
        TlsServerOptions().certificate(files.certificate).key(files.key).protocol("http/1.1");
    std::shared_ptr<TlsServerContexts> contexts =
        std::make_shared<TlsServerContexts>(open_tls_server(options).value());
    std::shared_ptr<const TlsContext> client =
        open_tls_client(TlsClientOptions().ca(ca.file()).protocol("http/1.1")).value();
    PathHandlers handlers;
    std::unique_ptr<Runtime> runtime =
        open_runtime(RuntimeOptions().loops(2).pool_threads(1)).value();
    Loop& loop = runtime->loop(0);
    std::unique_ptr<HttpServer> server;
    std::vector<std::unique_ptr<Stream>> streams;
};

TEST_F(HttpsServerLive, requests_are_answered_and_the_end_is_said) {
    open();
    Stream* const stream = connected(client).value();
    auto got = ask(stream, get("/a") + get("/large", "Connection: close\r\n"));
    ASSERT_TRUE(got.ok()) << got.error().what();
    EXPECT_THAT(got.value(), HasSubstr("/aHTTP/1.1 200 OK"));
    EXPECT_GT(got.value().size(), 1'000'000U);
    EXPECT_EQ(server->counts().requests, 2U);
    EXPECT_EQ(server->counts().handshakes_failed, 0U);
}

TEST_F(HttpsServerLive, plain_text_is_closed_and_counted) {
    open();
    Stream* const plain = connected(nullptr).value();
    const auto got = ask(plain, get("/a"));
    EXPECT_TRUE(!got.ok() || got.value().find("HTTP/1.1 200") == std::string::npos);
    until([&] { return server->counts().handshakes_failed == 1; });
    EXPECT_EQ(server->counts().requests, 0U);
    until([&] { return server->counts().connections_open == 0; });
    EXPECT_TRUE(ask(connected(client).value(), get("/b"), "/b").ok());
}

TEST_F(HttpsServerLive, who_says_nothing_is_dropped_and_nobody_waits_for_him) {
    HttpLimits limits;
    limits.header_time = Duration(1'000);
    open(limits);
    std::vector<Stream*> silent;
    for (int i = 0; i < 8; ++i) {
        silent.push_back(connected(nullptr).value());
    }
    EXPECT_TRUE(ask(connected(client).value(), get("/b"), "/b").ok());
    for (Stream* const stream : silent) {
        const auto got = ask(stream, "");
        EXPECT_TRUE(!got.ok() || got.value().empty());
    }
    until([&] { return server->counts().handshakes_failed == 8; });
}

TEST_F(HttpsServerLive, a_drain_ends_idle_connections_and_handshakes) {
    open();
    Stream* const idle = connected(client).value();
    ASSERT_TRUE(ask(idle, get("/a"), "/a").ok());
    Stream* const silent = connected(nullptr).value();
    until([&] { return server->counts().connections_open == 2; });
    EXPECT_TRUE(wait(*runtime, server->drain(Deadline::in(Duration(10'000), runtime->clock()))).ok()
    );
    EXPECT_EQ(ask(idle, "").value(), "");
    const auto got = ask(silent, "");
    EXPECT_TRUE(!got.ok() || got.value().empty());
}

TEST_F(HttpsServerLive, a_destroyed_server_leaves_no_handshake) {
    open();
    (void)connected(nullptr);
    (void)connected(client);
    until([&] { return server->counts().connections_open == 2; });
    server.reset();
}

TEST_F(HttpsServerLive, new_certificates_hold_for_new_connections_and_open_ones_go_on) {
    open();
    Stream* const before = connected(client).value();
    ASSERT_TRUE(ask(before, get("/a"), "/a").ok());
    const testing::CertificateAuthority other(folder.path(), "other");
    const auto fresh = other.issue("server", "IP:127.0.0.1");
    ASSERT_TRUE(contexts->reload(options.certificate(fresh.certificate).key(fresh.key)).ok());
    EXPECT_EQ(connected(client).error().code(), Code::denied);
    auto trusting = open_tls_client(TlsClientOptions().ca(other.file()));
    EXPECT_TRUE(ask(connected(trusting.value()).value(), get("/b"), "/b").ok());
    EXPECT_TRUE(ask(before, get("/c"), "/c").ok());
}

}  // namespace
}  // namespace holdfast
