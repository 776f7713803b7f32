#include "tests/codec_kinds.h"

#include <holdfast/ids/codec.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace holdfast {
namespace {

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

std::string text_of(const IdCodec& codec, std::int64_t id, std::string_view group = "") {
    TextContext context;
    context.now = WallTime{Duration{1'767'225'600'123}};
    context.group = group;
    std::string text;
    const auto done = codec.append(text, id, context);
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().what()) << " " << id;
    return text;
}

std::string_view fault_of(CodecOptions options) {
    const auto made = make_codec(std::move(options));
    return made.ok() ? std::string_view() : made.error().what();
}

bool fits(CodecOptions options) {
    return fault_of(std::move(options)).empty();
}

TEST(IdCodec, what_was_printed_is_read_back_by_every_codec) {
    std::mt19937_64 random(21);
    for (const auto& kind : testing::number_codecs()) {
        for (const std::int64_t id : testing::numbers_of(kind, random, 2'000)) {
            const std::string text = text_of(*kind.codec, id);
            const auto back = kind.codec->parse(text);
            ASSERT_TRUE(back.ok()) << kind.name << " " << text << " " << back.error().what();
            ASSERT_EQ(back.value(), id) << kind.name << " " << text;
        }
    }
}

TEST(IdCodec, a_text_with_one_other_character_is_refused_or_is_the_text_of_another_id) {
    std::mt19937_64 random(22);
    for (const auto& kind : testing::number_codecs()) {
        for (const std::int64_t id : testing::numbers_of(kind, random, 6)) {
            for (const std::string& mutant : testing::mutants_of(text_of(*kind.codec, id))) {
                const auto parsed = kind.codec->parse(mutant);
                if (parsed.ok()) {
                    // A date of `now` may be any other day: it is not the id's.
                    const std::string again = text_of(*kind.codec, parsed.value());
                    ASSERT_TRUE(again == mutant || kind.date_of_now) << kind.name << " " << mutant;
                    ASSERT_EQ(again.size(), mutant.size()) << kind.name << " " << mutant;
                } else {
                    ASSERT_EQ(parsed.error().code(), Code::invalid_argument);
                    ASSERT_EQ(parsed.error().effect(), Effect::none);
                }
            }
        }
    }
}

// Row 31.
TEST(IdCodec, the_byte_order_of_padded_texts_is_the_order_of_the_numbers) {
    std::mt19937_64 random(23);
    for (const auto& kind : testing::number_codecs()) {
        if (!kind.keeps_order) {
            continue;
        }
        auto ids = testing::numbers_of(kind, random, 1'000);
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        for (std::size_t i = 1; i < ids.size(); ++i) {
            ASSERT_LT(text_of(*kind.codec, ids[i - 1]), text_of(*kind.codec, ids[i])) << kind.name;
        }
    }
}

TEST(IdCodec, what_has_no_text_leaves_the_string_as_it_was) {
    for (const auto& kind : testing::number_codecs()) {
        for (const std::int64_t id : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()}) {
            std::string text = "kept";
            const auto done = kind.codec->append(text, id, {});
            ASSERT_FALSE(done.ok()) << kind.name;
            EXPECT_EQ(done.error().code(), Code::invalid_argument);
            EXPECT_EQ(text, "kept") << kind.name;
        }
        if (kind.id_max < int64_max) {
            std::string text = "kept";
            ASSERT_FALSE(kind.codec->append(text, kind.id_max + 1, {}).ok()) << kind.name;
            EXPECT_EQ(text, "kept") << kind.name;
        }
    }
}

TEST(IdCodec, an_id_is_appended_to_what_the_string_had) {
    const auto codec = make_codec(CodecOptions(TextBase::decimal).prefix("A").suffix("Z"));
    std::string text = "before ";
    ASSERT_TRUE(codec.value()->append(text, 7, {}).ok());
    EXPECT_EQ(text, "before A7Z");
}

TEST(IdCodec, a_group_prefix_is_printed_and_never_read) {
    const auto codec =
        make_codec(CodecOptions().group_prefix(PrefixOptions().delimiter("/")).prefix("o-"));
    EXPECT_EQ(text_of(*codec.value(), 1, "2026-11"), "o-2026-11/00000000001");
    const auto parsed = codec.value()->parse("o-2026-11/00000000001");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), Code::unsupported);
    std::string text;
    EXPECT_FALSE(codec.value()->append(text, 1, {}).ok()) << "without a group";
}

TEST(IdCodec, prefix_and_suffix_that_share_characters_are_not_taken_twice) {
    const auto codec = make_codec(CodecOptions(TextBase::decimal).prefix("AB").suffix("BA"));
    EXPECT_TRUE(codec.value()->parse("AB1BA").ok());
    EXPECT_FALSE(codec.value()->parse("ABA").ok());
    EXPECT_FALSE(codec.value()->parse("ABBA").ok());
}

