#include <holdfast/config/units.h>

namespace holdfast {
namespace {

using namespace std::chrono_literals;

TEST(Units, a_duration_is_read_in_every_documented_form) {
    const std::map<std::string, Duration> forms{
        {"500ms", 500ms},
        {"3s", 3s},
        {"1m", 1min},
        {"1h", 1h},
        {"1d", 24h},
        {"250", 250ms},
        {"0", 0ms},
        {"PT0.5S", 500ms},
        {"PT1M", 1min},
        {"P1DT2H", 26h},
        {"pt1h30m", 90min},
        {"PT1.250S", 1250ms},
        {"3S", 3s},
        {"PT0.5000S", 500ms},
        {"P2D", 48h},
    };
    for (const auto& [text, duration] : forms) {
        EXPECT_EQ(parse_duration(text), duration) << text;
    }
}

// Row 1 of the reports on id generators: 1us must not become zero, which may mean "none".
TEST(Units, what_is_no_duration_is_refused) {
    for (const char* text :
         {"",
          "-1s",
          "+1s",
          "1.5s",
          "1 s",
          "s",
          "1w",
          "1us",
          "PT",
          "P",
          "P1",
          "PT1",
          "PT0.0005S",
          "P1H",
          "PT1S1M",
          "PT1H1H",
          "P1DT",
          "1s ",
          " 1s",
          "1e3",
          "0x10",
          "9223372036854775808",
          "106751991168d",
          "PT9223372036854775807S",
          "PT.5S",
          "PT1.S",
          "PT-1S",
          "PT1.5M"}) {
        EXPECT_FALSE(parse_duration(text)) << text;
    }
}

TEST(Units, a_duration_is_shown_in_the_largest_unit_that_is_exact) {
    EXPECT_EQ(duration_text(1h), "1h");
    EXPECT_EQ(duration_text(90s), "90s");
    EXPECT_EQ(duration_text(100ms), "100ms");
    EXPECT_EQ(duration_text(0ms), "0ms");
    EXPECT_EQ(duration_text(48h), "2d");
}

TEST(Units, a_byte_size_is_read_with_and_without_unit) {
    const std::map<std::string, std::int64_t> forms{
        {"512", 512},
        {"512B", 512},
        {"64KiB", 65'536},
        {"64KB", 65'536},
        {"1MiB", 1 << 20},
        {"1gib", 1 << 30}
    };
    for (const auto& [text, size] : forms) {
        EXPECT_EQ(parse_byte_size(text), size) << text;
    }
    for (const char* text :
         {"", "-1", "1.5MiB", "1TiB", "KiB", "1 KiB", "9223372036854775807KiB"}) {
        EXPECT_FALSE(parse_byte_size(text)) << text;
    }
    EXPECT_EQ(byte_size_text(65'536), "64KiB");
    EXPECT_EQ(byte_size_text(1'000), "1000");
}

TEST(Units, a_whole_number_is_plain_decimal) {
    EXPECT_EQ(parse_whole_number("-5"), -5);
    EXPECT_EQ(parse_whole_number("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
    for (const char* text :
         {"", "+5", "1e3", "0x1", "1_000", "1.0", " 1", "1 ", "9223372036854775808"}) {
        EXPECT_FALSE(parse_whole_number(text)) << text;
    }
}

TEST(Units, yes_and_no_have_the_words_of_spring) {
    for (const char* text : {"true", "YES", "on", "1"}) {
        EXPECT_EQ(parse_yes_or_no(text), true) << text;
    }
    for (const char* text : {"False", "no", "off", "0"}) {
        EXPECT_EQ(parse_yes_or_no(text), false) << text;
    }
    EXPECT_FALSE(parse_yes_or_no("maybe"));
    EXPECT_FALSE(parse_yes_or_no("o-n"));
}

}  // namespace
}  // namespace holdfast
