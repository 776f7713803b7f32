// The service's description of itself, against the table and the readers that it describes.

#include "openapi.h"
#include "openapi_operations.h"
#include "openapi_schemas.h"

#include <holdfast/codec/json.h>
#include <holdfast/store/names.h>

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace holdfast {
namespace {

std::vector<Access> default_access() {
    const AccessRules rules({"/actuator/health", "/actuator/health/**"}, {"/actuator/**"});
    std::vector<Access> access;
    for (const Route& route : routes()) {
        access.push_back(rules.of(route, route.path));
    }
    return access;
}

std::string document(const RequestLimits& limits, bool anonymous = false) {
    const std::vector<Access> access = default_access();
    std::string out;
    write_openapi(out, OpenApiFacts{"1.2.3", limits, access, anonymous, 1'000});
    return out;
}

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

TEST(OpenApi, every_route_of_the_table_is_told_and_nothing_else_and_the_whole_is_json) {
    const std::string text = document(RequestLimits());
    JsonDocument parsed;
    EXPECT_TRUE(parsed.parse_object(text).ok());
    for (const Route& route : routes()) {
        const std::string_view method = route.method == HttpMethod::post ? "post" : "get";
        EXPECT_TRUE(
            has(text, "\"" + std::string(route.path) + "\":{\"" + std::string(method) + "\":{")
        ) << route.path;
    }
    std::size_t operations = 0;
    constexpr std::string_view word = "\"operationId\":";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++operations;
    }
    EXPECT_EQ(operations, routes().size());
}

TEST(OpenApi, each_action_has_an_operation_of_its_own) {
    std::set<std::string_view> ids;
    std::set<std::string_view> paths;
    for (const Route& route : routes()) {
        EXPECT_TRUE(ids.insert(operation_of(route.action).id).second) << route.path;
        EXPECT_TRUE(paths.insert(route.path).second) << route.path;
        EXPECT_EQ(operation_of(route.action).request.empty(), route.method != HttpMethod::post)
            << route.path;
    }
}

TEST(OpenApi, the_limits_are_those_that_hold) {
    RequestLimits limits;
    limits.reserve_size_max = 1234;
    limits.ttl_min = Duration(4321);
    limits.slot_limit_max = 77;
    const std::string text = document(limits);
    EXPECT_TRUE(has(text, R"("minimum":1,"maximum":1234)"));
    EXPECT_TRUE(has(text, R"("minimum":4321,"maximum":3600000)"));
    EXPECT_TRUE(has(text, R"("minimum":1,"maximum":77)"));
}

TEST(OpenApi, who_may_call_is_told_as_the_rules_say) {
    const std::string closed = document(RequestLimits());
    EXPECT_TRUE(has(closed, R"("tags":["ranges"],"summary")"));
    EXPECT_TRUE(has(closed, R"("security":[{"token":[]}],"requestBody")"));
    EXPECT_TRUE(has(closed, R"("security":[{"token":[]},{"page":[]}],"responses")"));
    EXPECT_TRUE(has(closed, R"("security":[{}],"responses")"));
    const std::string open = document(RequestLimits(), true);
    EXPECT_TRUE(has(open, R"("security":[{"token":[]},{}],"requestBody")"));
}

TEST(OpenApi, the_patterns_take_what_the_names_take) {
    const std::regex key_pattern{std::string(name_pattern::range_key)};
    const std::regex plain_pattern{std::string(name_pattern::name)};
    const std::regex incarnation_pattern{std::string(name_pattern::incarnation)};
    const std::string letters = "a.0/-:@_ Z{~";
    std::vector<std::string> texts = {""};
    for (int length = 1; length <= 4; ++length) {  // every text of up to four of these letters
        for (std::size_t i = 0, end = texts.size(); i < end; ++i) {
            if (texts[i].size() + 1 == static_cast<std::size_t>(length)) {
                for (const char letter : letters) {
                    texts.push_back(texts[i] + letter);
                }
            }
        }
    }
    for (const std::string& text : texts) {
        EXPECT_EQ(std::regex_match(text, key_pattern), RangeKey::parse(text).ok()) << text;
        EXPECT_EQ(std::regex_match(text, plain_pattern), Namespace::parse(text).ok()) << text;
        EXPECT_EQ(std::regex_match(text, incarnation_pattern), Incarnation::parse(text).ok())
            << text;
    }
    EXPECT_GT(texts.size(), 20'000U);
}

}  // namespace
}  // namespace holdfast
