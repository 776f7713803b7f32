#include <holdfast/ids/parse.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

constexpr std::int64_t snowflake = 797'011'712'925'528'069;  // machine 7, sequence 5

std::string lines_of(const std::vector<IdLine>& lines) {
    std::string text;
    for (const IdLine& line : lines) {
        text += line.name + " " + line.value + "\n";
    }
    return text;
}

std::string guesses_of(std::string_view text) {
    std::string found;
    for (const IdGuess& guess : guess_id(text, standard_layouts())) {
        found += guess.layout + " " + guess.encoding + "\n";
    }
    return found;
}

TEST(IdReading, a_number_is_described_in_the_zone) {
    const auto reading = read_id(IdLayout::milliseconds(), snowflake);
    ASSERT_TRUE(reading.ok());
    EXPECT_EQ(
        lines_of(describe_id(reading.value(), TimeZone::find("Asia/Shanghai").value())),
        "id 797011712925528069\n"
        "time 2026-01-01T00:00:00.123Z\n"
        "local_time 2026-01-01T08:00:00.123 Asia/Shanghai\n"
        "machine 7\n"
        "sequence 5\n"
        "radix62 0wsJy9erWLt\n"
        "radix36 061ZP2M9N8W79\n"
        "friendly 20260101080000123-7-5\n"
    );
}

TEST(IdReading, a_text_id_is_described_without_a_number) {
    const auto reading = read_id(IdLayout::text(), "0V70MWFf0001001");
    ASSERT_TRUE(reading.ok());
    EXPECT_EQ(
        lines_of(describe_id(reading.value())),
        "time 2026-01-01T00:00:00.123Z\n"
        "machine 1\n"
        "sequence 1\n"
        "radix62 0V70MWFf0001001\n"
        "radix36 0MJUOHS3F00010001\n"
        "friendly 20260101000000123-0000001-00001\n"
    );
}

TEST(IdReading, every_encoding_that_is_printed_is_read_to_the_same_parts) {
    const TimeZone zone = TimeZone::find("America/New_York").value();
    for (const NamedLayout& named : standard_layouts()) {
        const IdParts parts{
            named.layout.tick_of(cosid_epoch) - named.layout.epoch_tick() + 77'777'777, 3, 11
        };
        const auto reading = read_id(named.layout, parts);
        ASSERT_TRUE(reading.ok());
        for (const IdLine& line : describe_id(reading.value(), zone)) {
            if (line.name == "id" || line.name.starts_with("radix") || line.name == "friendly") {
                const auto back = read_id(named.layout, line.value, zone);
                ASSERT_TRUE(back.ok()) << named.name << " " << line.value;
                EXPECT_EQ(back.value().parts, parts) << named.name << " " << line.value;
            }
        }
    }
}

TEST(IdReading, what_is_no_id_of_the_layout_is_refused) {
    EXPECT_FALSE(read_id(IdLayout::milliseconds(), -1).ok());
    EXPECT_FALSE(read_id(IdLayout::js_safe_milliseconds(), snowflake).ok());
    EXPECT_FALSE(read_id(IdLayout::milliseconds(), "").ok());
    EXPECT_FALSE(read_id(IdLayout::milliseconds(), "-1").ok());
    EXPECT_FALSE(read_id(IdLayout::milliseconds(), "not an id").ok());
    EXPECT_FALSE(read_id(IdLayout::text(), IdParts{0, 1 << 20, 0}).ok());
    EXPECT_FALSE(read_id(IdLayout::text(), 0).ok());
}

TEST(IdReading, a_text_that_could_be_two_ids_is_not_read_but_guessed) {
    EXPECT_FALSE(read_id(IdLayout::milliseconds(), "1234567890123").ok());
    const NamedLayout named{"mine", IdLayout::milliseconds()};
    std::string found;
    for (const IdGuess& guess : guess_id("1234567890123", std::span(&named, 1))) {
        found += guess.encoding + " ";
    }
    EXPECT_EQ(found, "decimal radix36 ");
}

TEST(IdReading, guesses_name_every_layout_that_a_text_fits) {
    EXPECT_EQ(guesses_of("797011712925528069"), "snowflake decimal\nsnowflake-seconds decimal\n");
    EXPECT_EQ(guesses_of("0wsJy9erWLt"), "snowflake radix62\nsnowflake-seconds radix62\n");
    EXPECT_EQ(guesses_of("0V70MWFf0001001"), "string radix62\n");
    EXPECT_EQ(guesses_of("0MJUOHS3F00010001"), "string radix36\n");
    EXPECT_EQ(guesses_of("20260101000000123-0000001-00001"), "string friendly\n");
    EXPECT_EQ(
        guesses_of("20260101000000123-7-5"),
        "snowflake friendly\njs-safe friendly\nstring friendly\n"
    );
    EXPECT_EQ(guesses_of("what else"), "");
}

TEST(IdReading, a_layout_is_described_with_its_end) {
    EXPECT_EQ(
        lines_of(describe_layout(IdLayout::milliseconds(), cosid_epoch)),
        "unit millisecond\n"
        "epoch 2019-12-24T16:00:00.000Z\n"
        "bits 41/10/12\n"
        "last_time 2089-08-30T07:47:35.551Z\n"
        "years_left 69.7\n"
        "machines 1024\n"
        "ids_per_tick 4096\n"
        "js_safe no\n"
    );
}

}  // namespace
}  // namespace holdfast
