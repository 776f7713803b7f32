// The paths that give out ids, on generators whose answers the test decides.

#include "routes.h"
#include "tests/scripted_ids.h"

#include <holdfast/io/virtual_runtime.h>
#include <holdfast/server/service.h>
#include <holdfast/store_memory/memory_store.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr std::string_view everything = "Bearer a token of everything";

class IdRoutes : public ::testing::Test {
protected:
    void SetUp() override { open(&ids_); }

    void open(IdRuntime* ids, const std::vector<std::string>& more_public = {}) {
        handler_.reset();
        ServiceOptions options;
        options.auth.tokens.emplace_back("a token of everything");
        options.auth.clients = {
            client("orders", {"orders"}), client("shop", {"shop"}), client("star", {"*"})
        };
        for (const std::string& path : more_public) {
            options.auth.public_paths.push_back(path);
        }
        options.namespace_name = "orders";
        options.ids_count_max = 50;
        service_ =
            std::move(open_service(*store_, std::move(options), metrics_, log_, ids)).value();
        handler_ = service_->open(runtime_->loop(0));
    }
    static ClientOptions client(const std::string& name, std::vector<std::string> namespaces) {
        ClientOptions made;
        made.name = name;
        made.token = Secret("a token of " + name + " here");
        made.namespaces = std::move(namespaces);
        return made;
    }

    HttpResponse
    ask(std::string_view path,
        std::string_view query = {},
        std::string_view authorization = everything,
        HttpMethod method = HttpMethod::get) {
        const std::vector<HttpField> fields{{"Authorization", authorization}};
        HttpRequest request;
        request.method = method;
        request.path = path;
        request.query = query;
        if (!authorization.empty()) {
            request.fields = fields;
        }
        HttpResponse response;
        if (handler_->admit(request, response)) {
            EXPECT_TRUE(wait(*runtime_, handler_->serve(request, response)).ok());
        }
        return response;
    }
    std::string answer(std::string_view path, std::string_view query = {}) {
        const HttpResponse response = ask(path, query);
        return std::to_string(response.status) + " " + response.body;
    }
    static bool has(std::string_view text, std::string_view part) {
        return text.find(part) != std::string_view::npos;
    }

    std::unique_ptr<VirtualRuntime> runtime_ = open_virtual_runtime(VirtualOptions());
    std::unique_ptr<Store> store_ = open_memory_store();
    ScriptedIds ids_;
    Metrics metrics_;
    LogLines lines_;
    Log log_{LogFormat::text, LogLevel::debug, system_clock(), lines_};
    std::unique_ptr<Service> service_;
    std::unique_ptr<HttpHandler> handler_;
};

TEST_F(IdRoutes, without_a_name_the_generator_default_serves) {
    EXPECT_EQ(answer("/ids"), R"(200 {"ids":[1]})");
    EXPECT_EQ(answer("/ids/default"), R"(200 {"ids":[2]})");
    EXPECT_EQ(answer("/ids", "count=3"), R"(200 {"ids":[3,4,5]})");
    EXPECT_EQ(answer("/ids/strings", "count=2"), R"(200 {"ids":["t6","t7"]})");
    EXPECT_EQ(answer("/ids/default/strings"), R"(200 {"ids":["t8"]})");
    EXPECT_EQ(ask("/ids", "", everything, HttpMethod::head).status, 200);
    EXPECT_EQ(ask("/ids", "", everything, HttpMethod::post).status, 405);
}

TEST_F(IdRoutes, numbers_above_2_to_the_53_are_written_digit_by_digit) {
    ids_.number.last = std::numeric_limits<std::int64_t>::max() - 2;
    EXPECT_EQ(
        answer("/ids", "count=2"), R"(200 {"ids":[9223372036854775805,9223372036854775806]})"
    );
}

