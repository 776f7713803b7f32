#include "runtime/switched_off_generator.h"

#include <holdfast/ids/generator_codec.h>

namespace holdfast {
namespace {

Error refusal() {
    return Error(Code::denied, Effect::none, "the generator is disabled by the settings");
}

class SwitchedOffGenerator final : public IdGenerator {
public:
    SwitchedOffGenerator(const GeneratorOptions& options, GeneratorCodec codec)
        : options_(options), codec_(std::move(codec)) {}

    const std::string& name() const override { return options_.name(); }
    IdStrategy strategy() const override { return options_.strategy(); }
    GeneratorInfo info() const override {
        GeneratorInfo info;
        info.name = options_.name();
        info.strategy = options_.strategy();
        info.state = IdState::disabled;
        if (is_time_based(options_.strategy())) {
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

    Result<std::int64_t> parse(std::string_view text) const override { return codec_.parse(text); }
    Result<IdParts> parse_parts(std::string_view text) const override {
        return codec_.parse_parts(text);
    }

private:
    GeneratorOptions options_;
    GeneratorCodec codec_;
};

}  // namespace

Result<std::unique_ptr<IdGenerator>> make_switched_off_generator(const GeneratorOptions& options) {
    auto codec = GeneratorCodec::make(options);
    if (!codec.ok()) {
        return std::move(codec).error();
    }
    return std::unique_ptr<IdGenerator>(
        std::make_unique<SwitchedOffGenerator>(options, std::move(codec).value())
    );
}

}  // namespace holdfast
