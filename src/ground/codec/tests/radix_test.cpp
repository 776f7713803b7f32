#include <holdfast/codec/radix.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace holdfast {
namespace {

using namespace std::string_view_literals;

struct Vector {
    Radix radix;
    std::uint64_t value;
    std::size_t width;
    const char* text;
};

// What CosId 3.2.1 answers.
constexpr Vector vectors[] = {
    {Radix::r62, 0u, 0, "0"},
    {Radix::r62, 1u, 0, "1"},
    {Radix::r62, 9u, 0, "9"},
    {Radix::r62, 10u, 0, "A"},
    {Radix::r62, 35u, 0, "Z"},
    {Radix::r62, 36u, 0, "a"},
    {Radix::r62, 37u, 0, "b"},
    {Radix::r62, 61u, 0, "z"},
    {Radix::r62, 62u, 0, "10"},
    {Radix::r62, 63u, 0, "11"},
    {Radix::r62, 1295u, 0, "Kt"},
    {Radix::r62, 1296u, 0, "Ku"},
    {Radix::r62, 3843u, 0, "zz"},
    {Radix::r62, 3844u, 0, "100"},
    {Radix::r62, 238327u, 0, "zzz"},
    {Radix::r62, 238328u, 0, "1000"},
    {Radix::r62, 2147483647u, 0, "2LKcb1"},
    {Radix::r62, 2147483648u, 0, "2LKcb2"},
    {Radix::r62, 4294967295u, 0, "4gfFC3"},
    {Radix::r62, 4294967296u, 0, "4gfFC4"},
    {Radix::r62, 2199023255551u, 0, "ciKbTd1"},
    {Radix::r62, 17592186044415u, 0, "4ziepp2F"},
    {Radix::r62, 9007199254740991u, 0, "fFgnDxSe7"},
    {Radix::r62, 9007199254740992u, 0, "fFgnDxSe8"},
    {Radix::r62, 9007199254740993u, 0, "fFgnDxSe9"},
    {Radix::r62, 4611686018427387904u, 0, "5UfZOVH2ZO4"},
    {Radix::r62, 9223372036854775806u, 0, "AzL8n0Y58m6"},
    {Radix::r62, 9223372036854775807u, 0, "AzL8n0Y58m7"},
    {Radix::r62, 0u, 11, "00000000000"},
    {Radix::r62, 1u, 11, "00000000001"},
    {Radix::r62, 9u, 11, "00000000009"},
    {Radix::r62, 10u, 11, "0000000000A"},
    {Radix::r62, 35u, 11, "0000000000Z"},
    {Radix::r62, 36u, 11, "0000000000a"},
    {Radix::r62, 37u, 11, "0000000000b"},
    {Radix::r62, 61u, 11, "0000000000z"},
    {Radix::r62, 62u, 11, "00000000010"},
    {Radix::r62, 63u, 11, "00000000011"},
    {Radix::r62, 1295u, 11, "000000000Kt"},
    {Radix::r62, 1296u, 11, "000000000Ku"},
    {Radix::r62, 3843u, 11, "000000000zz"},
    {Radix::r62, 3844u, 11, "00000000100"},
    {Radix::r62, 238327u, 11, "00000000zzz"},
    {Radix::r62, 238328u, 11, "00000001000"},
    {Radix::r62, 2147483647u, 11, "000002LKcb1"},
    {Radix::r62, 2147483648u, 11, "000002LKcb2"},
    {Radix::r62, 4294967295u, 11, "000004gfFC3"},
    {Radix::r62, 4294967296u, 11, "000004gfFC4"},
    {Radix::r62, 2199023255551u, 11, "0000ciKbTd1"},
    {Radix::r62, 17592186044415u, 11, "0004ziepp2F"},
    {Radix::r62, 9007199254740991u, 11, "00fFgnDxSe7"},
    {Radix::r62, 9007199254740992u, 11, "00fFgnDxSe8"},
    {Radix::r62, 9007199254740993u, 11, "00fFgnDxSe9"},
    {Radix::r62, 4611686018427387904u, 11, "5UfZOVH2ZO4"},
    {Radix::r62, 9223372036854775806u, 11, "AzL8n0Y58m6"},
    {Radix::r62, 9223372036854775807u, 11, "AzL8n0Y58m7"},
    {Radix::r36, 0u, 0, "0"},
    {Radix::r36, 1u, 0, "1"},
    {Radix::r36, 9u, 0, "9"},
    {Radix::r36, 10u, 0, "A"},
    {Radix::r36, 35u, 0, "Z"},
    {Radix::r36, 36u, 0, "10"},
    {Radix::r36, 37u, 0, "11"},
    {Radix::r36, 61u, 0, "1P"},
    {Radix::r36, 62u, 0, "1Q"},
    {Radix::r36, 63u, 0, "1R"},
    {Radix::r36, 1295u, 0, "ZZ"},
    {Radix::r36, 1296u, 0, "100"},
    {Radix::r36, 3843u, 0, "2YR"},
    {Radix::r36, 3844u, 0, "2YS"},
    {Radix::r36, 238327u, 0, "53W7"},
    {Radix::r36, 238328u, 0, "53W8"},
    {Radix::r36, 2147483647u, 0, "ZIK0ZJ"},
    {Radix::r36, 2147483648u, 0, "ZIK0ZK"},
    {Radix::r36, 4294967295u, 0, "1Z141Z3"},
    {Radix::r36, 4294967296u, 0, "1Z141Z4"},
    {Radix::r36, 2199023255551u, 0, "S27TO3CV"},
    {Radix::r36, 17592186044415u, 0, "68HQLCQV3"},
    {Radix::r36, 9007199254740991u, 0, "2GOSA7PA2GV"},
    {Radix::r36, 9007199254740992u, 0, "2GOSA7PA2GW"},
    {Radix::r36, 9007199254740993u, 0, "2GOSA7PA2GX"},
    {Radix::r36, 4611686018427387904u, 0, "Z1CI99JJ7474"},
    {Radix::r36, 9223372036854775806u, 0, "1Y2P0IJ32E8E6"},
    {Radix::r36, 9223372036854775807u, 0, "1Y2P0IJ32E8E7"},
    {Radix::r36, 0u, 13, "0000000000000"},
    {Radix::r36, 1u, 13, "0000000000001"},
    {Radix::r36, 9u, 13, "0000000000009"},
    {Radix::r36, 10u, 13, "000000000000A"},
    {Radix::r36, 35u, 13, "000000000000Z"},
    {Radix::r36, 36u, 13, "0000000000010"},
    {Radix::r36, 37u, 13, "0000000000011"},
    {Radix::r36, 61u, 13, "000000000001P"},
    {Radix::r36, 62u, 13, "000000000001Q"},
    {Radix::r36, 63u, 13, "000000000001R"},
    {Radix::r36, 1295u, 13, "00000000000ZZ"},
    {Radix::r36, 1296u, 13, "0000000000100"},
    {Radix::r36, 3843u, 13, "00000000002YR"},
    {Radix::r36, 3844u, 13, "00000000002YS"},
    {Radix::r36, 238327u, 13, "00000000053W7"},
    {Radix::r36, 238328u, 13, "00000000053W8"},
    {Radix::r36, 2147483647u, 13, "0000000ZIK0ZJ"},
    {Radix::r36, 2147483648u, 13, "0000000ZIK0ZK"},
    {Radix::r36, 4294967295u, 13, "0000001Z141Z3"},
    {Radix::r36, 4294967296u, 13, "0000001Z141Z4"},
    {Radix::r36, 2199023255551u, 13, "00000S27TO3CV"},
    {Radix::r36, 17592186044415u, 13, "000068HQLCQV3"},
    {Radix::r36, 9007199254740991u, 13, "002GOSA7PA2GV"},
    {Radix::r36, 9007199254740992u, 13, "002GOSA7PA2GW"},
    {Radix::r36, 9007199254740993u, 13, "002GOSA7PA2GX"},
    {Radix::r36, 4611686018427387904u, 13, "0Z1CI99JJ7474"},
    {Radix::r36, 9223372036854775806u, 13, "1Y2P0IJ32E8E6"},
    {Radix::r36, 9223372036854775807u, 13, "1Y2P0IJ32E8E7"},
};

std::string in_radix(std::uint64_t value, Radix radix, std::size_t width = 0) {
    std::string out;
    EXPECT_TRUE(append_radix(out, value, radix, width));
    return out;
}

TEST(Radix, texts_are_those_of_cosid) {
    for (const Vector& one : vectors) {
        EXPECT_EQ(in_radix(one.value, one.radix, one.width), one.text);
        EXPECT_EQ(parse_radix(one.text, one.radix), one.value) << one.text;
    }
}

TEST(Radix, the_largest_number_has_the_most_digits_and_comes_back) {
    for (Radix radix : {Radix::r36, Radix::r62}) {
        const std::string text = in_radix(UINT64_MAX, radix);
        EXPECT_EQ(text.size(), radix_digits_max(radix));
        EXPECT_EQ(parse_radix(text, radix), UINT64_MAX);
    }
}

TEST(Radix, one_above_the_largest_number_is_refused) {
    EXPECT_EQ(in_radix(UINT64_MAX, Radix::r36), "3W5E11264SGSF");
    EXPECT_EQ(parse_radix("3W5E11264SGSG", Radix::r36), std::nullopt);
    EXPECT_EQ(parse_radix("ZZZZZZZZZZZZZ", Radix::r36), std::nullopt);
    EXPECT_EQ(in_radix(UINT64_MAX, Radix::r62), "LygHa16AHYF");
    EXPECT_EQ(parse_radix("LygHa16AHYG", Radix::r62), std::nullopt);
    EXPECT_EQ(parse_radix("zzzzzzzzzzz", Radix::r62), std::nullopt);
}

TEST(Radix, a_value_wider_than_its_width_is_refused_and_nothing_is_written) {
    std::string out = "kept";
    EXPECT_FALSE(append_radix(out, 62, Radix::r62, 1));
    EXPECT_FALSE(append_radix(out, 1296, Radix::r36, 2));
    EXPECT_EQ(out, "kept");
    EXPECT_TRUE(append_radix(out, 61, Radix::r62, 1));
    EXPECT_EQ(out, "keptz");
    EXPECT_EQ(in_radix(1, Radix::r62, 20), "00000000000000000001");
}

TEST(Radix, digits_are_written_in_place_at_every_width) {
    std::mt19937_64 random(9);
    for (const Radix radix : {Radix::r36, Radix::r62}) {
        for (std::size_t width = 0; width <= radix_digits_max(radix) + 2; ++width) {
            for (int i = 0; i < 500; ++i) {
                const std::uint64_t value = random() >> (random() % 64);
                std::string place(width + 2, '#');
                const bool written = write_radix(place.data() + 1, width, value, radix);
                std::string expected;
                if (value == 0 && width == 0) {
                    ASSERT_TRUE(written);
                } else if (width == 0 || !append_radix(expected, value, radix, width)) {
                    ASSERT_FALSE(written);
                    expected = std::string(width, '#');
                } else {
                    ASSERT_TRUE(written);
                }
                ASSERT_EQ(place, "#" + expected + "#");
            }
        }
    }
}

TEST(Radix, what_is_no_digit_or_too_long_or_empty_is_refused) {
    for (std::string_view text :
         {""sv,
          " "sv,
          "+1"sv,
          "-1"sv,
          " 1"sv,
          "1 "sv,
          "1_"sv,
          "1-"sv,
          "/"sv,
          ":"sv,
          "@"sv,
          "["sv,
          "`"sv,
          "{"sv,
          "1\xd9\xa1"sv,
          "\xc3\xa9"sv,
          "1\0"sv,
          "00000000000000"sv}) {
        EXPECT_EQ(parse_radix(text, Radix::r36), std::nullopt) << text;
        EXPECT_EQ(parse_radix(text, Radix::r62), std::nullopt) << text;
    }
    EXPECT_EQ(parse_radix("a", Radix::r36), std::nullopt);
    EXPECT_EQ(parse_radix("a", Radix::r62), 36u);
    EXPECT_EQ(parse_radix("000000000000", Radix::r62), std::nullopt);
}

TEST(Radix, every_number_comes_back_and_padded_texts_sort_as_the_numbers_do) {
    std::mt19937_64 random(7);
    for (Radix radix : {Radix::r36, Radix::r62}) {
        for (int i = 0; i < 20'000; ++i) {
            const std::uint64_t a = random() >> (random() % 64);
            const std::uint64_t b = random() >> (random() % 64);
            ASSERT_EQ(parse_radix(in_radix(a, radix), radix), a);
            const std::size_t width = radix_digits_max(radix);
            ASSERT_EQ(a < b, in_radix(a, radix, width) < in_radix(b, radix, width));
        }
    }
}

}  // namespace
}  // namespace holdfast
