#pragma once
// Ids as text and back. Formats: CosId 3.2.1 and 5 (radix alphabets, padding, friendly form, order
// of the decorators). Parsing is strict: length, alphabet, overflow, calendar; what was printed is
// read back, and nothing else.

#include <holdfast/base/result.h>
#include <holdfast/base/time.h>
#include <holdfast/ids/layout.h>
#include <holdfast/ids/zone.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

enum class TextBase : std::uint8_t {
    decimal,   // optionally padded with zeros
    radix62,   // 0-9A-Za-z, up to 11 characters; 15 of a text layout (8 + 4 + 3)
    radix36,   // 0-9A-Z, up to 13 characters; 17 of a text layout (9 + 4 + 4)
    friendly,  // yyyyMMddHHmmssSSS-machine-sequence of local time; without SSS in seconds
};

// Text before the number that does not take part in it.
class PrefixOptions {
public:
    PrefixOptions() {}  // NOLINT(modernize-use-equals-default): no aggregate (g++ 12)
    PrefixOptions delimiter(std::string text) && {
        delimiter_ = std::move(text);
        return std::move(*this);
    }
    PrefixOptions before_prefix(bool wanted) && {
        before_prefix_ = wanted;
        return std::move(*this);
    }
    // Of the date prefix: y M d H m s S and other characters as they are.
    PrefixOptions pattern(std::string text) && {
        pattern_ = std::move(text);
        return std::move(*this);
    }
    const std::string& delimiter() const { return delimiter_; }
    const std::string& pattern() const { return pattern_; }
    // Whether it stands between the fixed prefix and the number (CosId's words: beforePrefix, and
    // its order of application, innermost first); else before the fixed prefix.
    bool before_prefix() const { return before_prefix_; }

private:
    std::string delimiter_ = "-";
    std::string pattern_ = "yyMMdd";
    bool before_prefix_ = true;
};

class CodecOptions {
public:
    explicit CodecOptions(TextBase base = TextBase::radix62) : base_(base) {}
    // Numbers: padded to the width (default: the base's widest); friendly: machine and sequence
    // padded to their bits' widest. Default: padded, but not decimal nor friendly numbers.
    CodecOptions pad(bool wanted) &&;
    CodecOptions width(int characters) &&;
    CodecOptions layout(IdLayout layout
    ) &&;  // needed by friendly, and by date prefixes of time-based ids
    CodecOptions zone(TimeZone zone) &&;  // of friendly and date prefix; default UTC
    CodecOptions prefix(std::string text) &&;
    CodecOptions suffix(std::string text) &&;
    CodecOptions group_prefix(PrefixOptions options) &&;
    CodecOptions date_prefix(PrefixOptions options) &&;

    TextBase base() const { return base_; }
    bool pad() const { return pad_.value_or(pads_by_default()); }
    std::optional<int> width() const { return width_; }
    const std::optional<IdLayout>& layout() const { return layout_; }
    const TimeZone& zone() const { return zone_; }
    const std::string& prefix() const { return prefix_; }
    const std::string& suffix() const { return suffix_; }
    const std::optional<PrefixOptions>& group_prefix() const { return group_prefix_; }
    const std::optional<PrefixOptions>& date_prefix() const { return date_prefix_; }

private:
    bool pads_by_default() const {
        return base_ == TextBase::radix62 || base_ == TextBase::radix36 ||
               (layout_.has_value() && layout_->is_text());
    }

    TextBase base_;
    std::optional<bool> pad_;
    std::optional<int> width_;
    std::optional<IdLayout> layout_;
    TimeZone zone_ = TimeZone::utc();
    std::string prefix_;
    std::string suffix_;
    std::optional<PrefixOptions> group_prefix_;
    std::optional<PrefixOptions> date_prefix_;
};

// What the text says beside the number.
struct TextContext {
    WallTime now{};          // of the date prefix, where the id has no time of its own
    std::string_view group;  // of the group prefix: the period of a periodic id
};

// Numbers of up to 63 bits. Immutable; any thread.
class IdCodec {
public:
    virtual ~IdCodec() = default;

    // Appends; on an error nothing is appended. invalid_argument, none: the id is negative or too
    // wide, or a group prefix is asked for and the group is empty.
    virtual Result<Done>
    append(std::string& out, std::int64_t id, const TextContext& context) const = 0;
    // invalid_argument, none: not a text of this codec; a group prefix cannot be read back
    // (`unsupported`). The date of a date prefix is checked against the calendar.
    virtual Result<std::int64_t> parse(std::string_view text) const = 0;
};

// Ids of a text layout (80 bits): only ever text. Immutable; any thread.
class TextIdCodec {
public:
    virtual ~TextIdCodec() = default;
    virtual Result<Done>
    append(std::string& out, const IdParts& parts, const TextContext& context) const = 0;
    virtual Result<IdParts> parse(std::string_view text) const = 0;
};

// invalid_argument, none: options that contradict each other; what() names which.
Result<std::unique_ptr<IdCodec>> make_codec(CodecOptions options);
Result<std::unique_ptr<TextIdCodec>> make_text_codec(CodecOptions options);

}  // namespace holdfast
