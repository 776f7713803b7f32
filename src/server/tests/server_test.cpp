// The service as its listener sees it, on the memory store, without a socket.

#include "auth.h"
#include "routes.h"

#include <holdfast/io/virtual_runtime.h>
#include <holdfast/server/service.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr std::string_view token = "0123456789abcdef";
constexpr std::string_view client_token = "a token of the shop";

ServiceOptions options() {
    ServiceOptions made;
    made.auth.tokens.emplace_back(std::string(token));
    ClientOptions shop;
    shop.name = "shop";
    shop.token = Secret(std::string(client_token));
    shop.namespaces = {"shop"};
    shop.key_prefixes = {"shared/orders-"};
    made.auth.clients.push_back(shop);
    return made;
}

// A store whose answers the test decides.
class ScriptedStore final : public Store, public RangeStore, public SlotLeaseStore {
public:
    RangeStore& ranges() override { return *this; }
    SlotLeaseStore& slots() override { return *this; }
    std::string_view type() const override { return "scripted"; }
    Task<Done> probe(Deadline) override {
        ++probes;
        const SteadyTime until = (co_await this_scope()).loop().now() + probe_time;
        auto slept = co_await sleep(until);
        if (!slept.ok()) {
            co_return std::move(slept).error();
        }
        if (!healthy) {
            co_return Error(Code::unreachable, Effect::none, "away");
        }
        co_return Done();
    }
    Task<ReserveOutcome> reserve(ReserveRequest, Deadline) override {
        ++calls;
        co_return Error(code, effect, "inside knowledge");
    }
    Task<SealOutcome> seal(RangeKey, Deadline) override { co_return SealOutcome::unsupported; }
    Task<AcquireOutcome> acquire(AcquireRequest, Deadline) override {
        co_return AcquireOutcome(NamespaceMismatch());
    }
    Task<RenewOutcome> renew(LeaseKey, Duration, Duration, Deadline) override {
        LeaseLost lost;
        lost.rollback_suspected = true;
        co_return RenewOutcome(lost);
    }
    Task<ReleaseOutcome> release(LeaseKey, StoreTime, Deadline) override {
        co_return Error(
            Code::invalid_argument, Effect::none, "lastIssued lies outside the lease's window"
        );
    }

    Code code = Code::internal;
    Effect effect = Effect::unknown;
    bool healthy = true;
    int calls = 0;
    int probes = 0;
    Duration probe_time{0};
};

class ServiceTest : public ::testing::Test {
protected:
    struct Call {
        HttpMethod method = HttpMethod::post;
        std::string path = "/ranges:reserve";
        std::string body = R"({"key":"a","size":10,"initialOffset":0})";
        std::vector<HttpField> fields;
    };

    void open(Store& store, ServiceOptions told = options()) {
        service_ = std::move(open_service(store, std::move(told), metrics, log)).value();
        handler_ = service_->open(runtime_->loop(0));
    }

    // The way of the listener: head first, then the whole request.
    HttpResponse call(const Call& call) {
        HttpRequest request;
        request.method = call.method;
        request.path = call.path;
        request.fields = call.fields;
        request.has_body = !call.body.empty();
        request.content_length = call.body.size();
        HttpResponse response;
        if (handler_->admit(request, response)) {
            request.body = call.body;
            const auto served = wait(*runtime_, handler_->serve(request, response));
            EXPECT_TRUE(served.ok());
        }
        return response;
    }
    HttpResponse post(std::string path, std::string body, std::string_view with = token) {
        const std::string authorization = "Bearer " + std::string(with);
        Call made;
        made.path = std::move(path);
        made.body = std::move(body);
        made.fields = {{"Authorization", authorization}, {"Content-Type", "application/json"}};
        return call(made);
    }
    HttpResponse get(std::string path, std::vector<HttpField> fields = {}) {
        Call made;
        made.method = HttpMethod::get;
        made.path = std::move(path);
        made.body = {};
        made.fields = std::move(fields);
        return call(made);
    }

