// Limits of what a caller may use, other tokens while it runs, pages for those who may see them,
// traces.

#include "routes.h"

#include <holdfast/io/virtual_runtime.h>
#include <holdfast/observe/trace.h>
#include <holdfast/server/service.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

#include <functional>

namespace holdfast {
namespace {

constexpr std::string_view token = "a token of everything";
constexpr std::string_view other_token = "another token of everything";

class CallersTest : public ::testing::Test {
protected:
    static ServiceOptions options() {
        ServiceOptions made;
        made.auth.tokens.emplace_back(std::string(token));
        made.auth.tokens.emplace_back(std::string(other_token));
        made.counts.keys_per_namespace_max = 2;
        made.counts.namespaces_per_client_max = 2;
        made.counts.key_idle_timeout = Duration(60'000);
        made.build.commit = "0123456789ab";
        made.store_name = "main";
        return made;
    }
    void open(ServiceOptions told = options()) {
        service_ = std::move(open_service(*store_, std::move(told), metrics, log_)).value();
        handler_ = service_->open(runtime_->loop(0));
    }
    HttpResponse
    ask(HttpMethod method,
        std::string_view path,
        const std::string& body,
        std::string_view with,
        std::string_view trace = {}) {
        const std::string authorization = "Bearer " + std::string(with);
        std::vector<HttpField> fields{{"Content-Type", "application/json"}};
        if (!with.empty()) {
            fields.push_back({"Authorization", authorization});
        }
        if (!trace.empty()) {
            fields.push_back({"traceparent", trace});
        }
        HttpRequest request;
        request.method = method;
        request.path = path;
        request.fields = fields;
        request.has_body = !body.empty();
        HttpResponse response;
        if (handler_->admit(request, response)) {
            between();
            request.body = body;
            EXPECT_TRUE(wait(*runtime_, handler_->serve(request, response)).ok());
        }
        return response;
    }
    HttpResponse get(std::string_view path, std::string_view with = token) {
        return ask(HttpMethod::get, path, "", with);
    }
    HttpResponse
    reserve(const std::string& key, std::string_view with = token, std::string_view trace = {}) {
        return ask(
            HttpMethod::post,
            "/ranges:reserve",
            R"({"size":1,"initialOffset":0,"key":")" + key + "\"}",
            with,
            trace
        );
    }

    std::function<void()> between = [] {
    };  // a request's head and its end
    Metrics metrics;

