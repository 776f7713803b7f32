#include <holdfast/codec/utf.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using namespace std::string_view_literals;

TEST(Utf, the_first_and_last_character_of_each_length_are_accepted) {
    for (std::string_view text :
         {""sv,
          "\0"sv,
          "\x7f"sv,
          "\xc2\x80"sv,
          "\xdf\xbf"sv,
          "\xe0\xa0\x80"sv,
          "\xed\x9f\xbf"sv,
          "\xee\x80\x80"sv,
          "\xef\xbf\xbf"sv,
          "\xf0\x90\x80\x80"sv,
          "\xf4\x8f\xbf\xbf"sv}) {
        EXPECT_TRUE(is_utf8(text));
        EXPECT_EQ(utf8_character_bytes(text), text.size());
    }
}

TEST(Utf, overlong_forms_surrogates_and_what_lies_above_are_refused) {
    for (std::string_view text :
         {"\x80"sv,
          "\xbf"sv,
          "\xc0\x80"sv,
          "\xc1\xbf"sv,
          "\xe0\x80\x80"sv,
          "\xe0\x9f\xbf"sv,
          "\xf0\x80\x80\x80"sv,
          "\xf0\x8f\xbf\xbf"sv,
          "\xed\xa0\x80"sv,
          "\xed\xbf\xbf"sv,
          "\xf4\x90\x80\x80"sv,
          "\xf5\x80\x80\x80"sv,
          "\xf8\x88\x80\x80\x80"sv,
          "\xfe"sv,
          "\xff"sv,
          "\xc3"sv,
          "\xe2\x82"sv,
          "\xf0\x9f\x98"sv,
          "\xc3("sv,
          "\xe2(\xa1"sv,
          "\xe2\x82("sv}) {
        EXPECT_FALSE(is_utf8(text));
        EXPECT_FALSE(is_utf8("a" + std::string(text) + "b"));
        EXPECT_EQ(utf8_character_bytes(text), 0u);
        EXPECT_EQ(to_utf16(text), std::nullopt);
        EXPECT_EQ(utf16_length(text), std::nullopt);
    }
}

TEST(Utf, the_length_is_counted_in_utf16_units) {
    EXPECT_EQ(utf16_length(""), 0u);
    EXPECT_EQ(utf16_length("abc"), 3u);
    EXPECT_EQ(utf16_length("\xc3\xa9\xe2\x82\xac"), 2u);
    EXPECT_EQ(utf16_length("\xf0\x9f\x98\x80"), 2u);
}

TEST(Utf, characters_of_every_plane_go_to_utf16_and_back) {
    for (char32_t code = 0; code <= 0x10ffff; code += code < 0xffff ? 1 : 0x3fd) {
        std::u16string wide;
        if (code >= 0x10000) {
            wide += static_cast<char16_t>(0xd7c0 + (code >> 10));
            wide += static_cast<char16_t>(0xdc00 + (code & 0x3ff));
        } else {
            wide += static_cast<char16_t>(code);
        }
        const bool surrogate = code >= 0xd800 && code <= 0xdfff;
        const auto narrow = to_utf8(wide);
        ASSERT_EQ(narrow.has_value(), !surrogate) << static_cast<std::uint32_t>(code);
        if (narrow) {
            ASSERT_EQ(to_utf16(*narrow), wide) << static_cast<std::uint32_t>(code);
        }
    }
}

TEST(Utf, known_texts_are_converted) {
    EXPECT_EQ(to_utf8(u"a\u00e9\u20ac\U0001f600"), "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    EXPECT_EQ(to_utf16("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"), u"a\u00e9\u20ac\U0001f600");
}

TEST(Utf, an_unpaired_surrogate_is_refused) {
    const char16_t high = 0xd83d;
    const char16_t low = 0xde00;
    EXPECT_TRUE(to_utf8(std::u16string{high, low}));
    EXPECT_FALSE(to_utf8(std::u16string{high}));
    EXPECT_FALSE(to_utf8(std::u16string{low}));
    EXPECT_FALSE(to_utf8(std::u16string{low, high}));
    EXPECT_FALSE(to_utf8(std::u16string{high, high, low}));
    EXPECT_FALSE(to_utf8(std::u16string{high, u'a'}));
    EXPECT_FALSE(to_utf8(std::u16string{u'a', high}));
}

}  // namespace
}  // namespace holdfast
