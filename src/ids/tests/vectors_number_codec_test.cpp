// Codecs of numbers and their decorators against what CosId 3.2.1 answered.

#include "codecs/digits.h"
#include "tests/vector_answers.h"
#include "tests/vectors.h"

#include <holdfast/ids/codec.h>

namespace holdfast {
namespace {

using testing::answer_of;
using testing::CosIdExceptions;
using testing::CosIdVector;
using testing::difference;

constexpr std::string_view strict = "only what was printed is read back";
constexpr std::string_view too_wide =
    "what is wider than its width is refused: texts keep the order of numbers";
constexpr std::string_view negative = "a negative id has no text";

void add(CosIdExceptions& to, std::initializer_list<std::int64_t> numbers, std::string_view why) {
    for (const std::int64_t number : numbers) {
        to.emplace(number, why);
    }
}

// The bound of a converter there is the first number that is too wide, here the last that is not.
std::string compare_widest(const CosIdVector& vector, const IdCodec& codec) {
    const std::int64_t bound = *vector.out()->integer_or_text();
    const bool open = bound == std::numeric_limits<std::int64_t>::max();
    std::string text;
    if (!codec.append(text, open ? bound : bound - 1, {}).ok()) {
        return "narrower";
    }
    return open || !codec.append(text, bound, {}).ok() ? "" : "wider";
}

std::string compare_order(const CosIdVector& vector, const CodecOptions& options) {
    const auto codec = make_codec(options);
    std::string last;
    bool rising = true;
    for (const JsonValue value : vector.in().array("values").value()) {
        std::string text;
        EXPECT_TRUE(codec.value()->append(text, *value.integer_or_text(), {}).ok());
        rising = rising && last < text;
        last = text;
    }
    return rising == vector.out()->boolean() ? "" : "another order";
}

std::string alphabet_of(TextBase base) {
    const auto codec = make_codec(CodecOptions(base).pad(false));
    std::string all;
    for (unsigned digit = 0; digit < radix_of(base); ++digit) {
        EXPECT_TRUE(codec.value()->append(all, digit, {}).ok());
    }
    return all;
}

std::string radix_holds(const CosIdVector& vector, TextBase base) {
    const std::string_view call = vector.call();
    if (call.ends_with("MAX_CHAR_SIZE")) {
        return vector.out()->integer() == digits_of_bits(radix_of(base), 63) ? "" : "another size";
    }
    if (call.ends_with(".RADIX")) {
        return vector.out()->integer() == radix_of(base) ? "" : "another radix";
    }
    if (call.find("alphabet") != call.npos) {
        return vector.out()->text() == alphabet_of(base) ? "" : alphabet_of(base);
    }
    if (call.find("order equals") != call.npos) {
        return compare_order(vector, CodecOptions(base).pad(call.find("unpadded") == call.npos));
    }
    const auto codec = make_codec(CodecOptions(base)
                                      .pad(vector.in().boolean("padStart").value())
                                      .width(static_cast<int>(vector.integer("charSize"))));
    if (!codec.ok()) {
        return vector.threw() ? "" : std::string(codec.error().what());
    }
    if (call.ends_with("getMaxId()")) {
        return vector.threw() ? "accepted" : compare_widest(vector, *codec.value());
    }
    return difference(vector, answer_of(*codec.value(), vector));
}

TEST(CosIdVectors, radix62) {
    CosIdExceptions exceptions;
    add(exceptions, {195, 197, 198, 199, 202, 203, 205, 207, 209, 241}, strict);
    testing::check_cosid_vectors({"radix62"}, exceptions, [](const CosIdVector& vector) {
        return radix_holds(vector, TextBase::radix62);
    });
}

TEST(CosIdVectors, radix36) {
    CosIdExceptions exceptions;
    add(exceptions, {454, 456, 457, 458, 460, 461, 464, 468, 500}, strict);
    testing::check_cosid_vectors({"radix36"}, exceptions, [](const CosIdVector& vector) {
        return radix_holds(vector, TextBase::radix36);
    });
}

std::string decimal_holds(const CosIdVector& vector) {
    const bool pad = vector.in().boolean("padStart").value();
    CodecOptions options = CodecOptions(TextBase::decimal).pad(pad);
    if (pad) {
        options = std::move(options).width(static_cast<int>(vector.integer("charSize")));
    }
    const auto codec = make_codec(options);
    return codec.ok() ? difference(vector, answer_of(*codec.value(), vector))
                      : std::string(codec.error().what());
}

TEST(CosIdVectors, to_string) {
    CosIdExceptions exceptions;
    add(exceptions, {512, 513, 514, 520, 521, 522, 528, 529, 530, 536, 537, 538}, negative);
    add(exceptions, {518, 519}, too_wide);
    add(exceptions, {539, 540, 541, 542, 543, 544, 545, 546}, "a width is at least 1");
    add(exceptions, {547, 549, 550, 551, 555, 557, 558}, strict);
    testing::check_cosid_vectors({"to_string"}, exceptions, decimal_holds);
}

std::string decorator_holds(const CosIdVector& vector) {
    const bool both = vector.in().text("prefix").ok() && vector.in().text("suffix").ok();
    CodecOptions options(both ? TextBase::decimal : TextBase::radix62);
    const auto prefix = vector.in().text("prefix");
    const auto suffix = vector.in().text("suffix");
    const auto codec = make_codec(std::move(options)
                                      .prefix(std::string(prefix.ok() ? prefix.value() : ""))
                                      .suffix(std::string(suffix.ok() ? suffix.value() : "")));
    return difference(vector, answer_of(*codec.value(), vector));
}

TEST(CosIdVectors, decorators) {
    testing::check_cosid_vectors({"decorator"}, {}, decorator_holds);
}

CodecOptions date_prefixed(const CosIdVector& vector, TextBase base) {
    return CodecOptions(base).date_prefix(
        PrefixOptions().pattern(vector.text("pattern")).delimiter(vector.text("delimiter"))
    );
}

std::string date_holds(const CosIdVector& vector) {
    const bool snowflake = vector.in().text("idTime").ok();
    CodecOptions options = date_prefixed(vector, snowflake ? TextBase::radix62 : TextBase::decimal);
    if (snowflake) {
        options = std::move(options).layout(IdLayout::milliseconds());
    }
    const auto codec = make_codec(options);
    if (!codec.ok()) {
        return std::string(codec.error().what());
    }
    if (vector.in().text("text").ok()) {
        return difference(vector, answer_of(*codec.value(), vector));
    }
    TextContext context;
    context.now = testing::wall_time(vector.text("now"));
    std::string text;
    if (const auto done = codec.value()->append(text, vector.integer("id"), context); !done.ok()) {
        return std::string(done.error().what());
    }
    if (vector.call().find("round trip") == std::string_view::npos) {
        return difference(vector, text);
    }
    return difference(vector, testing::answer_of(codec.value()->parse(text)));
}

TEST(CosIdVectors, date_prefixes) {
    constexpr std::string_view letters = "patterns have digits of one length only";
    testing::check_cosid_vectors(
        {"date_prefix"},
        {{587, "a quote in the pattern is no part of the date's length"},
         {593, "a quote in the pattern is no part of the date's length"},
         {588, letters},
         {589, letters},
         {590, letters},
         {591, letters},
         {595, "the date is read and checked"},
         {598, "the date of a time-based id is its own"}},
        date_holds
    );
}

std::string group_holds(const CosIdVector& vector) {
    const auto codec =
        make_codec(CodecOptions(TextBase::decimal)
                       .group_prefix(PrefixOptions().delimiter(vector.text("delimiter"))));
    const std::string group = vector.in().text("group").ok() ? vector.text("group") : "";
    return difference(vector, answer_of(*codec.value(), vector, group));
}

TEST(CosIdVectors, group_prefixes) {
    testing::check_cosid_vectors({"group_prefix"}, {}, group_holds);
}

TextBase base_of(std::string_view type) {
    return type == "TO_STRING" ? TextBase::decimal
           : type == "RADIX"   ? TextBase::radix62
           : type == "RADIX36" ? TextBase::radix36
                               : TextBase::friendly;
}

std::string decorated_as(const CosIdVector& vector) {
    const auto before = [&vector](std::string_view name) {
        return vector.in().boolean(name).value();
    };
    const auto codec = make_codec(
        CodecOptions(TextBase::decimal)
            .prefix("P")
            .suffix("S")
            .group_prefix(PrefixOptions().before_prefix(before("groupPrefix.beforePrefix")))
            .date_prefix(
                PrefixOptions().pattern("'D'").before_prefix(before("datePrefix.beforePrefix"))
            )
    );
    TextContext context;
    context.group = "G";
    std::string text;
    EXPECT_TRUE(codec.value()->append(text, 1, context).ok());
    return difference(vector, text);
}

std::string order_holds(const CosIdVector& vector) {
    if (vector.in().boolean("groupPrefix.beforePrefix").ok()) {
        return decorated_as(vector);
    }
    const std::string_view call = vector.call();
    const bool snowflake = vector.in().text("timestamp").ok();
    CodecOptions options;
    if (vector.in().text("type").ok()) {
        options = CodecOptions(base_of(vector.text("type")));
    } else if (call.starts_with("friendly") || call.starts_with("DefaultSnowflakeFriendlyId")) {
        options = CodecOptions(TextBase::friendly);
    }
    if (call.find("padStart=true") != call.npos) {
        options = std::move(options).pad(true);
    }
    if (call.starts_with("radix.charSize=8")) {
        options = std::move(options).width(8);
    }
    if (vector.in().text("zone").ok()) {
        options = std::move(options).zone(TimeZone::find(vector.text("zone")).value());
    }
    std::int64_t id = 1;
    if (snowflake) {
        const IdLayout layout = IdLayout::milliseconds();
        const bool whole = vector.in().integer_or_text("machine").ok();
        const IdParts parts{
            vector.integer("timestamp") - layout.epoch_tick(),
            whole ? vector.integer("machine") : 0,
            whole ? vector.integer("sequence") : 0
        };
        id = compose(layout, parts).value();
        options = std::move(options).layout(layout);
    }
    const auto codec = make_codec(options);
    if (!codec.ok()) {
        return vector.threw() ? "" : std::string(codec.error().what());
    }
    std::string text;
    EXPECT_TRUE(codec.value()->append(text, id, {}).ok());
    return difference(vector, text);
}

TEST(CosIdVectors, order_of_decorators_and_defaults_of_converters) {
    testing::check_cosid_vectors({"converter_order"}, {}, order_holds);
}

}  // namespace
}  // namespace holdfast
