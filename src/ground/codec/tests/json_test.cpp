#include "counting_new.h"

#include <holdfast/codec/json.h>

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

std::optional<std::int64_t> integer_of(std::string_view token) {
    JsonDocument document;
    const auto value = document.parse(token);
    return value.ok() ? value.value().integer() : std::nullopt;
}

std::string repeat(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

TEST(Json, a_request_is_read_by_the_names_of_its_members) {
    const std::string body = R"({"key":"order-id","size":100,"initialOffset":0})";
    JsonDocument document;
    const auto read = document.parse_object(body);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read.value().text("key").value(), "order-id");
    EXPECT_EQ(read.value().integer("size").value(), 100);
    EXPECT_EQ(read.value().integer("initialOffset").value(), 0);
    EXPECT_EQ(read.value().integer("step").found(), JsonFound::missing);
}

TEST(Json, missing_null_and_wrong_type_are_told_apart) {
    JsonDocument document;
    const auto read = document.parse_object(R"({"n":null,"t":"1","i":1,"a":[],"o":{},"b":true})");
    ASSERT_TRUE(read.ok());
    const JsonObject object = read.value();
    EXPECT_EQ(object.integer("x").found(), JsonFound::missing);
    EXPECT_EQ(object.integer("n").found(), JsonFound::null);
    EXPECT_EQ(object.integer("t").found(), JsonFound::wrong_type);
    EXPECT_EQ(object.integer("b").found(), JsonFound::wrong_type);
    EXPECT_EQ(object.text("i").found(), JsonFound::wrong_type);
    EXPECT_EQ(object.boolean("i").found(), JsonFound::wrong_type);
    EXPECT_EQ(object.real("t").found(), JsonFound::wrong_type);
    EXPECT_EQ(object.object("a").found(), JsonFound::wrong_type);
    EXPECT_EQ(object.array("o").found(), JsonFound::wrong_type);
    EXPECT_TRUE(object.boolean("b").value());
    EXPECT_TRUE(object.array("a").value().empty());
    EXPECT_TRUE(object.object("o").value().empty());
    EXPECT_TRUE(object.text("n").absent() && object.text("x").absent());
    EXPECT_TRUE(object.text("i").wrong_type() && !object.text("i").ok());
}

TEST(Json, an_integer_is_exact_up_to_the_ends_of_int64) {
    EXPECT_EQ(integer_of("9007199254740993"), 9007199254740993);
    EXPECT_EQ(integer_of("9223372036854775807"), INT64_MAX);
    EXPECT_EQ(integer_of("-9223372036854775808"), INT64_MIN);
    EXPECT_EQ(integer_of("0"), 0);
    EXPECT_EQ(integer_of("-7"), -7);
}

TEST(Json, what_is_not_plain_decimal_within_int64_is_no_integer) {
    for (const char* token :
         {"9223372036854775808",
          "-9223372036854775809",
          "18446744073709551615",
          "99999999999999999999",
          "1.0",
          "1e3",
          "1E3",
          "-0",
          "0.0",
          "0e0",
          "1e-1",
          "\"1\"",
          "null",
          "true",
          "[1]"}) {
        EXPECT_EQ(integer_of(token), std::nullopt) << token;
    }
}

TEST(Json, a_decimal_text_is_an_integer_only_where_both_forms_are_allowed) {
    JsonDocument document;
    const auto read = document.parse_object(
        R"({"t":"9223372036854775807","i":-5,"p":"+1","z":"01","m":"-0","e":"","s":" 1","x":"1x"})"
    );
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read.value().integer_or_text("t").value(), INT64_MAX);
    EXPECT_EQ(read.value().integer_or_text("i").value(), -5);
    EXPECT_TRUE(read.value().integer("t").wrong_type());
    for (const char* name : {"p", "z", "m", "e", "s", "x"}) {
        EXPECT_TRUE(read.value().integer_or_text(name).wrong_type()) << name;
    }
}

