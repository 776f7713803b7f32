#pragma once
// The texts of a generator that lives on ranges.

#include <holdfast/ids/codec.h>
#include <holdfast/ids/options.h>

#include <memory>
#include <string>

namespace holdfast {

class RangeText {
public:
    // invalid_argument, none: codec options that contradict each other. A periodic generator's text
    // gets its period in front unless the options say where.
    static Result<RangeText> make(const GeneratorOptions& options, const Clock& clock);

    Result<std::string> text(std::int64_t id, std::string_view period) const;
    Result<std::int64_t> parse(std::string_view text) const { return codec_->parse(text); }

private:
    RangeText(std::unique_ptr<IdCodec> codec, const Clock* clock)
        : codec_(std::move(codec)), clock_(clock) {}

    std::unique_ptr<IdCodec> codec_;
    const Clock* clock_;  // null: no text says the date
};

}  // namespace holdfast
