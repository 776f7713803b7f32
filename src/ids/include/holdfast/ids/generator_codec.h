#pragma once
// The texts of a generator's ids, read without the generator: for one that is switched off, and for
// tools.

#include <holdfast/ids/codec.h>
#include <holdfast/ids/options.h>

#include <memory>
#include <string_view>

namespace holdfast {

// Immutable; any thread.
class GeneratorCodec {
public:
    // invalid_argument, none: codec options that contradict each other or the layout.
    static Result<GeneratorCodec> make(const GeneratorOptions& options);

    // As IdGenerator::parse() and parse_parts().
    Result<std::int64_t> parse(std::string_view text) const;
    Result<IdParts> parse_parts(std::string_view text) const;

private:
    GeneratorCodec(
        std::unique_ptr<IdCodec> numbers, std::unique_ptr<TextIdCodec> texts, const IdLayout* layout
    );

    std::unique_ptr<IdCodec> numbers_;    // null: the strategy string
    std::unique_ptr<TextIdCodec> texts_;  // null: of the others
    std::optional<IdLayout> layout_;      // of time-based ones
};

}  // namespace holdfast