TEST(Json, a_real_number_is_the_nearest_double_and_never_infinite) {
    JsonDocument document;
    const auto read = document.parse_object(R"({"a":1.5e-3,"b":0.1,"c":1e400,"d":-2,"e":1e308})");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read.value().real("a").value(), 1.5e-3);
    EXPECT_EQ(read.value().real("b").value(), 0.1);
    EXPECT_TRUE(read.value().real("c").wrong_type());
    EXPECT_EQ(read.value().real("d").value(), -2);
    EXPECT_EQ(read.value().real("e").value(), 1e308);
}

TEST(Json, escapes_are_undone_in_texts_and_names) {
    JsonDocument document;
    const auto read = document.parse_object(
        R"({"\u006bey":"a\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00z","plain":"p","n\u0000":"\u0000"})"
    );
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(
        read.value().text("key").value(), "a\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z"
    );
    EXPECT_EQ(read.value().text("plain").value(), "p");
    EXPECT_EQ(read.value().text(std::string_view("n\0", 2)).value(), std::string_view("\0", 1));
}

TEST(Json, long_texts_with_escapes_are_whole) {
    std::string body = "[";
    std::string expected;
    for (int i = 0; i < 500; ++i) {
        body += (i == 0 ? "\"" : ",\"") + repeat("ab\\n\\u00e9", i) + "\"";
        expected = repeat("ab\n\xc3\xa9", i);
    }
    body += "]";
    JsonDocument document;
    const auto read = document.parse(body);
    ASSERT_TRUE(read.ok());
    std::string_view last;
    int at = 0;
    for (JsonValue item : read.value().children()) {
        last = *item.text();
        EXPECT_EQ(last.size(), static_cast<std::size_t>(at++ * 5));
    }
    EXPECT_EQ(last, expected);
}

TEST(Json, a_name_given_twice_is_refused_at_every_level_and_named) {
    for (const char* body :
         {R"({"a":1,"twice":1,"twice":2})",
          R"({"x":{"y":[{"twice":1,"z":{},"twice":2}]}})",
          R"({"twice":1,"tw\u0069ce":2})"}) {
        JsonDocument document;
        const auto read = document.parse(body);
        ASSERT_FALSE(read.ok()) << body;
        EXPECT_EQ(read.error().code(), Code::invalid_argument);
        EXPECT_EQ(read.error().effect(), Effect::none);
        EXPECT_EQ(document.repeated_name(), "twice");
    }
    JsonDocument other;
    EXPECT_FALSE(other.parse("{\"a\":}").ok());
    EXPECT_EQ(other.repeated_name(), std::nullopt);
}

