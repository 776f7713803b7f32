#include <holdfast/resp/writer.h>

#include <gtest/gtest.h>

#include <limits>

namespace holdfast {
namespace {

TEST(RespWriter, a_command_is_an_array_of_bulk_strings) {
    std::string out = "before";
    append_resp_count(out, 3);
    append_resp_bulk(out, "SET");
    append_resp_bulk(out, "");
    append_resp_bulk(out, std::string_view("\0\r\n", 3));
    EXPECT_EQ(out, std::string("before*3\r\n$3\r\nSET\r\n$0\r\n\r\n$3\r\n\0\r\n\r\n", 34));
}

TEST(RespWriter, writes_the_same_into_given_memory) {
    const std::string word(12345, 'x');
    std::string appended;
    append_resp_count(appended, 12345);
    append_resp_bulk(appended, word);
    std::string written(appended.size() + resp_line_bytes_max, '?');
    char* end = write_resp_count(written.data(), 12345);
    end = write_resp_bulk(end, word);
    EXPECT_EQ(
        std::string_view(written.data(), static_cast<std::size_t>(end - written.data())), appended
    );
}

TEST(RespWriter, the_longest_line_fits_the_promised_bytes) {
    char line[resp_line_bytes_max];
    const char* const end = write_resp_count(line, std::numeric_limits<std::size_t>::max());
    EXPECT_LE(end - line, static_cast<std::ptrdiff_t>(resp_line_bytes_max));
    EXPECT_EQ(
        std::string_view(line, static_cast<std::size_t>(end - line)), "*18446744073709551615\r\n"
    );
}

TEST(RespWriter, an_empty_view_without_memory_is_an_empty_word) {
    std::string out;
    append_resp_bulk(out, std::string_view());
    char written[resp_line_bytes_max];
    const char* const end = write_resp_bulk(written, std::string_view());
    EXPECT_EQ(out, "$0\r\n\r\n");
    EXPECT_EQ(std::string_view(written, static_cast<std::size_t>(end - written)), out);
}

}  // namespace
}  // namespace holdfast
