// Options to codecs: what contradicts itself is refused here, once.

#include "codecs/decorated.h"
#include "codecs/digits.h"
#include "codecs/friendly.h"
#include "codecs/number_base.h"
#include "codecs/radix_parts_base.h"

#include <holdfast/codec/utf.h>
#include <holdfast/ids/limits.h>

#include <algorithm>

namespace holdfast {
namespace {

bool is_plain_text(std::string_view text) {
    const auto control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    };
    return text.size() <= limits::codec_text_bytes_max && is_utf8(text) &&
           std::ranges::none_of(text, control);
}

bool are_plain_texts(const CodecOptions& options) {
    bool plain = is_plain_text(options.prefix()) && is_plain_text(options.suffix());
    for (const auto& prefix : {options.group_prefix(), options.date_prefix()}) {
        plain = plain && (!prefix.has_value() ||
                          (is_plain_text(prefix->delimiter()) && is_plain_text(prefix->pattern())));
    }
    return plain;
}

int width_max(TextBase base) {
    return base == TextBase::decimal ? limits::decimal_width_max
                                     : digits_of_bits(radix_of(base), limits::id_bits_max);
}

std::string_view fault_of_width(const CodecOptions& options) {
    if (!options.width().has_value()) {
        return "";
    }
    const int width = *options.width();
    if (options.base() == TextBase::friendly) {
        return "a friendly text has no width of its own";
    }
    if (width < 1 || width > width_max(options.base())) {
        return "the width is from 1 to 11 in radix 62, 13 in radix 36 and 20 in decimal";
    }
    if (options.layout().has_value()) {
        const IdLayout& layout = *options.layout();
        const int bits = layout.time_bits() + layout.machine_bits() + layout.sequence_bits();
        if (width < digits_of_bits(radix_of(options.base()), bits)) {
            return "the width is too small for the ids of the layout";
        }
    }
    return "";
}

std::string_view fault_of_number(const CodecOptions& options) {
    if (options.layout().has_value() && options.layout()->is_text()) {
        return "ids of a layout of text have no number";
    }
    if (options.base() == TextBase::friendly && !options.layout().has_value()) {
        return "a friendly text needs the layout of a time-based id";
    }
    return fault_of_width(options);
}

std::string_view fault_of_parts_text(const CodecOptions& options) {
    if (!options.layout().has_value() || !options.layout()->is_text()) {
        return "a text needs a layout of text";
    }
    if (options.base() == TextBase::decimal) {
        return "ids of a layout of text are radix62, radix36 or friendly";
    }
    if (options.width().has_value()) {
        return "the width of a text follows from its layout";
    }
    if (options.base() != TextBase::friendly && !options.pad()) {
        return "a text of radix62 or radix36 is always padded";
    }
    return "";
}

template <class Interface, class Base>
Result<std::unique_ptr<Interface>> build(const CodecOptions& options) {
    const bool plain = options.prefix().empty() && options.suffix().empty() &&
                       !options.group_prefix().has_value() && !options.date_prefix().has_value();
    if (plain) {
        return std::unique_ptr<Interface>(new PlainCodec<Interface, Base>(options));
    }
    std::optional<DatePattern> date;
    if (options.date_prefix().has_value()) {
        auto parsed = DatePattern::parse(options.date_prefix()->pattern());
        if (!parsed.ok()) {
            return std::move(parsed).error();
        }
        date = std::move(parsed).value();
    }
    return std::unique_ptr<Interface>(new DecoratedCodec<Interface, Base>(options, std::move(date))
    );
}

// Of all codecs, and of one kind.
Result<Done> check(const CodecOptions& options, std::string_view (*kind)(const CodecOptions&)) {
    if (options.layout().has_value()) {
        if (auto checked = options.layout()->check(); !checked.ok()) {
            return checked;
        }
    }
    std::string_view fault = kind(options);
    if (fault.empty() && !are_plain_texts(options)) {
        fault = "prefixes, suffixes and delimiters are UTF-8 of at most 64 bytes without control "
                "characters";
    }
    if (!fault.empty()) {
        return Error(Code::invalid_argument, Effect::none, fault);
    }
    return Done();
}

}  // namespace

Result<std::unique_ptr<IdCodec>> make_codec(CodecOptions options) {
    if (auto checked = check(options, fault_of_number); !checked.ok()) {
        return std::move(checked).error();
    }
    return options.base() == TextBase::friendly ? build<IdCodec, FriendlyNumberBase>(options)
                                                : build<IdCodec, NumberBase>(options);
}

Result<std::unique_ptr<TextIdCodec>> make_text_codec(CodecOptions options) {
    if (auto checked = check(options, fault_of_parts_text); !checked.ok()) {
        return std::move(checked).error();
    }
    return options.base() == TextBase::friendly ? build<TextIdCodec, FriendlyPartsBase>(options)
                                                : build<TextIdCodec, RadixPartsBase>(options);
}

}  // namespace holdfast
