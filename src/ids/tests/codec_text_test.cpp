#include "tests/codec_kinds.h"

#include <holdfast/ids/codec.h>

#include <gtest/gtest.h>

#include <random>

namespace holdfast {
namespace {

struct Kind {
    std::string name;
    IdLayout layout;
    std::unique_ptr<TextIdCodec> codec;
};

std::vector<Kind> kinds() {
    std::vector<Kind> made;
    const auto add = [&made](std::string name, IdLayout layout, CodecOptions options) {
        auto codec = make_text_codec(std::move(options).layout(layout));
        EXPECT_TRUE(codec.ok()) << name;
        made.push_back({std::move(name), layout, std::move(codec).value()});
    };
    const IdLayout text = IdLayout::text();
    add("radix62", text, CodecOptions(TextBase::radix62));
    add("radix36", text, CodecOptions(TextBase::radix36));
    add("friendly", text, CodecOptions(TextBase::friendly));
    add("friendly free", text, CodecOptions(TextBase::friendly).pad(false));
    add("no machine", IdLayout(text).bits(44, 0, 16), CodecOptions(TextBase::radix62));
    add("no machine, friendly", IdLayout(text).bits(44, 0, 16), CodecOptions(TextBase::friendly));
    add("seconds", IdLayout(text).unit(TickUnit::second).bits(34, 16, 28), CodecOptions());
    add("prefix", text, CodecOptions().prefix("a-").suffix("-z"));
    add("date", text, CodecOptions().date_prefix(PrefixOptions().pattern("yyyyMMdd")));
    return made;
}

std::vector<IdParts> parts_of(const IdLayout& layout, std::mt19937_64& random, int count) {
    const IdParts last{layout.time_max(), layout.machine_max(), layout.sequence_max()};
    std::vector<IdParts> parts{{0, 0, 0}, last, {1, 0, last.sequence}, {0, last.machine, 0}};
    const auto part = [&random](std::int64_t max) {
        return static_cast<std::int64_t>(
            (random() >> (random() % 64)) & static_cast<std::uint64_t>(max)
        );
    };
    for (int i = 0; i < count; ++i) {
        parts.push_back({part(last.time), part(last.machine), part(last.sequence)});
    }
    return parts;
}

std::string text_of(const TextIdCodec& codec, const IdParts& parts) {
    std::string text;
    const auto done = codec.append(text, parts, {});
    EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().what());
    return text;
}

TEST(TextIdCodec, what_was_printed_is_read_back_by_every_codec) {
    std::mt19937_64 random(31);
    for (const Kind& kind : kinds()) {
        for (const IdParts& parts : parts_of(kind.layout, random, 2'000)) {
            const std::string text = text_of(*kind.codec, parts);
            const auto back = kind.codec->parse(text);
            ASSERT_TRUE(back.ok()) << kind.name << " " << text;
            ASSERT_EQ(back.value(), parts) << kind.name << " " << text;
        }
    }
}

TEST(TextIdCodec, a_text_with_one_other_character_is_refused_or_is_the_text_of_another_id) {
    std::mt19937_64 random(32);
    for (const Kind& kind : kinds()) {
        for (const IdParts& parts : parts_of(kind.layout, random, 6)) {
            for (const std::string& mutant : testing::mutants_of(text_of(*kind.codec, parts))) {
                const auto parsed = kind.codec->parse(mutant);
                if (parsed.ok()) {
                    ASSERT_EQ(text_of(*kind.codec, parsed.value()), mutant) << kind.name;
                } else {
                    ASSERT_EQ(parsed.error().code(), Code::invalid_argument);
                }
            }
        }
    }
}

TEST(TextIdCodec, a_part_beyond_its_bits_is_refused_and_nothing_is_written) {
    for (const Kind& kind : kinds()) {
        const IdParts last{
            kind.layout.time_max(), kind.layout.machine_max(), kind.layout.sequence_max()
        };
        for (std::int64_t IdParts::* part :
             {&IdParts::time, &IdParts::machine, &IdParts::sequence}) {
            IdParts wide = last;
            for (const std::int64_t value : {last.*part + 1, std::int64_t{-1}}) {
                wide.*part = value;
                std::string text = "kept";
                ASSERT_FALSE(kind.codec->append(text, wide, {}).ok()) << kind.name;
                ASSERT_EQ(text, "kept") << kind.name;
            }
        }
    }
}

TEST(TextIdCodec, the_length_follows_from_the_bits) {
    const auto all = kinds();
    EXPECT_EQ(text_of(*all[0].codec, IdParts{0, 0, 0}), "000000000000000");
    EXPECT_EQ(text_of(*all[1].codec, IdParts{0, 0, 0}), "00000000000000000");
    EXPECT_EQ(text_of(*all[2].codec, IdParts{0, 0, 0}), "19700101000000000-0000000-00000");
    EXPECT_EQ(text_of(*all[3].codec, IdParts{0, 0, 0}), "19700101000000000-0-0");
    EXPECT_EQ(text_of(*all[4].codec, IdParts{0, 0, 0}), "00000000000");
}

TEST(TextIdCodec, a_text_of_fifteen_characters_needs_no_memory_beside_the_string) {
    const auto codec = make_text_codec(CodecOptions().layout(IdLayout::text()));
    const std::size_t inside = std::string().capacity();
    std::string text;
    ASSERT_TRUE(codec.value()->append(text, IdParts{1, 1, 1}, {}).ok());
    EXPECT_EQ(text.capacity(), inside);
}

TEST(TextIdCodec, options_that_contradict_each_other_are_refused) {
    EXPECT_FALSE(make_text_codec(CodecOptions()).ok());
    EXPECT_FALSE(make_text_codec(CodecOptions().layout(IdLayout::milliseconds())).ok());
    const auto text = [](CodecOptions options) {
        return make_text_codec(std::move(options).layout(IdLayout::text())).ok();
    };
    EXPECT_TRUE(text(CodecOptions()));
    EXPECT_FALSE(text(CodecOptions(TextBase::decimal)));
    EXPECT_FALSE(text(CodecOptions().width(15)));
    EXPECT_FALSE(text(CodecOptions().pad(false)));
    EXPECT_FALSE(make_text_codec(CodecOptions().layout(IdLayout::text().bits(44, 20, 17))).ok());
}

TEST(TextIdCodec, a_group_prefix_is_printed_and_never_read) {
    const auto codec =
        make_text_codec(CodecOptions().layout(IdLayout::text()).group_prefix(PrefixOptions()));
    TextContext context;
    context.group = "2026-11";
    std::string text;
    ASSERT_TRUE(codec.value()->append(text, IdParts{0, 0, 1}, context).ok());
    EXPECT_EQ(text, "2026-11-000000000000001");
    EXPECT_EQ(codec.value()->parse(text).error().code(), Code::unsupported);
}

}  // namespace
}  // namespace holdfast
