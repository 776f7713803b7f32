// Which names are names.
#include <holdfast/store/names.h>

#include <gtest/gtest.h>

namespace holdfast {
namespace {

bool key(std::string_view text) {
    return RangeKey::parse(text).ok();
}
bool name(std::string_view text) {
    return Namespace::parse(text).ok();
}
bool token(std::string_view text) {
    return Incarnation::parse(text).ok();
}

TEST(Names, have_at_least_one_byte) {
    EXPECT_FALSE(key(""));
    EXPECT_FALSE(name(""));
    EXPECT_FALSE(token(""));
    EXPECT_TRUE(key("a"));
    EXPECT_TRUE(name("a"));
    EXPECT_TRUE(token("a"));
}

TEST(Names, have_a_largest_length) {
    EXPECT_TRUE(key(std::string(200, 'a')));
    EXPECT_FALSE(key(std::string(201, 'a')));
    EXPECT_TRUE(name(std::string(100, 'a')));
    EXPECT_FALSE(name(std::string(101, 'a')));
    EXPECT_TRUE(token(std::string(64, 'a')));
    EXPECT_FALSE(token(std::string(65, 'a')));
}

TEST(Names, have_an_alphabet) {
    for (int byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        const std::string text = std::string("a") + c + "a";
        const bool letter =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        const bool in_token = letter || c == '_' || c == '-';
        const bool in_name = in_token || c == '.' || c == ':' || c == '@';
        EXPECT_EQ(token(text), in_token) << byte;
        EXPECT_EQ(name(text), in_name) << byte;
        EXPECT_EQ(key(text), in_name || c == '/') << byte;
    }
}

TEST(Names, of_keys_have_segments_that_are_names) {
    EXPECT_TRUE(key("a/b/c"));
    EXPECT_TRUE(key("a/.../.b"));
    for (const char* text : {"/", "/a", "a/", "a//b", "a/./b", "a/..", "../a", ".", ".."}) {
        EXPECT_FALSE(key(text)) << text;
    }
    EXPECT_FALSE(name("."));
    EXPECT_FALSE(name(".."));
    EXPECT_TRUE(name("..."));
}

TEST(Names, say_what_is_wrong) {
    const auto parsed = RangeKey::parse("a//b");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), Code::invalid_argument);
    EXPECT_EQ(parsed.error().effect(), Effect::none);
    EXPECT_EQ(parsed.error().what(), "a key has no empty segment");
}

TEST(Names, of_keys_begin_with_a_first_segment) {
    EXPECT_EQ(first_segment(RangeKey::parse("orders/2026/x").value()), "orders");
    EXPECT_EQ(first_segment(RangeKey::parse("orders").value()), "orders");
}

}  // namespace
}  // namespace holdfast
