#include "runtime/switched_off_generator.h"

namespace holdfast {
namespace {

Error refusal() {
    return Error(Code::denied, Effect::none, "the generator is disabled by the settings");
}

bool is_time_based(const GeneratorOptions& options) {
    return options.strategy() == IdStrategy::snowflake || options.strategy() == IdStrategy::string;
}

class DisabledGenerator final : public IdGenerator {
public:
    explicit DisabledGenerator(const GeneratorOptions& options) : options_(options) {}

    Result<Done> open() {
        CodecOptions codec = options_.codec().value_or(CodecOptions());
        if (!codec.layout().has_value() && is_time_based(options_)) {
            codec = std::move(codec).layout(options_.layout());
        }
        if (options_.strategy() == IdStrategy::string) {
            auto made = make_text_codec(std::move(codec));
            if (!made.ok()) {
                return std::move(made).error();
            }
            texts_ = std::move(made).value();
            return Done();
        }
        auto made = make_codec(std::move(codec));
        if (!made.ok()) {
            return std::move(made).error();
        }
        numbers_ = std::move(made).value();
        return Done();
    }

    const std::string& name() const override { return options_.name(); }
    IdStrategy strategy() const override { return options_.strategy(); }
    GeneratorInfo info() const override {
        GeneratorInfo info;
        info.name = options_.name();
        info.strategy = options_.strategy();
        info.state = IdState::disabled;
        if (is_time_based(options_)) {
            info.layout = options_.layout();
        }
        return info;
    }

    Result<std::int64_t> next() override { return refusal(); }
    Result<std::size_t> next(std::span<std::int64_t>) override { return refusal(); }
    Result<std::string> next_text() override { return refusal(); }
    Result<PeriodicIds> next_of_period(std::span<std::int64_t>) override { return refusal(); }
    Task<std::int64_t> next(Deadline) override { co_return refusal(); }
    Task<Done> fill(std::span<std::int64_t>, Deadline) override { co_return refusal(); }
    Task<Done> fill_text(std::span<std::string>, Deadline) override { co_return refusal(); }
    Task<PeriodicIds> fill_of_period(std::span<std::int64_t>, Deadline) override {
        co_return refusal();
    }

    Result<std::int64_t> parse(std::string_view text) const override {
        if (numbers_ == nullptr) {
            return Error(Code::unsupported, Effect::none, "its ids are texts without a number");
        }
        return numbers_->parse(text);
    }
    Result<IdParts> parse_parts(std::string_view text) const override {
        if (texts_ != nullptr) {
            return texts_->parse(text);
        }
        if (!is_time_based(options_)) {
            return Error(Code::unsupported, Effect::none, "its ids have no parts");
        }
        auto id = numbers_->parse(text);
        return id.ok() ? decompose(options_.layout(), id.value())
                       : Result<IdParts>(std::move(id).error());
    }

private:
    GeneratorOptions options_;
    std::unique_ptr<IdCodec> numbers_;
    std::unique_ptr<TextIdCodec> texts_;  // of the strategy string
};

}  // namespace

Result<std::unique_ptr<IdGenerator>> make_switched_off_generator(const GeneratorOptions& options) {
    auto made = std::make_unique<DisabledGenerator>(options);
    if (auto opened = made->open(); !opened.ok()) {
        return std::move(opened).error();
    }
    return std::unique_ptr<IdGenerator>(std::move(made));
}

}  // namespace holdfast