    std::unique_ptr<VirtualRuntime> runtime_ = open_virtual_runtime(VirtualOptions());
    std::unique_ptr<Store> store_ = open_memory_store();
    LogLines lines_;
    Log log_{LogFormat::text, LogLevel::debug, system_clock(), lines_};
    std::unique_ptr<Service> service_;
    std::unique_ptr<HttpHandler> handler_;
};

TEST_F(CallersTest, one_key_and_one_namespace_too_many_are_refused_and_counted) {
    open();
    EXPECT_EQ(reserve("a/1").status, 200);
    EXPECT_EQ(reserve("a/2").status, 200);
    const auto key = reserve("a/3");
    EXPECT_EQ(key.status, 429);
    EXPECT_TRUE(key.body.starts_with(R"({"code":"too_many_keys",)"));
    EXPECT_EQ(reserve("a/1").status, 200);
    EXPECT_EQ(reserve("b").status, 200) << "a key without a slash is its own namespace";
    const auto name = reserve("c");
    EXPECT_EQ(name.status, 429);
    EXPECT_TRUE(name.body.starts_with(R"({"code":"too_many_namespaces",)"));
    const std::string text = metrics.text();
    for (const char* reason : {"too_many_keys", "too_many_namespaces"}) {
        EXPECT_NE(
            text.find(
                "cosid_server_call_rejections_total{reason=\"" + std::string(reason) + "\"} 1"
            ),
            std::string::npos
        );
    }
    EXPECT_EQ(reserve("c", other_token).status, 200) << "each token is counted by itself";
}

TEST_F(CallersTest, a_key_comes_free_after_the_idle_time_and_a_failed_one_never_counted) {
    open();
    EXPECT_EQ(ask(HttpMethod::post, "/ranges:seal", R"({"key":"z"})", other_token).status, 204);
    EXPECT_EQ(reserve("z").status, 410);
    EXPECT_EQ(reserve("a/1").status, 200);
    EXPECT_EQ(reserve("b/1").status, 200);
    EXPECT_EQ(reserve("c/1").status, 429);
    runtime_->run(runtime_->now() + Duration(60'000));
    EXPECT_EQ(reserve("c/1").status, 200);
}

TEST_F(CallersTest, other_loops_count_the_same_keys) {
    open();
    EXPECT_EQ(reserve("a/1").status, 200);
    EXPECT_EQ(reserve("a/2").status, 200);
    handler_ = service_->open(runtime_->loop(0));
    EXPECT_EQ(reserve("a/3").status, 429);
}

TEST_F(CallersTest, other_tokens_hold_from_the_next_request_and_keep_what_they_count) {
    open();
    EXPECT_EQ(reserve("a/1").status, 200);
    EXPECT_EQ(reserve("a/2").status, 200);
    AuthOptions fresh;
    fresh.tokens.emplace_back("a third token of everything");
    fresh.tokens.emplace_back(std::string(token));
    ASSERT_TRUE(service_->reload(fresh).ok());
    EXPECT_EQ(reserve("a/1", other_token).status, 401);
    EXPECT_EQ(reserve("a/1", "a third token of everything").status, 200);
    EXPECT_EQ(reserve("a/3").status, 429) << "the same token, at another place of the list";
}

TEST_F(CallersTest, a_refused_reload_changes_nothing) {
    open();
    EXPECT_FALSE(service_->reload(AuthOptions()).ok());
    AuthOptions weak;
    weak.tokens.emplace_back("short");
    EXPECT_FALSE(service_->reload(weak).ok());
    EXPECT_EQ(reserve("a").status, 200);
}

TEST_F(CallersTest, a_request_on_its_way_is_judged_by_the_tokens_that_hold_at_its_end) {
    open();
    AuthOptions fresh;
    ClientOptions shop;
    shop.name = "shop";
    shop.token = Secret("a token of the shop");
    shop.namespaces = {"shop"};
    fresh.clients.push_back(shop);
    fresh.tokens.emplace_back(std::string(other_token));
    between = [&] {
        ASSERT_TRUE(service_->reload(fresh).ok());
    };
    EXPECT_EQ(reserve("a").status, 401) << "its number is another caller's now";
    EXPECT_EQ(reserve("a", other_token).status, 200);
}

TEST_F(CallersTest, what_is_inside_is_for_unrestricted_tokens) {
    open();
    constexpr std::string_view inside =
        R"({"status":"UP","components":{"store":{"status":"UP","details":{"name":"main","type":"memory"}}}})";
    EXPECT_EQ(get("/actuator/health").body, inside);
    EXPECT_EQ(get("/actuator/health", "").body, R"({"status":"UP"})");
    EXPECT_EQ(get("/actuator/health", "no such token").body, R"({"status":"UP"})");
    EXPECT_EQ(get("/actuator/info", "").status, 401);
    EXPECT_EQ(
        get("/actuator/info").body,
        R"({"build":{"version":"unknown","commit":"0123456789ab","compiler":"unknown"},)"
        R"("store":{"name":"main","type":"memory"},"runtime":{"namespace":"default","layout":null}})"
    );
    EXPECT_EQ(get("/actuator/cosid").body, R"({"generators":[],"leases":[],"ranges":[]})");
}

TEST_F(CallersTest, a_trace_is_continued_and_a_broken_one_is_replaced) {
    open();
    constexpr std::string_view sent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const auto continued = reserve("a", token, sent).headers;
    EXPECT_TRUE(continued.starts_with("traceparent: 00-0af7651916cd43dd8448eb211c80319c-"))
        << continued;
    EXPECT_EQ(continued.find("b7ad6b7169203331"), std::string::npos) << "a span of our own";
    const auto begun = reserve("a", token, "00-0-0-00").headers;
    EXPECT_TRUE(begun.starts_with("traceparent: 00-")) << begun;
    EXPECT_TRUE(TraceContext::parse(begun.substr(13, 55)).has_value());
    EXPECT_EQ(reserve("a").headers, "") << "nothing is formatted that nobody asked for";
}

// The decision for each row by the default rules. A row that is added must be added here, too.
TEST(RoutePolicy, each_route_has_the_access_that_was_decided_for_it) {
    const AuthOptions options;
    const AccessRules rules(options.public_paths, options.admin_paths);
    const std::vector<std::pair<std::string_view, Access>> decided{
#include "tests/golden/route_policy.inc"
    };
    ASSERT_EQ(decided.size(), routes().size()) << "decide who may call the new route";
    for (std::size_t i = 0; i < decided.size(); ++i) {
        EXPECT_EQ(routes()[i].path, decided[i].first);
        EXPECT_EQ(rules.of(routes()[i], routes()[i].path), decided[i].second) << routes()[i].path;
        if (routes()[i].method == HttpMethod::post) {
            EXPECT_NE(rules.of(routes()[i], routes()[i].path), Access::open) << routes()[i].path;
        }
    }
}

}  // namespace
}  // namespace holdfast
