// The listener on real sockets and two loops.
#include <holdfast/http/server.h>
#include <holdfast/io/compose.h>
#include <holdfast/io/tcp.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

namespace holdfast {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Answers with its path; /slow waits 300 ms, /stuck until it is asked to stop.
class PathHandler final : public HttpHandler {
public:
    bool admit(const HttpRequest&, HttpResponse&) override { return true; }
    Task<Done> serve(const HttpRequest& request, HttpResponse& response) override {
        if (request.path == "/slow" || request.path == "/stuck") {
            Scope& scope = co_await this_scope();
            const Duration wait(request.path == "/slow" ? 300 : 1'000'000'000);
            (void)co_await sleep(scope.loop().now() + wait);
        }
        response.body.append(request.path).append(" from ").append(request.peer);
        co_return Done();
    }
    void refuse(HttpRefusal refusal, HttpResponse& response) override {
        response.body.append(refusal.what);
    }
};
class PathHandlers final : public HttpHandlers {
public:
    std::unique_ptr<HttpHandler> open(Loop&) override {
        ++opened;
        return std::make_unique<PathHandler>();
    }
    int opened = 0;
};

std::string get(std::string_view path, std::string_view fields = {}) {
    return std::string("GET ")
        .append(path)
        .append(" HTTP/1.1\r\nHost: a\r\n")
        .append(fields)
        .append("\r\n");
}

// All that a new connection is sent, to its end.
Task<std::string> exchange(std::uint16_t port, std::string text) {
    const Deadline deadline = Deadline::in(Duration(20'000), (co_await this_scope()).loop().now());
    auto connected = co_await connect_tcp("127.0.0.1", port, deadline);
    if (!connected.ok()) {
        co_return std::move(connected).error();
    }
    std::unique_ptr<Stream> stream = std::move(connected).value();
    auto wrote = co_await write_all(*stream, text, deadline);
    if (!wrote.ok()) {
        co_return std::move(wrote).error();
    }
    std::string received;
    std::vector<std::byte> bytes(4096);
    for (;;) {
        auto got = co_await stream->read_some(bytes);
        if (!got.ok() || got.value() == 0) {
            co_return received;
        }
        received.append(reinterpret_cast<const char*>(bytes.data()), got.value());
    }
}

struct Rig {
    explicit Rig(HttpServerOptions options) {
        RuntimeOptions two;
        two.loops(2).pool_threads(1);
        auto runtime_opened = open_runtime(two);
        EXPECT_TRUE(runtime_opened.ok());
        runtime = std::move(runtime_opened).value();
        auto opened = open_http_server(*runtime, std::move(options), handlers);
        EXPECT_TRUE(opened.ok());
        server = std::move(opened).value();
    }
    Result<std::string> ask(std::string text) {
        return wait(*runtime, exchange(server->port(), std::move(text)));
    }
    template <class Condition>
    void until(Condition holds) {
        while (!holds()) {
            (void)wait(*runtime, pause());
        }
    }
    static Task<> pause() {
        (void)co_await sleep((co_await this_scope()).loop().now() + Duration(2));
        co_return Done();
    }

    PathHandlers handlers;
    std::unique_ptr<Runtime> runtime;
    std::unique_ptr<HttpServer> server;
};

TEST(HttpServerLive, answers_on_every_loop_and_counts) {
    Rig rig(HttpServerOptions().port(0));
    EXPECT_EQ(rig.handlers.opened, 2);
    for (int i = 0; i < 3; ++i) {
        auto got = rig.ask(get("/a") + get("/slow", "Connection: close\r\n"));
        ASSERT_TRUE(got.ok());
        EXPECT_THAT(got.value(), HasSubstr("/a from 127.0.0.1HTTP/1.1 200 OK"));
        EXPECT_THAT(got.value(), HasSubstr("/slow from 127.0.0.1"));
    }
    auto bad = rig.ask("GET / HTTP/2.0\r\n\r\n");
    EXPECT_THAT(bad.value(), StartsWith("HTTP/1.1 505 "));
    rig.until([&] { return rig.server->counts().connections_open == 0; });
    const HttpServerCounts counts = rig.server->counts();
    EXPECT_EQ(counts.connections_accepted, 4U);
    EXPECT_EQ(counts.requests, 6U);
    EXPECT_EQ(counts.refusals, 1U);
}

TEST(HttpServerLive, a_connection_too_many_is_told_so) {
    Rig rig(HttpServerOptions().port(0).connections_max(1));
    auto first = start(*rig.runtime, exchange(rig.server->port(), get("/stuck")));
    rig.until([&] { return rig.server->counts().connections_open == 1; });
    auto second = rig.ask("");
    EXPECT_THAT(second.value(), StartsWith("HTTP/1.1 503 "));
    EXPECT_EQ(rig.server->counts().connections_refused, 1U);
    rig.server.reset();
    EXPECT_EQ(first.get().value(), "");
}

TEST(HttpServerLive, a_drain_answers_what_is_at_work_and_closes_what_is_idle) {
    Rig rig(HttpServerOptions().port(0));
    const std::uint16_t port = rig.server->port();
    auto busy = start(*rig.runtime, exchange(port, get("/slow")));
    auto idle = start(*rig.runtime, exchange(port, get("/a")));
    rig.until([&] { return rig.server->counts().requests == 2; });
    auto drained =
        wait(*rig.runtime, rig.server->drain(Deadline::in(Duration(10'000), rig.runtime->clock())));
    EXPECT_TRUE(drained.ok());
    auto answer = busy.get();
    EXPECT_THAT(answer.value(), HasSubstr("Connection: close\r\n\r\n/slow from"));
    EXPECT_THAT(idle.get().value(), HasSubstr("/a from"));
    EXPECT_EQ(rig.server->counts().connections_open, 0U);
    EXPECT_FALSE(rig.ask(get("/a")).ok());
}

TEST(HttpServerLive, a_drain_that_takes_too_long_cuts_off) {
    Rig rig(HttpServerOptions().port(0));
    auto stuck = start(*rig.runtime, exchange(rig.server->port(), get("/stuck")));
    rig.until([&] { return rig.server->counts().requests == 1; });
    auto drained =
        wait(*rig.runtime, rig.server->drain(Deadline::in(Duration(50), rig.runtime->clock())));
    ASSERT_FALSE(drained.ok());
    EXPECT_EQ(drained.error().code(), Code::timed_out);
    EXPECT_EQ(stuck.get().value(), "");
}

TEST(HttpServerLive, a_server_that_is_destroyed_drops_its_connections) {
    Rig rig(HttpServerOptions().port(0));
    auto stuck = start(*rig.runtime, exchange(rig.server->port(), get("/stuck")));
    rig.until([&] { return rig.server->counts().requests == 1; });
    rig.server.reset();
    EXPECT_EQ(stuck.get().value(), "");
}

TEST(HttpServerLive, a_port_in_use_is_refused_though_it_could_be_shared) {
    Rig rig(HttpServerOptions().port(0));
    PathHandlers others;
    auto second =
        open_http_server(*rig.runtime, HttpServerOptions().port(rig.server->port()), others);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(others.opened, 0);
    auto nowhere = open_http_server(*rig.runtime, HttpServerOptions().address("nowhere"), others);
    ASSERT_FALSE(nowhere.ok());
    EXPECT_EQ(nowhere.error().code(), Code::invalid_argument);
}

TEST(HttpServerLive, a_runtime_that_closes_ends_the_server) {
    Rig rig(HttpServerOptions().port(0));
    auto stuck = start(*rig.runtime, exchange(rig.server->port(), get("/stuck")));
    rig.until([&] { return rig.server->counts().requests == 1; });
    EXPECT_EQ(rig.runtime->close(Deadline::in(Duration(5'000), rig.runtime->clock())), 0U);
    rig.server.reset();
}

}  // namespace
}  // namespace holdfast
