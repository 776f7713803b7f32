// What a browser gets, without a browser: tests/service/pages_test.py has one.

#include "documents.h"
#include "embedded_files.h"
#include "landing.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

HttpResponse landing(LandingState state, std::string_view host = "example.org:8688") {
    HttpResponse response;
    write_landing(response, LandingFacts{state, "1.2.3", host});
    return response;
}

HttpResponse document(Action action) {
    HttpResponse response;
    write_document(response, action);
    return response;
}

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// Nothing of it is loaded from elsewhere, and nothing runs that stands in the page itself.
void expect_own_things_alone(std::string page, const std::string& origin = {}) {
    for (std::size_t at = origin.empty() ? std::string::npos : page.find(origin);
         at != std::string::npos;
         at = page.find(origin)) {
        page.erase(at, origin.size());
    }
    EXPECT_FALSE(has(page, "://")) << page;
    EXPECT_FALSE(has(page, "\"//"));
    EXPECT_FALSE(has(page, "url("));
    EXPECT_FALSE(has(page, "@import"));
    EXPECT_FALSE(has(page, "<script>"));
    EXPECT_FALSE(has(page, " style="));
    EXPECT_FALSE(has(page, " onclick"));
}

TEST(Landing, it_is_a_page_that_loads_nothing_and_runs_nothing) {
    const HttpResponse page = landing(LandingState::up);
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
    EXPECT_TRUE(has(page.headers, "Content-Security-Policy: default-src 'none'; style-src 'sha256-")
    );
    EXPECT_FALSE(has(page.headers, "unsafe"));
    EXPECT_FALSE(has(page.headers, "script-src"));
    EXPECT_FALSE(has(page.body, "<script"));
    EXPECT_FALSE(has(page.body, "{{"));
    EXPECT_TRUE(has(page.body, "<html lang=\"en\">"));
    EXPECT_TRUE(has(page.body, "prefers-color-scheme: dark"));
    expect_own_things_alone(page.body, "http://example.org:8688");
}

TEST(Landing, it_tells_how_the_service_is) {
    EXPECT_TRUE(has(landing(LandingState::up).body, "Healthy: the store answers."));
    EXPECT_TRUE(has(landing(LandingState::down).body, "Not healthy: the store does not answer."));
    EXPECT_TRUE(has(landing(LandingState::stopping).body, "Stopping:"));
    EXPECT_TRUE(has(landing(LandingState::up).body, "holdfast 1.2.3"));
}

TEST(Landing, a_host_is_repeated_only_if_it_is_one) {
    EXPECT_TRUE(has(landing(LandingState::up, "[::1]:80").body, "SERVICE=http://[::1]:80<"));
    const std::string too_long(300, 'a');
    for (const std::string& host :
         {std::string(),
          std::string("a<script>"),
          std::string("a\"b"),
          std::string("$(id)"),
          std::string("a;b"),
          std::string("a b"),
          std::string("a/b"),
          too_long}) {
        const std::string body = landing(LandingState::up, host).body;
        EXPECT_TRUE(has(body, "SERVICE=http://127.0.0.1:8688<")) << host;
    }
}

TEST(Landing, behind_tls_its_lines_say_https) {
    HttpResponse response;
    write_landing(response, LandingFacts{LandingState::up, "1.2.3", "example.org", true});
    EXPECT_TRUE(has(response.body, "SERVICE=https://example.org<"));
}

TEST(Documents, the_address_of_old_leads_to_the_page) {
    const HttpResponse move = document(Action::swagger_move);
    EXPECT_EQ(move.status, 302);
    EXPECT_TRUE(has(move.headers, "Location: /swagger-ui/index.html\r\n"));
    EXPECT_TRUE(move.content().empty());
}

TEST(Documents, swagger_ui_is_built_in_with_the_right_types) {
    EXPECT_EQ(document(Action::swagger_bundle).content_type, "text/javascript; charset=utf-8");
    EXPECT_GT(document(Action::swagger_bundle).content().size(), 1'000'000U);
    EXPECT_EQ(document(Action::swagger_style).content_type, "text/css; charset=utf-8");
    EXPECT_TRUE(has(document(Action::swagger_style).content(), ".swagger-ui"));
    EXPECT_EQ(document(Action::swagger_icon).content_type, "image/png");
    EXPECT_TRUE(document(Action::swagger_icon).content().substr(1).starts_with("PNG"));
}

TEST(Documents, the_page_of_swagger_ui_runs_its_own_files_alone) {
    const HttpResponse page = document(Action::swagger_page);
    EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
    EXPECT_TRUE(has(page.headers, "script-src 'self';"));
    EXPECT_TRUE(has(page.headers, "connect-src 'self';"));
    EXPECT_FALSE(has(page.headers, "unsafe"));
    EXPECT_TRUE(has(page.content(), "<script src=\"/swagger-ui/start.js\">"));
    expect_own_things_alone(std::string(page.content()));
    const HttpResponse start = document(Action::swagger_start);
    EXPECT_EQ(start.content_type, "text/javascript; charset=utf-8");
    EXPECT_TRUE(has(start.content(), "validatorUrl: null"));
    EXPECT_FALSE(has(start.content(), "://"));
}

TEST(Documents, a_build_without_swagger_ui_has_a_page_that_says_so) {
    const std::string_view page = embedded_file("swagger-missing.html");
    EXPECT_TRUE(has(page, "not built in"));
    expect_own_things_alone(std::string(page));
    EXPECT_TRUE(embedded_file("nothing").empty());
}

}  // namespace
}  // namespace holdfast