    std::unique_ptr<VirtualRuntime> runtime_ = open_virtual_runtime(VirtualOptions());
    std::unique_ptr<Store> memory_ = open_memory_store();
    ScriptedStore scripted;
    Metrics metrics;
    LogLines lines;
    Log log{LogFormat::text, LogLevel::debug, system_clock(), lines};
    std::unique_ptr<Service> service_;
    std::unique_ptr<HttpHandler> handler_;
};

TEST_F(ServiceTest, two_reserves_give_disjoint_ranges) {
    open(*memory_);
    const std::string body = R"({"key":"a","size":10,"initialOffset":5})";
    EXPECT_EQ(post("/ranges:reserve", body).body, R"({"start":5,"end":15})");
    EXPECT_EQ(post("/ranges:reserve", body).body, R"({"start":15,"end":25})");
}

TEST_F(ServiceTest, a_sealed_and_an_exhausted_key_have_their_own_answers) {
    open(*memory_);
    EXPECT_EQ(post("/ranges:seal", R"({"key":"a"})").status, 204);
    const auto sealed = post("/ranges:reserve", R"({"key":"a","size":1,"initialOffset":0})");
    EXPECT_EQ(sealed.status, 410);
    EXPECT_EQ(sealed.body, R"({"code":"range_sealed","message":"the key is sealed"})");
    const auto exhausted =
        post("/ranges:reserve", R"({"key":"b","size":1,"initialOffset":9223372036854775807})");
    EXPECT_EQ(exhausted.status, 422);
    EXPECT_TRUE(exhausted.body.starts_with(R"({"code":"range_exhausted",)"));
}

TEST_F(ServiceTest, a_slot_is_acquired_renewed_and_released) {
    open(*memory_);
    const std::string who = R"("namespace":"shop","ownerKey":"o","incarnation":"i")";
    const auto acquired =
        post("/slots:acquire", "{" + who + R"(,"limit":1,"ttlMs":30000,"toleranceMs":0})");
    EXPECT_EQ(acquired.status, 200);
    EXPECT_NE(
        acquired.body.find(R"("reason":"free","duplicateOwnerKey":false})"), std::string::npos
    );
    const auto full = post(
        "/slots:acquire",
        R"({"namespace":"shop","ownerKey":"p","incarnation":"j","limit":1,"ttlMs":30000,"toleranceMs":0})"
    );
    EXPECT_EQ(full.status, 409);
    EXPECT_TRUE(full.body.starts_with(R"({"code":"slots_exhausted",)"));
    const auto other = post(
        "/slots:acquire",
        R"({"namespace":"shop","ownerKey":"p","incarnation":"j","limit":2,"ttlMs":30000,"toleranceMs":0})"
    );
    EXPECT_EQ(other.status, 409);
    EXPECT_TRUE(other.body.starts_with(R"({"code":"namespace_mismatch",)"));
    EXPECT_EQ(
        post("/slots:renew", "{" + who + R"(,"slot":0,"fence":1,"ttlMs":30000,"toleranceMs":0})")
            .status,
        200
    );
    const auto lost =
        post("/slots:renew", "{" + who + R"(,"slot":0,"fence":2,"ttlMs":30000,"toleranceMs":0})");
    EXPECT_EQ(lost.status, 409);
    EXPECT_TRUE(lost.body.starts_with(R"({"code":"lease_lost",)"));
    const std::string release = "{" + who + R"(,"slot":0,"fence":1,"lastIssued":)";
    EXPECT_EQ(post("/slots:release", release + "9007199254740991}").status, 400);
    EXPECT_EQ(post("/slots:release", release + "-1}").status, 204);
    EXPECT_EQ(post("/slots:release", release + "-1}").status, 409);
}

