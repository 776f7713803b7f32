#include <holdfast/redis/command.h>

#include <gtest/gtest.h>

namespace holdfast::redis {
namespace {

// Bit by bit, as the specification of XMODEM says; key_slot() has a table.
std::int32_t slot_by_division(std::string_view text) {
    std::uint32_t rest = 0;
    const auto shift_in = [&](std::uint32_t bit) {
        rest = (rest << 1) | bit;
        if ((rest & 0x10000) != 0) {
            rest ^= 0x11021;  // x^16 + x^12 + x^5 + 1
        }
    };
    for (const char c : text) {
        for (int bit = 7; bit >= 0; --bit) {
            shift_in((static_cast<unsigned char>(c) >> bit) & 1);
        }
    }
    for (int bit = 0; bit < 16; ++bit) {
        shift_in(0);
    }
    return static_cast<std::int32_t>(rest % 16384);
}

TEST(KeySlot, is_that_of_the_specification_of_the_cluster) {
    EXPECT_EQ(key_slot("123456789"), 0x31C3);  // the check value of XMODEM, below 16384
    EXPECT_EQ(key_slot("foo"), 12182);
    EXPECT_EQ(key_slot(""), 0);
}

TEST(KeySlot, is_the_rest_of_a_division_of_polynomials) {
    std::uint32_t state = 1;
    std::string key;
    for (int i = 0; i < 2000; ++i) {
        state = state * 1664525 + 1013904223;
        const auto byte = static_cast<char>(state >> 24);
        key += byte == '{' ? 'x' : byte;
        ASSERT_EQ(key_slot(key), slot_by_division(key));
        if (key.size() == 64) {
            key.clear();
        }
    }
}

TEST(KeySlot, is_that_of_the_first_text_in_braces_unless_it_is_empty_or_open) {
    EXPECT_EQ(key_slot("{user1000}.following"), key_slot("user1000"));
    EXPECT_EQ(key_slot("{user1000}.following"), key_slot("{user1000}.followers"));
    EXPECT_EQ(key_slot("foo{}{bar}"), slot_by_division("foo{}{bar}"));
    EXPECT_EQ(key_slot("foo{{bar}}zap"), slot_by_division("{bar"));
    EXPECT_EQ(key_slot("foo{bar}{zap}"), slot_by_division("bar"));
    EXPECT_EQ(key_slot("foo{bar"), slot_by_division("foo{bar"));
    EXPECT_EQ(key_slot("}foo{bar}"), slot_by_division("bar"));
    EXPECT_EQ(key_slot("{}"), slot_by_division("{}"));
}

TEST(KeySlot, of_a_command_is_that_of_all_its_keys_or_many) {
    AnyCommand one("MGET");
    EXPECT_EQ(one.slot(), slot_of_no_key);
    one.add_key("{a}1").add_key("{a}2");
    EXPECT_EQ(one.slot(), key_slot("a"));
    one.add_key("b").add_key("{a}3");
    EXPECT_EQ(one.slot(), slot_of_many);
    EXPECT_EQ(one.keys(), 4U);
    EXPECT_EQ(one.first_key(), 1U);
    EXPECT_EQ(one.key_step(), 1U);
}

TEST(KeySlot, keys_of_a_command_are_evenly_apart_or_it_says_so) {
    AnyCommand pairs("MSET");
    pairs.add_key("a").add("1").add_key("b").add("2").add_key("c").add("3");
    EXPECT_EQ(pairs.key_step(), 2U);
    AnyCommand store("ZUNIONSTORE");
    store.add_key("to").add(2).add_key("a").add_key("b");
    EXPECT_EQ(store.key_step(), 0U);
    EXPECT_EQ(store.keys(), 3U);
    EXPECT_EQ(store.first_key(), 1U);
}

}  // namespace
}  // namespace holdfast::redis
