#include "ranges/range_text.h"

namespace holdfast {

Result<RangeText> RangeText::make(const GeneratorOptions& options, const Clock& clock) {
    CodecOptions codec = options.codec().value_or(CodecOptions());
    if (options.strategy() == IdStrategy::periodic && !codec.group_prefix().has_value()) {
        codec = std::move(codec).group_prefix(PrefixOptions());  // else texts come again
    }
    const bool dated = codec.date_prefix().has_value();
    auto made = make_codec(std::move(codec));
    if (!made.ok()) {
        return std::move(made).error();
    }
    return RangeText(std::move(made).value(), dated ? &clock : nullptr);
}

Result<std::string> RangeText::text(std::int64_t id, std::string_view period) const {
    TextContext context;
    context.now = clock_ != nullptr ? clock_->wall_now() : WallTime();
    context.group = period;
    std::string text;
    if (auto appended = codec_->append(text, id, context); !appended.ok()) {
        return std::move(appended).error();
    }
    return text;
}

}  // namespace holdfast