TEST_F(ServiceTest, nothing_but_health_and_the_landing_page_is_answered_without_a_token) {
    open(scripted);
    for (const Route& route : routes()) {
        Call made;
        made.method = route.method;
        made.path = std::string(route.path);
        made.fields = {{"Content-Type", "application/json"}};
        const auto response = call(made);
        if (route.path.starts_with("/actuator/health") || route.path == "/") {
            EXPECT_EQ(response.status, 200) << route.path;
        } else {
            EXPECT_EQ(response.status, 401) << route.path;
            EXPECT_EQ(
                response.body, R"({"code":"unauthorized","message":"a bearer token is needed"})"
            );
            EXPECT_NE(response.headers.find("WWW-Authenticate: Bearer\r\n"), std::string::npos);
        }
    }
    EXPECT_EQ(get("/nowhere").status, 401);
    EXPECT_EQ(get("/actuator/nowhere").status, 401);
    EXPECT_EQ(scripted.calls, 0);
}

TEST_F(ServiceTest, paths_are_public_or_the_admins_as_the_options_say_but_no_call_is_public) {
    ServiceOptions told = options();
    told.auth.public_paths = {"/actuator/prometheus", "/ranges:reserve", "/open/**"};
    told.auth.admin_paths = {"/slots:acquire"};
    open(*memory_, std::move(told));
    EXPECT_EQ(get("/actuator/prometheus").status, 200);
    EXPECT_EQ(get("/actuator/health").status, 401);
    EXPECT_EQ(get("/open").status, 404);
    EXPECT_EQ(get("/open/door").status, 404);
    EXPECT_EQ(get("/opened").status, 401);
    Call made;
    made.fields = {{"Content-Type", "application/json"}};
    EXPECT_EQ(call(made).status, 401);
    EXPECT_EQ(post("/slots:acquire", "{}", client_token).status, 403);
    EXPECT_EQ(post("/slots:acquire", "{}").status, 400);
}

TEST_F(ServiceTest, only_the_whole_token_is_a_token) {
    open(*memory_);
    const std::string body = R"({"key":"a","size":1,"initialOffset":0})";
    EXPECT_EQ(post("/ranges:reserve", body, token.substr(0, token.size() - 1)).status, 401);
    EXPECT_EQ(post("/ranges:reserve", body, std::string(token) + "x").status, 401);
    EXPECT_EQ(post("/ranges:reserve", body, "").status, 401);
    EXPECT_EQ(post("/ranges:reserve", body, std::string(8192, 'a')).status, 401);
    EXPECT_EQ(post("/ranges:reserve", body, token).status, 200);
    Call made;
    made.fields = {
        {"AUTHORIZATION", "bEARER   0123456789abcdef"},
        {"content-type", "Application/JSON; charset=UTF-8"}
    };
    EXPECT_EQ(call(made).status, 200);
    made.fields.push_back({"Authorization", "Bearer 0123456789abcdef"});
    EXPECT_EQ(call(made).status, 401) << "two Authorization headers";
    made.fields = {
        {"Authorization", "Basic 0123456789abcdef"}, {"Content-Type", "application/json"}
    };
    EXPECT_EQ(call(made).status, 401);
}