TEST(Json, a_name_given_twice_is_found_among_very_many) {
    for (int count : {15, 16, 17, 18, 100, 50'000}) {
        std::string body = "{";
        for (int i = 0; i < count; ++i) {
            body += "\"m" + std::to_string(i) + "\":0,";
        }
        const std::string once = body + "\"last\":0}";
        JsonDocument good;
        EXPECT_TRUE(good.parse(once).ok()) << count;
        const std::string twice = body + "\"m0\":0}";
        JsonDocument bad;
        EXPECT_FALSE(bad.parse(twice).ok()) << count;
        EXPECT_EQ(bad.repeated_name(), "m0");
    }
}

std::string_view refusal_of(const std::string& text) {
    JsonDocument document;
    const auto read = document.parse(text);
    return read.ok() ? std::string_view() : read.error().what();
}

TEST(Json, thirty_two_levels_are_read_and_one_more_is_refused) {
    constexpr std::string_view too_deep = "the JSON text is nested too deeply";
    EXPECT_EQ(refusal_of(repeat("[", 32) + repeat("]", 32)), "");
    EXPECT_EQ(refusal_of(repeat("{\"a\":", 31) + "{}" + repeat("}", 31)), "");
    EXPECT_EQ(refusal_of(repeat("[", 33) + repeat("]", 33)), too_deep);
    EXPECT_EQ(refusal_of(repeat("{\"a\":", 32) + "{}" + repeat("}", 32)), too_deep);
    EXPECT_EQ(refusal_of(repeat("[{\"a\":", 16) + "[]" + repeat("}]", 16)), too_deep);
}

TEST(Json, a_hundred_thousand_brackets_are_refused_without_using_the_stack) {
    EXPECT_NE(refusal_of(repeat("[", 100'000)), "");
    EXPECT_NE(refusal_of(repeat("{\"a\":", 100'000)), "");
}

TEST(Json, members_nobody_asks_for_are_ignored_but_must_be_right) {
    JsonDocument good;
    const auto read = good.parse_object(R"({"new":{"x":[1,{"y":null}]},"key":"k"})");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read.value().text("key").value(), "k");
    for (const char* body :
         {R"({"new":{"x":[1,]},"key":"k"})",
          R"({"new":"\ud800","key":"k"})",
          R"({"new":NaN,"key":"k"})",
          R"({"new":01,"key":"k"})"}) {
        JsonDocument bad;
        EXPECT_FALSE(bad.parse_object(body).ok()) << body;
    }
}

TEST(Json, only_an_object_is_an_object) {
    for (const char* body : {"[]", "1", "null", "\"{}\""}) {
        JsonDocument document;
        const auto read = document.parse_object(body);
        ASSERT_FALSE(read.ok());
        EXPECT_EQ(read.error().what(), "the JSON text is not an object");
    }
}

TEST(Json, children_come_in_the_order_of_the_text_with_their_names) {
    JsonDocument document;
    const auto read = document.parse(R"({"b":[1,[2,3],{"x":4}],"a":{"c":5},"z":6})");
    ASSERT_TRUE(read.ok());
    std::string names;
    for (JsonValue member : read.value().children()) {
        names += std::string(member.name()) + ";";
    }
    EXPECT_EQ(names, "b;a;z;");
    std::vector<JsonKind> kinds;
    for (JsonValue item : (*read.value().children().begin()).children()) {
        EXPECT_EQ(item.name(), "");
        kinds.push_back(item.kind());
    }
    EXPECT_EQ(kinds, (std::vector{JsonKind::number, JsonKind::array, JsonKind::object}));
}

TEST(Json, the_heap_is_watched) {
    const long before = allocations;
    auto text = std::make_unique<std::string>(1000, 'x');
    EXPECT_GE(allocations - before, 2);
}

TEST(Json, a_small_request_is_read_without_the_heap) {
    std::string body = R"({"namespace":"prod","key":"order\u002did","size":100,"initialOffset":0)";
    body += R"(,"owner":{"key":"host-1","incarnation":"0123456789abcdef"},"tags":["a","b"])";
    body += ",\"note\":\"" + std::string(200 - body.size() - 11, 'x') + "\"}";
    ASSERT_EQ(body.size(), 200u);
    const long before = allocations;
    JsonDocument document;
    const auto read = document.parse_object(body);
    const bool right = read.ok() && read.value().text("key").value() == "order-id" &&
                       read.value().integer("size").value() == 100;
    const long after = allocations;
    EXPECT_TRUE(right);
    EXPECT_EQ(after, before);
}

TEST(Json, the_densest_text_is_read_whole_with_few_allocations) {
    const std::string body = "[" + repeat("0,", 100'000) + "0]";
    const long before = allocations;
    JsonDocument document;
    const auto read = document.parse(body);
    EXPECT_LE(allocations - before, 16);
    ASSERT_TRUE(read.ok());
    int count = 0;
    for (JsonValue item : read.value().children()) {
        count += item.integer() == 0 ? 1 : 0;
    }
    EXPECT_EQ(count, 100'001);
    static_assert(sizeof(JsonNode) == 32);  // of the text: 16 bytes a byte, 32 after a doubling
    static_assert(sizeof(JsonDocument) <= 1152);
}

}  // namespace
}  // namespace holdfast
