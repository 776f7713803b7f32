// Bytes of a server that is wrong or malicious. F3 and fault 40 are names of faults that other
// Redis clients have or had.
#include "naive_parser.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

// The verdict, which must not depend on how the bytes are cut.
RespStatus verdict(std::string_view bytes) {
    RespParser whole;
    const RespStatus status = whole.parse(bytes);
    RespParser sliced;
    RespStatus last = RespStatus::incomplete;
    for (std::size_t size = 1; size <= bytes.size() && last == RespStatus::incomplete; ++size) {
        last = sliced.parse(bytes.substr(0, size));
    }
    EXPECT_EQ(last, status);
    return status;
}

TEST(HostileReplies, F2_an_attribute_is_never_the_answer) {
    // What DEBUG PROTOCOL ATTRIB answers, then two GETs.
    const std::string bytes =
        "|1\r\n$14\r\nkey-popularity\r\n*2\r\n$7\r\nkey:123\r\n:90\r\n"
        "$39\r\nSome real reply following the attribute\r\n$2\r\nv1\r\n$2\r\nv2\r\n";
    const std::string said =
        "$39:Some real reply following the attribute @93\n$2:v1 @8\n$2:v2 @8\n";
    EXPECT_EQ(said_of(bytes, bytes.size()), said);
    EXPECT_EQ(said_of(bytes, 1), said);
}

TEST(HostileReplies, F3_a_length_without_digits_is_refused) {
    for (const char* const bytes :
         {"$\r\n", "*\r\n", ":\r\n", "%\r\n", "!\r\n", "=\r\n", "|\r\n"}) {
        EXPECT_EQ(verdict(bytes), RespStatus::broken) << bytes;
    }
}