TEST_F(ServiceTest, a_client_reaches_its_namespaces_and_prefixes_and_nothing_else) {
    open(*memory_);
    const auto reserve = [&](const std::string& key) {
        return post(
                   "/ranges:reserve",
                   R"({"size":1,"initialOffset":0,"key":")" + key + "\"}",
                   client_token
        )
            .status;
    };
    EXPECT_EQ(reserve("shop"), 200);
    EXPECT_EQ(reserve("shop/a"), 200);
    EXPECT_EQ(reserve("shared/orders-7"), 200);
    EXPECT_EQ(reserve("shared/orders"), 403);
    EXPECT_EQ(reserve("shopping/a"), 403);
    EXPECT_EQ(post("/ranges:seal", R"({"key":"other"})", client_token).status, 403);
    const std::string rest =
        R"(","ownerKey":"o","incarnation":"i","slot":0,"fence":1,"limit":4,"ttlMs":1000,"toleranceMs":0,"lastIssued":0})";
    for (const char* path : {"/slots:acquire", "/slots:renew", "/slots:release"}) {
        EXPECT_EQ(post(path, R"({"namespace":"other)" + rest, client_token).status, 403) << path;
        EXPECT_NE(post(path, R"({"namespace":"shop)" + rest, client_token).status, 403) << path;
    }
    EXPECT_EQ(
        get("/actuator/prometheus", {{"Authorization", "Bearer a token of the shop"}}).status, 403
    );
}

TEST_F(ServiceTest, methods_paths_and_types_have_their_own_refusals) {
    open(*memory_);
    const std::vector<HttpField> with_token = {{"Authorization", "Bearer 0123456789abcdef"}};
    const auto method = get("/ranges:reserve", with_token);
    EXPECT_EQ(method.status, 405);
    EXPECT_EQ(method.headers, "Allow: POST\r\n");
    EXPECT_EQ(get("/nowhere", with_token).status, 404);
    EXPECT_EQ(
        get("/nowhere", with_token).body,
        R"({"code":"not_found","message":"there is no such path"})"
    );
    Call made;
    made.fields = with_token;
    EXPECT_EQ(call(made).status, 415);
    for (const char* type :
         {"text/plain",
          "application/json; charset=latin1",
          "application/jsonx",
          "application/x-www-form-urlencoded"}) {
        made.fields = with_token;
        made.fields.push_back({"Content-Type", type});
        EXPECT_EQ(call(made).status, 415) << type;
    }
    made.fields = with_token;
    made.fields.push_back({"Content-Type", "application/json"});
    made.fields.push_back({"Content-Encoding", "gzip"});
    EXPECT_EQ(call(made).status, 415);
    made.fields.insert(made.fields.end() - 1, {"Content-Encoding", "identity"});
    EXPECT_EQ(call(made).status, 415) << "two fields add up";
}

TEST_F(ServiceTest, a_failing_store_is_told_by_code_and_effect_and_by_nothing_of_the_inside) {
    open(scripted);
    const std::string body = R"({"key":"secret-key","size":1,"initialOffset":0})";
    const auto failed = post("/ranges:reserve", body);
    EXPECT_EQ(failed.status, 500);
    EXPECT_EQ(
        failed.body,
        R"({"code":"store_error","message":"the store failed; the service's log says why"})"
    );
    EXPECT_TRUE(failed.headers.starts_with("Holdfast-Effect: unknown\r\ntraceparent: 00-"));
    EXPECT_TRUE(lines.contains("inside knowledge"));
    EXPECT_FALSE(lines.contains("secret-key"));
    EXPECT_FALSE(lines.contains(token));
    scripted.code = Code::timed_out;
    scripted.effect = Effect::none;
    EXPECT_EQ(post("/ranges:reserve", body).status, 504);
    EXPECT_TRUE(post("/ranges:reserve", body).headers.starts_with("Holdfast-Effect: none\r\n"));
    scripted.code = Code::overloaded;
    const auto busy = post("/ranges:reserve", body);
    EXPECT_EQ(busy.status, 503);
    EXPECT_EQ(busy.headers, "Holdfast-Effect: none\r\nRetry-After: 1\r\n");
    EXPECT_NE(
        metrics.text().find("cosid_server_call_rejections_total{reason=\"busy\"} 1"),
        std::string::npos
    );
    scripted.code = Code::closed;
    EXPECT_TRUE(post("/ranges:reserve", body).close);
}

TEST_F(ServiceTest, each_error_of_the_store_has_its_answer) {
    open(scripted);
    struct Row {
        Code code;
        int status;
        std::string_view word;
        bool retry;
        bool close;
    };
    for (const Row& row : {
             Row{Code::invalid_argument, 400, "bad_request", false, false},
             Row{Code::overloaded, 503, "busy", true, false},
             Row{Code::unreachable, 503, "store_unavailable", true, false},
             Row{Code::moved, 503, "store_unavailable", true, false},
             Row{Code::timed_out, 504, "store_timeout", false, false},
             Row{Code::closed, 503, "busy", true, true},
             Row{Code::denied, 500, "store_error", false, false},
             Row{Code::corrupt, 500, "store_error", false, false},
             Row{Code::unsupported, 500, "store_error", false, false},
             Row{Code::internal, 500, "store_error", false, false},
         }) {
        for (const Effect effect : {Effect::none, Effect::unknown}) {
            scripted.code = row.code;
            scripted.effect = effect;
            const auto response =
                post("/ranges:reserve", R"({"key":"a","size":1,"initialOffset":0})");
            EXPECT_EQ(response.status, row.status) << row.word;
            EXPECT_TRUE(response.body.starts_with(
                R"({"code":")" + std::string(row.word) + R"(","message":)"
            )) << response.body;
            const bool retry = response.headers.find("Retry-After: 1\r\n") != std::string::npos;
            EXPECT_EQ(retry, row.retry) << row.word;
            EXPECT_EQ(response.close, row.close) << row.word;
            const std::string line = "Holdfast-Effect: " + std::string(name_of(effect)) + "\r\n";
            const bool told = response.headers.find(line) != std::string::npos;
            EXPECT_EQ(told, row.status >= 500) << row.word;
        }
    }
}

TEST_F(ServiceTest, a_client_that_went_away_is_counted_and_is_no_rejection) {
    open(scripted);
    scripted.code = Code::cancelled;
    post("/ranges:reserve", R"({"key":"a","size":1,"initialOffset":0})");
    EXPECT_NE(metrics.text().find("cosid_server_calls_cancelled_total 1"), std::string::npos);
    EXPECT_NE(
        metrics.text().find("cosid_server_call_rejections_total{reason=\"busy\"} 0"),
        std::string::npos
    );
}

TEST_F(
    ServiceTest, an_unsupported_seal_a_wrong_last_and_a_suspicion_are_answered_as_the_contract_says
) {
    open(scripted);
    EXPECT_EQ(post("/ranges:seal", R"({"key":"a"})").status, 501);
    const std::string lease =
        R"({"namespace":"n","ownerKey":"o","incarnation":"i","slot":0,"fence":9,)";
    const auto suspicious = post("/slots:renew", lease + R"("ttlMs":1000,"toleranceMs":0})");
    EXPECT_EQ(suspicious.status, 409);
    EXPECT_EQ(
        suspicious.body,
        R"({"code":"lease_lost","message":"the lease is not held by this owner, incarnation and fence"})"
    );
    EXPECT_NE(
        metrics.text().find("cosid_server_store_rollback_suspected_total 1"), std::string::npos
    );
    const auto release = post("/slots:release", lease + R"("lastIssued":0})");
    EXPECT_EQ(release.status, 400);
    EXPECT_EQ(
        release.body,
        R"({"code":"bad_request","message":"lastIssued lies outside the lease's window"})"
    );
}

TEST_F(ServiceTest, a_client_that_leaves_during_the_probe_does_not_make_the_service_unready) {
    open(scripted);
    scripted.probe_time = Duration(50);
    HttpRequest request;
    request.method = HttpMethod::get;
    request.path = "/actuator/health/readiness";
    HttpResponse response;
    ASSERT_TRUE(handler_->admit(request, response));
    const Stop leaving;
    bool ended = false;
    spawn(
        runtime_->loop(0),
        handler_->serve(request, response),
        [&ended](Result<Done>) { ended = true; },
        &leaving
    );
    runtime_->run(runtime_->now() + Duration(5));
    EXPECT_FALSE(ended);
    leaving.request();
    runtime_->run(runtime_->now() + Duration(100));
    EXPECT_TRUE(ended);
    EXPECT_EQ(get("/actuator/health/readiness").status, 200);
    EXPECT_EQ(scripted.probes, 1);
}

TEST_F(ServiceTest, readiness_asks_the_store_at_most_once_a_second_and_liveness_never) {
    open(scripted);
    EXPECT_EQ(get("/actuator/health/readiness").body, R"({"status":"UP"})");
    EXPECT_EQ(get("/actuator/health").status, 200);
    EXPECT_EQ(scripted.probes, 1);
    scripted.healthy = false;
    runtime_->run(runtime_->now() + Duration(1001));
    const auto down = get("/actuator/health/readiness");
    EXPECT_EQ(down.status, 503);
    EXPECT_EQ(down.body, R"({"status":"DOWN"})");
    EXPECT_EQ(scripted.probes, 2);
    EXPECT_EQ(get("/actuator/health/liveness").status, 200);
    EXPECT_EQ(scripted.probes, 2);
    service_->stopping();
    EXPECT_EQ(get("/actuator/health/readiness").body, R"({"status":"OUT_OF_SERVICE"})");
    EXPECT_EQ(get("/actuator/health/liveness").status, 200);
}

TEST_F(ServiceTest, while_it_stops_every_answer_closes_its_connection) {
    open(scripted);
    EXPECT_FALSE(get("/actuator/health/liveness").close);
    EXPECT_FALSE(get("/nowhere").close);
    service_->stopping();
    EXPECT_TRUE(get("/actuator/health/liveness").close);
    EXPECT_TRUE(get("/nowhere").close);
}

TEST_F(ServiceTest, admission_turns_away_what_is_too_much_before_the_store_is_asked) {
    ServiceOptions none = options();
    none.store_calls_max = 0;
    open(scripted, std::move(none));
    EXPECT_EQ(post("/ranges:reserve", R"({"key":"a","size":1,"initialOffset":0})").status, 503);
    EXPECT_EQ(scripted.calls, 0);
    EXPECT_EQ(get("/actuator/health/liveness").status, 200);
    EXPECT_EQ(get("/actuator/health/readiness").status, 200);
}

TEST_F(ServiceTest, a_service_that_nobody_or_anybody_could_guess_is_refused) {
    const auto refused = [&](ServiceOptions told) {
        return !open_service(*memory_, std::move(told), metrics, log).ok();
    };
    EXPECT_TRUE(refused(ServiceOptions()));
    ServiceOptions short_token;
    short_token.auth.tokens.emplace_back("fifteen letters");
    EXPECT_TRUE(refused(short_token));
    ServiceOptions unresolved;
    unresolved.auth.tokens.emplace_back("${HOLDFAST_TOKEN}");
    EXPECT_TRUE(refused(unresolved));
    ServiceOptions anonymous;
    anonymous.auth.allow_anonymous = true;
    EXPECT_FALSE(refused(anonymous));
    EXPECT_FALSE(refused(options()));
}

TEST_F(ServiceTest, with_anonymous_calls_allowed_a_wrong_token_is_still_wrong) {
    ServiceOptions anonymous;
    anonymous.auth.allow_anonymous = true;
    open(*memory_, std::move(anonymous));
    Call made;
    made.fields = {{"Content-Type", "application/json"}};
    EXPECT_EQ(call(made).status, 200);
    made.fields.push_back({"Authorization", "Bearer 0123456789abcdef"});
    EXPECT_EQ(call(made).status, 401);
}

TEST_F(ServiceTest, the_listeners_refusals_keep_their_status_and_get_a_body) {
    open(*memory_);
    for (int status : {400, 408, 413, 414, 417, 431, 501, 503, 505}) {
        HttpResponse response;
        HttpRefusal refusal;
        refusal.status = status;
        refusal.what = "why";
        handler_->refuse(refusal, response);
        EXPECT_EQ(response.status, status);
        EXPECT_NE(response.body.find(R"("message":"why")"), std::string::npos);
    }
}

TEST(TokenTable, finds_each_of_many_tokens_and_tells_them_apart) {
    AuthOptions auth;
    for (int i = 0; i < 50; ++i) {
        auth.tokens.emplace_back("token number " + std::to_string(1000 + i));
    }
    const KeyedHash names({1, 2});
    TokenTable table(auth, names);
    for (std::uint32_t i = 0; i < 50; ++i) {
        EXPECT_EQ(table.find("Bearer token number " + std::to_string(1000 + i)), i);
    }
    EXPECT_EQ(table.find("Bearer token number 1050"), std::nullopt);
    EXPECT_EQ(table.find(std::nullopt), std::nullopt);
    EXPECT_EQ(table.find("Bearer"), std::nullopt);
    EXPECT_EQ(table.find("Bearer "), std::nullopt);
}

}  // namespace
}  // namespace holdfast
