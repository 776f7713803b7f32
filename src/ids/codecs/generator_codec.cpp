#include <holdfast/ids/generator_codec.h>

namespace holdfast {

GeneratorCodec::GeneratorCodec(
    std::unique_ptr<IdCodec> numbers, std::unique_ptr<TextIdCodec> texts, const IdLayout* layout
)
    : numbers_(std::move(numbers)), texts_(std::move(texts)) {
    if (layout != nullptr) {
        layout_ = *layout;
    }
}

Result<GeneratorCodec> GeneratorCodec::make(const GeneratorOptions& options) {
    CodecOptions codec = options.codec().value_or(CodecOptions());
    const IdLayout* layout = is_time_based(options.strategy()) ? &options.layout() : nullptr;
    if (layout != nullptr && !codec.layout().has_value()) {
        codec = std::move(codec).layout(*layout);
    }
    if (options.strategy() == IdStrategy::string) {
        auto made = make_text_codec(std::move(codec));
        if (!made.ok()) {
            return std::move(made).error();
        }
        return GeneratorCodec(nullptr, std::move(made).value(), layout);
    }
    auto made = make_codec(std::move(codec));
    if (!made.ok()) {
        return std::move(made).error();
    }
    return GeneratorCodec(std::move(made).value(), nullptr, layout);
}

Result<std::int64_t> GeneratorCodec::parse(std::string_view text) const {
    if (numbers_ == nullptr) {
        return Error(Code::unsupported, Effect::none, "its ids are texts without a number");
    }
    return numbers_->parse(text);
}

Result<IdParts> GeneratorCodec::parse_parts(std::string_view text) const {
    if (texts_ != nullptr) {
        return texts_->parse(text);
    }
    if (!layout_.has_value()) {
        return Error(Code::unsupported, Effect::none, "its ids have no parts");
    }
    auto id = numbers_->parse(text);
    return id.ok() ? decompose(*layout_, id.value()) : Result<IdParts>(std::move(id).error());
}

}  // namespace holdfast
