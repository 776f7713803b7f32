#include "naive_parser.h"
#include "reply_table.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string expected(const ReplyCase& reply) {
    return reply.text + " @" + std::to_string(reply.bytes.size()) + "\n";
}

class Replies : public ::testing::TestWithParam<ReplyCase> {};

TEST_P(Replies, is_read_whole) {
    EXPECT_EQ(said_of(GetParam().bytes, GetParam().bytes.size()), expected(GetParam()));
}

TEST_P(Replies, is_the_same_split_at_every_byte) {
    for (std::size_t cut = 0; cut <= GetParam().bytes.size(); ++cut) {
        EXPECT_EQ(said_of_two(GetParam().bytes, cut), expected(GetParam())) << "cut at " << cut;
    }
}

TEST_P(Replies, is_the_same_byte_by_byte_in_a_row_of_others) {
    const std::string row = "+before\r\n" + GetParam().bytes + GetParam().bytes + ":7\r\n";
    const std::string all =
        "+6:before @9\n" + expected(GetParam()) + expected(GetParam()) + ":7 @4\n";
    EXPECT_EQ(said_of(row, 1), all);
    EXPECT_EQ(said_of(row, row.size()), all);
}

TEST_P(Replies, is_incomplete_until_its_last_byte) {
    for (std::size_t cut = 0; cut < GetParam().bytes.size(); ++cut) {
        RespParser parser;
        EXPECT_EQ(
            parser.parse(std::string_view(GetParam().bytes).substr(0, cut)), RespStatus::incomplete
        ) << "cut at "
          << cut;
        EXPECT_GT(parser.wanted(), cut);
        EXPECT_LE(parser.wanted(), GetParam().bytes.size());
    }
}

TEST_P(Replies, is_what_the_naive_parser_reads) {
    EXPECT_EQ(NaiveParser(GetParam().bytes).said(), expected(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(
    Table,
    Replies,
    ::testing::ValuesIn(reply_table()),
    [](const ::testing::TestParamInfo<ReplyCase>& one) { return std::string(one.param.name); }
);

TEST(RespParser, text_is_a_view_into_the_given_bytes) {
    const std::string bytes = "*2\r\n$3\r\nabc\r\n+de\r\n";
    RespParser parser;
    ASSERT_EQ(parser.parse(bytes), RespStatus::complete);
    EXPECT_EQ((*parser.reply().begin()).text().data(), bytes.data() + 8);
}

TEST(RespParser, nodes_of_a_child_are_stepped_over) {
    RespParser parser;
    const std::string bytes = "*3\r\n*2\r\n:1\r\n:2\r\n%1\r\n+k\r\n*0\r\n:3\r\n";
    ASSERT_EQ(parser.parse(bytes), RespStatus::complete);
    EXPECT_EQ(parser.reply().nodes().size(), 8U);
    std::string types;
    for (const RespView child : parser.reply()) {
        types += std::to_string(child.nodes().size()) + " ";
    }
    EXPECT_EQ(types, "3 3 1 ");
}

TEST(RespParser, a_reset_forgets_a_reply_that_has_begun) {
    RespParser parser;
    ASSERT_EQ(parser.parse("*2\r\n:1\r\n$5\r\nhe"), RespStatus::incomplete);
    parser.reset();
    ASSERT_EQ(parser.parse("+OK\r\n"), RespStatus::complete);
    EXPECT_EQ(parser.reply().text(), "OK");
}

TEST(RespParser, what_is_broken_stays_so_until_a_reset) {
    RespParser parser;
    ASSERT_EQ(parser.parse("hello\r\n"), RespStatus::broken);
    EXPECT_FALSE(parser.problem().empty());
    EXPECT_EQ(parser.parse("+OK\r\n"), RespStatus::broken);
    parser.reset();
    EXPECT_EQ(parser.parse("+OK\r\n"), RespStatus::complete);
}

}  // namespace
}  // namespace holdfast