TEST_F(IdRoutes, a_batch_of_any_size_is_whole_and_in_order) {
    ids_.number.last = 999'999'999'999'999'000;
    std::string expected = R"(200 {"ids":[)";
    for (int i = 0; i < 50; ++i) {
        expected += (i == 0 ? "" : ",") + std::to_string(999'999'999'999'999'000 + i);
    }
    EXPECT_EQ(answer("/ids", "count=50"), expected + "]}");
    EXPECT_EQ(ids_.number.calls, 1);
}

TEST_F(IdRoutes, numbers_of_every_width_are_written_as_they_are) {
    std::int64_t power = 1;
    for (int digits = 1; digits <= 19; ++digits, power *= digits <= 19 ? 10 : 1) {
        for (const std::int64_t first : {power - 1, power, power * 9 - 3, power + 9'998}) {
            std::string expected = R"(200 {"ids":[)";
            for (std::int64_t i = 0; i < 5; ++i) {
                expected += (i == 0 ? "" : ",") + std::to_string(first + i);
            }
            ids_.number.last = first;
            EXPECT_EQ(answer("/ids", "count=5"), expected + "]}");
        }
    }
}

TEST_F(IdRoutes, a_batch_that_comes_in_pieces_is_put_together) {
    ids_.number.piece = 2;
    EXPECT_EQ(answer("/ids", "count=5"), R"(200 {"ids":[1,2,3,4,5]})");
}

TEST_F(IdRoutes, what_is_not_there_yet_is_waited_for_up_to_the_deadline) {
    ids_.number.failure = {Code::overloaded, "the tick is used up"};
    ids_.number.wait = Duration(900);
    EXPECT_EQ(answer("/ids", "count=3"), R"(200 {"ids":[1,2,3]})");
    ids_.number.failure = {Code::unreachable, "no lease"};
    ids_.number.wait = Duration(1'100);
    const HttpResponse late = ask("/ids");
    EXPECT_EQ(late.status, 504);
    EXPECT_TRUE(has(late.body, R"("code":"store_timeout")"));
    EXPECT_TRUE(has(late.headers, "Holdfast-Effect: none"));
}

TEST_F(IdRoutes, a_count_that_is_none_is_refused) {
    for (const char* query :
         {"count=0",
          "count=51",
          "count=-1",
          "count=",
          "count",
          "count=1.0",
          "count=1e1",
          "count=+1",
          "count= 1",
          "count=%31",
          "count=0x1",
          "count=1&count=1",
          "a=b&count=x",
          "count=18446744073709551617"}) {
        EXPECT_EQ(
            answer("/ids", query),
            R"(400 {"code":"bad_request","message":"count: must be from 1 to 50"})"
        ) << query;
    }
    EXPECT_EQ(ids_.number.calls, 0);
    EXPECT_EQ(ask("/ids", "count=50").status, 200);
    EXPECT_EQ(answer("/ids/segment", "other=1&count=2&&x"), R"(200 {"ids":[1,2]})");
}

TEST_F(IdRoutes, a_name_that_no_generator_has_is_a_clean_404) {
    for (const char* path :
         {"/ids/orders",
          "/ids/orders/strings",
          "/ids/orders/periodic",
          "/ids/strings/strings",
          "/ids/strings/periodic",
          "/actuator/cosid/orders"}) {
        EXPECT_EQ(
            answer(path),
            R"(404 {"code":"unknown_generator","message":"there is no such generator"})"
        ) << path;
    }
    for (const char* path : {"/ids/", "/ids/a/b", "/ids/a/strings/", "/ids//strings", "/idsx"}) {
        EXPECT_TRUE(has(answer(path), R"(404 {"code":"not_found")")) << path;
    }
}

TEST_F(IdRoutes, each_strategy_has_its_own_form) {
    EXPECT_EQ(answer("/ids/text/strings", "count=2"), R"(200 {"ids":["t1","t2"]})");
    EXPECT_TRUE(has(answer("/ids/text"), "400 "));
    EXPECT_TRUE(has(answer("/ids/text"), "ask for .../strings"));
    ids_.period.piece = 2;
    EXPECT_EQ(
        answer("/ids/period/periodic", "count=3"), R"(200 {"period":"2026-11","values":[1,2]})"
    );
    EXPECT_TRUE(has(answer("/ids/period"), "400 "));
    EXPECT_TRUE(has(answer("/ids/period"), "ask for .../periodic"));
    EXPECT_TRUE(has(answer("/ids/default/periodic"), "400 "));
    EXPECT_EQ(answer("/actuator/cosid/text"), R"(200 {"ids":["t3"]})");
    EXPECT_EQ(answer("/actuator/cosid/period"), R"(200 {"period":"2026-11","values":[3]})");
    EXPECT_EQ(answer("/actuator/cosid/segment", "count=2"), R"(200 {"ids":[1,2]})");
}

TEST_F(IdRoutes, each_error_of_a_generator_has_its_answer) {
    struct Case {
        Code code;
        IdState state;
        std::string_view answer;
    };
    for (const Case& one : std::vector<Case>{
             {Code::denied, IdState::disabled, R"(409 {"code":"generator_disabled")"},
             {Code::denied, IdState::lost, R"(409 {"code":"generator_disabled")"},
             {Code::denied, IdState::sealed, R"(410 {"code":"range_sealed")"},
             {Code::denied, IdState::exhausted, R"(422 {"code":"range_exhausted")"},
             {Code::corrupt, IdState::lost, R"(409 {"code":"generator_disabled")"},
             {Code::unsupported, IdState::issuing, R"(400 {"code":"bad_request")"},
             {Code::invalid_argument, IdState::issuing, R"(500 {"code":"store_error")"},
             {Code::internal, IdState::issuing, R"(500 {"code":"store_error")"},
             {Code::closed, IdState::closed, R"(503 {"code":"busy")"}
         }) {
        ids_.number.failure = {one.code, "why"};
        ids_.number.state = one.state;
        for (const char* path : {"/ids", "/ids/default/strings"}) {
            const HttpResponse response = ask(path);
            EXPECT_TRUE(has(std::to_string(response.status) + " " + response.body, one.answer))
                << path << " " << response.status << " " << response.body;
            EXPECT_EQ(has(response.headers, "Holdfast-Effect: none"), response.status >= 500);
            EXPECT_EQ(response.close, one.code == Code::closed);
        }
    }
    ids_.number.failure = {Code::overloaded, "why"};
    const HttpResponse busy = ask("/ids/strings");
    EXPECT_EQ(busy.status, 503);
    EXPECT_TRUE(has(busy.headers, "Retry-After: 1"));
}

TEST_F(IdRoutes, who_may_ask_is_decided_by_the_services_own_namespace) {
    for (const char* path :
         {"/ids", "/ids/strings", "/ids/segment", "/ids/text/strings", "/ids/period/periodic"}) {
        EXPECT_EQ(ask(path).status, 200) << path;
        EXPECT_EQ(ask(path, {}, "Bearer a token of orders here").status, 200) << path;
        EXPECT_EQ(ask(path, {}, "Bearer a token of star here").status, 200) << path;
        EXPECT_EQ(ask(path, {}, "Bearer a token of shop here").status, 403) << path;
        EXPECT_EQ(ask(path, {}, "Bearer nobody knows this one").status, 401) << path;
        EXPECT_EQ(ask(path, {}, "").status, 401) << path;
    }
    // A stranger does not learn which generators there are.
    EXPECT_EQ(ask("/ids/nowhere", {}, "Bearer a token of shop here").status, 403);
    for (const char* path : {"/actuator/cosid", "/actuator/cosid/segment"}) {
        EXPECT_EQ(ask(path).status, 200) << path;
        EXPECT_EQ(ask(path, {}, "Bearer a token of orders here").status, 403) << path;
        EXPECT_EQ(ask(path, {}, "Bearer a token of star here").status, 403) << path;
        EXPECT_EQ(ask(path, {}, "").status, 401) << path;
    }
}

TEST_F(IdRoutes, a_rule_may_name_one_generator) {
    open(&ids_, {"/ids/segment", "/ids/segment/**"});
    EXPECT_EQ(ask("/ids/segment", {}, "").status, 200);
    EXPECT_EQ(ask("/ids/segment/strings", {}, "").status, 200);
    EXPECT_EQ(ask("/ids/segment", {}, "Bearer a token of shop here").status, 200);
    EXPECT_EQ(ask("/ids/default", {}, "").status, 401);
    EXPECT_EQ(ask("/ids", {}, "").status, 401);
}

TEST_F(IdRoutes, where_no_ids_are_issued_the_paths_are_as_any_that_does_not_exist) {
    open(nullptr);
    for (const Route& route : routes()) {
        if (issues_ids(route)) {
            EXPECT_EQ(
                answer(route.path), R"(404 {"code":"not_found","message":"there is no such path"})"
            );
        }
    }
    EXPECT_EQ(answer("/actuator/cosid"), R"(200 {"generators":[],"leases":[],"ranges":[]})");
    EXPECT_FALSE(has(ask("/v3/api-docs").body, "/ids"));
}

TEST_F(IdRoutes, the_report_tells_generators_leases_and_ranges) {
    EXPECT_EQ(answer("/ids/segment", "count=5").substr(0, 3), "200");
    const std::string report = answer("/actuator/cosid");
    EXPECT_TRUE(has(
        report,
        R"({"name":"default","strategy":"snowflake","layout":{"timestampUnit":"millisecond","epoch":1577203200000,"timestampBits":41,"machineBits":10,"sequenceBits":12},"enabled":true,"state":"issuing","yearsLeft":63.5,"last":null,"issued":0,"burnt":0})"
    )) << report;
    EXPECT_TRUE(has(
        report,
        R"({"name":"segment","strategy":"segment","layout":null,"enabled":true,"state":"issuing","yearsLeft":null,"last":null,"issued":5,"burnt":0})"
    )) << report;
    EXPECT_TRUE(has(
        report,
        R"("leases":[{"namespace":"orders","slot":3,"ownerKey":"web-3","fence":7,"expiresAt":2000,"floor":1000,"ceiling":3000,"state":"leased","duplicateOwnerKey":false}])"
    )) << report;
    EXPECT_TRUE(has(report, R"("ranges":[{"key":"orders/segment","issued":5,"prefetched":15}]})"));
    EXPECT_TRUE(has(answer("/actuator/info"), R"("layout":{"timestampUnit":"millisecond",)"));
}

TEST_F(IdRoutes, health_tells_of_a_lost_lease_and_the_store_decides_readiness) {
    EXPECT_TRUE(has(answer("/actuator/health"), R"("ids":{"status":"UP","details":{)"));
    ids_.number.state = IdState::lost;
    ids_.lease_state = LeaseState::suspended;
    ids_.suspected = true;
    const std::string lost = answer("/actuator/health/readiness");
    EXPECT_TRUE(has(lost, R"(200 {"status":"UP",)")) << lost;
    EXPECT_TRUE(has(
        lost,
        R"("ids":{"status":"DOWN","details":{"generators":{"default":"lost","text":"issuing","period":"issuing","segment":"issuing"},"leases":["suspended"],"rollbackSuspected":true}})"
    )) << lost;
    ids_.manual = 7;
    EXPECT_TRUE(has(answer("/actuator/health"), R"("manualMachine":7,"uniqueness":"rests on)"));
    EXPECT_EQ(ask("/actuator/health", {}, "").body, R"({"status":"UP"})");
}

}  // namespace
}  // namespace holdfast
