#include <holdfast/io/keyed_hash.h>

#include <gtest/gtest.h>

#include <string>

namespace holdfast {
namespace {

// The vector of the paper's appendix A.
TEST(KeyedHash, is_siphash_2_4) {
    const KeyedHash hash({0x0706050403020100, 0x0f0e0d0c0b0a0908});
    std::string text;
    for (char c = 0; c < 15; ++c) {
        text.push_back(c);
    }
    EXPECT_EQ(hash.of(text), 0xa129ca6149be45e5U);
    EXPECT_NE(KeyedHash::fresh().of(text), KeyedHash::fresh().of(text));
}

}  // namespace
}  // namespace holdfast
