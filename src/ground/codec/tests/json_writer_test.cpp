#include <holdfast/codec/json.h>
#include <holdfast/codec/json_writer.h>

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

TEST(JsonWriter, commas_stand_between_members_and_items_only) {
    std::string out = "HTTP ";
    JsonWriter(out)
        .open_object()
        .field("start", 1)
        .field("end", std::uint64_t{18446744073709551615u})
        .name("list")
        .open_array()
        .integer(1)
        .open_array()
        .close_array()
        .open_object()
        .close_object()
        .text("x")
        .null()
        .close_array()
        .name("inner")
        .open_object()
        .field("ok", true)
        .field("text", "v")
        .close_object()
        .field("no", false)
        .close_object();
    EXPECT_EQ(
        out,
        R"(HTTP {"start":1,"end":18446744073709551615,"list":[1,[],{},"x",null],)"
        R"("inner":{"ok":true,"text":"v"},"no":false})"
    );
}

TEST(JsonWriter, integers_are_written_in_plain_decimal_to_their_ends) {
    std::string out;
    JsonWriter(out)
        .open_array()
        .integer(INT64_MIN)
        .integer(INT64_MAX)
        .integer(0)
        .unsigned_integer(UINT64_MAX)
        .close_array();
    EXPECT_EQ(out, "[-9223372036854775808,9223372036854775807,0,18446744073709551615]");
}

TEST(JsonWriter, a_real_number_reads_back_as_itself_and_what_is_not_finite_is_null) {
    std::string out;
    JsonWriter(out)
        .open_array()
        .real(0.1)
        .real(-2)
        .real(std::numeric_limits<double>::infinity())
        .real(std::numeric_limits<double>::quiet_NaN())
        .close_array();
    EXPECT_EQ(out, "[0.1,-2,null,null]");
}

TEST(JsonWriter, every_character_reads_back_and_only_what_must_be_is_escaped) {
    std::string all;
    for (int c = 0; c < 0x80; ++c) {
        all += static_cast<char>(c);
    }
    all += "\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80";
    std::string out;
    append_json_text(out, all);
    JsonDocument document;
    const auto read = document.parse(out);
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read.value().text(), all);
    std::string escapes;
    append_json_text(escapes, std::string_view("\"\\/\b\f\n\r\t\0\x1f\x7f", 11));
    EXPECT_EQ(escapes, "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\"");
}

TEST(JsonWriter, bytes_that_are_no_utf8_are_replaced_so_that_the_answer_stays_json) {
    std::string out;
    append_json_text(out, "a\xff\xc3\xe2\x82z\xed\xa0\x80");
    const std::string r = "\xef\xbf\xbd";
    EXPECT_EQ(out, "\"a" + r + r + r + r + "z" + r + r + r + "\"");
}

TEST(JsonWriter, names_are_escaped_too) {
    std::string out;
    JsonWriter(out).open_object().field("a\"b\n", "c").close_object();
    EXPECT_EQ(out, "{\"a\\\"b\\n\":\"c\"}");
}

TEST(JsonWriter, what_was_read_is_written_with_its_numbers_as_they_were) {
    const std::string text =
        R"({"a":[1.50,1E3,-0,99999999999999999999,true,false,null],"b":{"c":"d\n"}})";
    JsonDocument document;
    const auto read = document.parse(text);
    ASSERT_TRUE(read.ok());
    std::string out;
    JsonWriter(out).value(read.value());
    EXPECT_EQ(out, text);
}

TEST(JsonWriter, same_json_sees_every_difference) {
    const auto same = [](std::string_view a, std::string_view b) {
        JsonDocument first;
        JsonDocument second;
        return same_json(first.parse(a).value(), second.parse(b).value());
    };
    EXPECT_TRUE(same(R"({"a":[1,"x"]})", R"( { "\u0061" : [ 1 , "\u0078" ] } )"));
    EXPECT_FALSE(same("[1]", "[2]"));
    EXPECT_FALSE(same("[1]", "[1,1]"));
    EXPECT_FALSE(same("[[],0]", "[[0]]"));
    EXPECT_FALSE(same("[true]", "[false]"));
    EXPECT_FALSE(same("[1]", "[\"1\"]"));
    EXPECT_FALSE(same(R"({"a":1})", R"({"b":1})"));
}

}  // namespace
}  // namespace holdfast