TEST(IdCodec, the_date_of_a_time_based_id_is_its_own_in_the_zone) {
    const IdLayout layout = IdLayout::milliseconds();
    // 2026-01-01T00:00:00.123Z is still 2025 in New York.
    const auto codec = make_codec(CodecOptions(TextBase::radix62)
                                      .layout(layout)
                                      .zone(TimeZone::find("America/New_York").value())
                                      .date_prefix(PrefixOptions()));
    TextContext context;
    context.now = WallTime{Duration{1'900'000'000'000}};
    std::string text;
    ASSERT_TRUE(codec.value()->append(text, 797'011'712'925'503'493, context).ok());
    EXPECT_EQ(text, "251231-0wsJy9erPxV");
    EXPECT_TRUE(codec.value()->parse(text).ok());
    EXPECT_FALSE(codec.value()->parse("260101-0wsJy9erPxV").ok()) << "another day";
}

TEST(IdCodec, a_date_is_checked_against_the_calendar) {
    const auto codec = make_codec(CodecOptions(TextBase::decimal).date_prefix(PrefixOptions()));
    EXPECT_TRUE(codec.value()->parse("240229-1").ok());
    EXPECT_FALSE(codec.value()->parse("250229-1").ok());
    EXPECT_FALSE(codec.value()->parse("251301-1").ok());
    EXPECT_FALSE(codec.value()->parse("250100-1").ok());
    EXPECT_FALSE(codec.value()->parse("25010-1").ok());
    EXPECT_FALSE(codec.value()->parse("250101_1").ok());
}

TEST(IdCodec, bits_above_the_layout_are_refused) {
    const auto codec =
        make_codec(CodecOptions(TextBase::decimal).layout(IdLayout::js_safe_milliseconds()));
    EXPECT_TRUE(codec.value()->parse("9007199254740991").ok());
    EXPECT_FALSE(codec.value()->parse("9007199254740992").ok());
}

TEST(IdCodec, a_year_beyond_four_digits_has_no_friendly_text) {
    const IdLayout layout = IdLayout::milliseconds().bits(62, 0, 1);
    const auto codec = make_codec(CodecOptions(TextBase::friendly).layout(layout));
    const std::int64_t last = 253'402'300'799'999 - cosid_epoch.time_since_epoch().count();
    EXPECT_EQ(text_of(*codec.value(), last << 1), "99991231235959999-0-0");
    std::string text;
    EXPECT_FALSE(codec.value()->append(text, (last + 1) << 1, {}).ok());
    EXPECT_EQ(text, "");
}

TEST(IdCodec, options_that_contradict_each_other_are_refused) {
    EXPECT_FALSE(fits(CodecOptions(TextBase::friendly)));
    EXPECT_TRUE(fits(CodecOptions(TextBase::friendly).layout(IdLayout::seconds())));
    EXPECT_FALSE(fits(CodecOptions(TextBase::friendly).layout(IdLayout::seconds()).width(9)));
    EXPECT_FALSE(fits(CodecOptions().layout(IdLayout::text())));
    EXPECT_FALSE(fits(CodecOptions().layout(IdLayout::milliseconds().bits(41, 10, 13))));
    EXPECT_FALSE(fits(CodecOptions().width(0)));
    EXPECT_TRUE(fits(CodecOptions().width(1)));
    EXPECT_TRUE(fits(CodecOptions().width(11)));
    EXPECT_FALSE(fits(CodecOptions().width(12)));
    EXPECT_TRUE(fits(CodecOptions(TextBase::radix36).width(13)));
    EXPECT_FALSE(fits(CodecOptions(TextBase::radix36).width(14)));
    EXPECT_TRUE(fits(CodecOptions(TextBase::decimal).width(20)));
    EXPECT_FALSE(fits(CodecOptions(TextBase::decimal).width(21)));
    EXPECT_TRUE(fits(CodecOptions().layout(IdLayout::js_safe_seconds()).width(9)));
    EXPECT_FALSE(fits(CodecOptions().layout(IdLayout::js_safe_seconds()).width(8)))
        << "ids would not fit one day";
}

TEST(IdCodec, texts_around_an_id_are_short_and_printable) {
    EXPECT_TRUE(fits(CodecOptions().prefix(std::string(64, 'x'))));
    EXPECT_FALSE(fits(CodecOptions().prefix(std::string(65, 'x'))));
    EXPECT_FALSE(fits(CodecOptions().suffix("a\nb")));
    EXPECT_FALSE(fits(CodecOptions().suffix("\x7f")));
    EXPECT_FALSE(fits(CodecOptions().suffix("\xff")));
    EXPECT_TRUE(fits(CodecOptions().suffix("\xc3\xa9")));
    EXPECT_FALSE(fits(CodecOptions().group_prefix(PrefixOptions().delimiter("\t"))));
}

TEST(IdCodec, a_date_pattern_has_one_length) {
    const auto pattern = [](const char* text) {
        return fits(CodecOptions().date_prefix(PrefixOptions().pattern(text)));
    };
    for (const char* good :
         {"yyMMdd", "yyyy-MM-dd", "yyyyMMddHHmmssSSS", "'D'yy", "''yy", "dd.MM.yyyy", "HH:mm"}) {
        EXPECT_TRUE(pattern(good)) << good;
    }
    for (const char* bad :
         {"",
          "y",
          "yyy",
          "yyyyy",
          "M",
          "MMM",
          "D",
          "d",
          "S",
          "SS",
          "SSSS",
          "Z",
          "'open",
          "[yy]",
          "yy#",
          "hh",
          "a",
          "''''open'"}) {
        EXPECT_FALSE(pattern(bad)) << bad;
    }
}

}  // namespace
}  // namespace holdfast
