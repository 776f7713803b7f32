#include <holdfast/codec/base64url.h>

#include <gtest/gtest.h>

#include <random>

namespace holdfast {
namespace {

using namespace std::string_view_literals;

TEST(Base64url, known_texts_come_out_and_go_back) {
    const std::pair<std::string_view, std::string_view> known[] = {
        {"", ""},
        {"f", "Zg"},
        {"fo", "Zm8"},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg"},
        {"fooba", "Zm9vYmE"},
        {"foobar", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "-_-_"},
        {"\0\0\0"sv, "AAAA"},
    };
    for (const auto& [bytes, text] : known) {
        EXPECT_EQ(base64url(bytes), text);
        EXPECT_EQ(parse_base64url(text), bytes);
    }
}

TEST(Base64url, padding_white_space_and_other_alphabets_are_refused) {
    for (std::string_view text :
         {"Zg=="sv,
          "Zm8="sv,
          "Zm9v\n"sv,
          " Zm9v"sv,
          "Zm 9v"sv,
          "+/+/"sv,
          "Zm9v.Zm9"sv,
          "Zm9\0"sv,
          "Zm\xc3\xa9"sv,
          "===="sv}) {
        EXPECT_EQ(parse_base64url(text), std::nullopt) << text;
    }
}

TEST(Base64url, a_length_that_no_bytes_have_is_refused) {
    EXPECT_EQ(parse_base64url("A"), std::nullopt);
    EXPECT_EQ(parse_base64url("AAAAA"), std::nullopt);
}

TEST(Base64url, each_byte_string_has_one_text) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    int two = 0;
    int three = 0;
    for (char last : digits) {
        two += parse_base64url(std::string("A") + last) ? 1 : 0;
        three += parse_base64url(std::string("AA") + last) ? 1 : 0;
    }
    EXPECT_EQ(two, 4);     // of 6 bits 4 are left over
    EXPECT_EQ(three, 16);  // of 6 bits 2 are left over
    EXPECT_EQ(parse_base64url("Zh"), std::nullopt);
    EXPECT_EQ(parse_base64url("Zm9"), std::nullopt);
}

TEST(Base64url, random_bytes_of_every_length_come_back) {
    std::mt19937_64 random(11);
    for (std::size_t size = 0; size < 200; ++size) {
        std::string bytes;
        for (std::size_t i = 0; i < size; ++i) {
            bytes += static_cast<char>(random());
        }
        const std::string text = base64url(bytes);
        EXPECT_EQ(text.size(), (size * 4 + 2) / 3);
        EXPECT_EQ(parse_base64url(text), bytes);
    }
}

}  // namespace
}  // namespace holdfast