TEST(HostileReplies, F3_streamed_strings_do_not_nest) {
    EXPECT_EQ(verdict("$?\r\n$?\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict(repeated("*1\r\n", 127) + "$?\r\n$?\r\n$?\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict(repeated("*1\r\n", 128) + "$?\r\n;0\r\n"), RespStatus::complete);
}

TEST(HostileReplies, F3_a_length_that_wraps_is_refused) {
    for (const char* const digits :
         {"18446744073709551615",
          "18446744073709551614",
          "18446744073709551616",
          "18446744073709551613",
          "9223372036854775807",
          "9223372036854775808",
          "99999999999999999999999999"}) {
        for (const char* const type : {"$", "!", "=", "*", "~", "%", ">", "|"}) {
            EXPECT_EQ(verdict(std::string(type) + digits + "\r\n"), RespStatus::broken)
                << type << digits;
        }
        EXPECT_EQ(verdict("$?\r\n;" + std::string(digits) + "\r\n"), RespStatus::broken);
    }
}

TEST(HostileReplies, F3_the_nulls_of_RESP2_are_values) {
    EXPECT_EQ(said_of("$-1\r\n*-1\r\n", 1), "null @5\nnull @5\n");
}

TEST(HostileReplies, F6_128_levels_are_read_and_129_are_refused) {
    const std::string deep = repeated("*1\r\n", 128) + ":1\r\n";
    EXPECT_EQ(verdict(deep), RespStatus::complete);
    EXPECT_EQ(verdict(repeated("*1\r\n", 129)), RespStatus::broken);
    EXPECT_EQ(verdict(repeated("*1\r\n", 128) + "*0\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict(repeated("|1\r\n+a\r\n", 128) + "+a\r\n"), RespStatus::incomplete);
    EXPECT_EQ(verdict(repeated("|1\r\n+a\r\n", 129)), RespStatus::broken);
    EXPECT_EQ(verdict(repeated("%?\r\n+a\r\n", 128) + repeated("~?\r\n", 1)), RespStatus::broken);
}

TEST(HostileReplies, fault_39_an_announced_length_takes_no_memory) {
    for (const char* const bytes :
         {"*4294900000\r\n",
          "%2147000000\r\n",
          "~4000000000\r\n",
          ">4000000000\r\n",
          "$4000000000\r\n"}) {
        RespParser parser;
        EXPECT_EQ(
            parser.parse(bytes), RespStatus::incomplete
        );  // the allocations are counted in parser_cost_test
    }
}

TEST(HostileReplies, fault_40_a_million_nested_arrays_are_refused) {
    for (const char* const level : {"*1\r\n", "*?\r\n", "%1\r\n+k\r\n", "|1\r\n", "~1\r\n"}) {
        RespParser parser;
        EXPECT_EQ(parser.parse(repeated(level, 1'000'000)), RespStatus::broken);
        EXPECT_EQ(parser.problem(), "values are nested too deep");
    }
}

TEST(HostileReplies, fault_43_lines_of_a_megabyte_are_read) {
    for (const char type : {'+', '-'}) {
        const std::string text(1 << 20, 'x');
        const std::string bytes = type + text + "\r\n";
        RespParser parser;
        for (std::size_t size = 0; size < bytes.size(); size += 4096) {
            ASSERT_EQ(
                parser.parse(std::string_view(bytes).substr(0, size)), RespStatus::incomplete
            );
        }
        ASSERT_EQ(parser.parse(bytes), RespStatus::complete);
        EXPECT_EQ(parser.reply().text(), text);
    }
}

TEST(HostileReplies, a_line_above_the_limit_is_refused) {
    const std::string text(resp_line_bytes_read_max, 'x');
    RespParser parser;
    EXPECT_EQ(parser.parse("+" + text), RespStatus::incomplete);
    EXPECT_EQ(parser.parse("+" + text + "\r\n"), RespStatus::complete);
    RespParser other;
    EXPECT_EQ(other.parse("+" + text + "x"), RespStatus::broken);
}

TEST(HostileReplies, lengths_and_numbers_have_one_spelling) {
    for (const char* const bytes :
         {"$05\r\n",
          "$+5\r\n",
          "$-5\r\n",
          "$-0\r\n",
          "$ 5\r\n",
          "$5 \r\n",
          "$5\n",
          "$0x5\r\n",
          "$-1 ",
          "$-11\r\n",
          "$5\rx",
          "*01\r\n",
          "*+1\r\n",
          "*-2\r\n",
          "%-1\r\n",
          "~-1\r\n",
          ">-1\r\n",
          "|-1\r\n",
          "!-1\r\n",
          "=-1\r\n",
          "|?\r\n",
          ">?\r\n",
          "!?\r\n",
          "=?\r\n",
          "$??",
          ":-0\r\n",
          ":01\r\n",
          ":--1\r\n",
          ":+-1\r\n",
          ":1.5\r\n",
          ":+\r\n",
          ":-?\r\n",
          ":?\r\n",
          ":1 \r\n",
          ":9223372036854775808\r\n",
          ":-9223372036854775809\r\n",
          "$4294967297\r\n",
          "=3\r\nabc\r\n",
          "=4\r\nabcd\r\n",
          "_x\r\n",
          "#x\r\n",
          "#tt\r\n",
          "#\r\n",
          ".\r\n",
          ";1\r\na\r\n"}) {
        EXPECT_EQ(verdict(bytes), RespStatus::broken) << bytes;
    }
}

TEST(HostileReplies, a_text_must_end_where_its_length_says) {
    EXPECT_EQ(verdict("$5\r\nhello!\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict("$5\r\nhello\r\r"), RespStatus::broken);
    EXPECT_EQ(verdict("$?\r\n;1\r\nab\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict("+a\rb\r\n"), RespStatus::broken);
}

TEST(HostileReplies, streamed_aggregates_end_as_they_should) {
    EXPECT_EQ(verdict("%?\r\n+a\r\n.\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict("*1\r\n.\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict("*?\r\n|1\r\n+a\r\n+b\r\n.\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict("*?\r\n|0\r\n.\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict("*?\r\n.x"), RespStatus::broken);
}

TEST(HostileReplies, a_push_inside_a_reply_is_refused) {
    EXPECT_EQ(verdict("*2\r\n:1\r\n>1\r\n+x\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict("|1\r\n+a\r\n>1\r\n+x\r\n"), RespStatus::broken);
}

TEST(HostileReplies, bytes_of_another_protocol_are_refused_at_once) {
    EXPECT_EQ(verdict("HTTP/1.1 400 Bad Request\r\n"), RespStatus::broken);
    EXPECT_EQ(verdict(std::string("\x15\x03\x01\x00\x02\x02\x46", 7)), RespStatus::broken);
    EXPECT_EQ(verdict(std::string(1, '\0')), RespStatus::broken);
    EXPECT_EQ(verdict("\r\n"), RespStatus::broken);
}

}  // namespace
}  // namespace holdfast
