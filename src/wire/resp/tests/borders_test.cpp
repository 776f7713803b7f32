// Replies that end at, before or after the borders of read buffers.
#include "feeding.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string bulk_reply_of(std::size_t whole) {
    for (std::size_t size = whole < 24 ? 0 : whole - 24; size <= whole; ++size) {
        std::string bytes = "$" + std::to_string(size) + "\r\n" + std::string(size, 'b') + "\r\n";
        if (bytes.size() == whole) {
            return bytes;
        }
    }
    return {};
}

// One reply of `whole` bytes, read in pieces of `piece` bytes.
void expect_read(const std::string& bytes, std::size_t piece, std::size_t text_bytes) {
    RespParser parser;
    RespStatus status = RespStatus::incomplete;
    std::size_t size = 0;
    while (size < bytes.size()) {
        ASSERT_EQ(status, RespStatus::incomplete);
        size = std::min(size + piece, bytes.size());
        const std::string moved = bytes.substr(0, size);
        status = parser.parse(moved);
        if (status == RespStatus::complete) {
            EXPECT_EQ(parser.consumed(), bytes.size());
            const RespView reply = parser.reply();
            EXPECT_EQ((reply.is_aggregate() ? *reply.begin() : reply).text().size(), text_bytes);
        }
    }
    EXPECT_EQ(status, RespStatus::complete);
}

TEST(Borders, fault_47_replies_around_each_buffer_size_are_read) {
    for (const std::size_t border : {4096U, 16384U, 65536U}) {
        for (const std::size_t whole : {border - 1, border, border + 1}) {
            const std::string bulk = bulk_reply_of(whole);
            if (bulk.empty()) {
                continue;
            }
            for (const std::size_t piece :
                 {std::size_t{1000}, std::size_t{4096}, border - 1, border, border + 1, 2 * border
                 }) {
                expect_read(bulk, piece, static_cast<std::size_t>(std::stoul(bulk.substr(1))));
            }
            const std::string line = "+" + std::string(whole - 3, 's') + "\r\n";
            for (const std::size_t piece : {std::size_t{1000}, border - 1, border, border + 1}) {
                expect_read(line, piece, whole - 3);
            }
        }
    }
}

TEST(Borders, fault_47_every_split_near_a_border_is_read) {
    for (const std::size_t border : {4096U, 16384U, 65536U}) {
        for (const std::size_t whole : {border - 1, border, border + 1, border + 2}) {
            const std::string bulk = bulk_reply_of(whole);
            if (bulk.empty()) {
                continue;
            }
            const std::string row = "*2\r\n" + bulk + ":1\r\n+next\r\n";
            const std::string said = said_of(row, row.size());
            for (std::size_t cut = border - 8; cut < row.size(); ++cut) {
                ASSERT_EQ(said_of_two(row, cut), said) << whole << " cut at " << cut;
            }
        }
    }
}

}  // namespace
}  // namespace holdfast
